// A plan: who runs in what order, in which pools. The document that `wavewright plan --out` writes, that
// `simulate --plan` executes and that `run` drives on a cluster.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"
#include "wavewright/job/objective.h"

namespace wavewright {

// Slots of its own for some of the jobs, in order.
struct PlanPool {
  SlotPool slots;
  std::vector<std::string> jobs;  // ids, first served first
};

// The job's next so many tasks of a kind.
struct PlanTurn {
  std::string id;
  Count tasks = 0;

  friend bool operator==(const PlanTurn&, const PlanTurn&) = default;
};

// At most so many of the job's tasks at once, 1 or more.
struct PlanCap {
  std::string id;
  std::optional<Count> maps;
  std::optional<Count> reduces;

  friend bool operator==(const PlanCap&, const PlanCap&) = default;
};

struct Plan {
  Objective objective = Objective::makespan;  // one of `planned_objectives`
  std::string method;
  std::vector<std::string> order;  // every job once, first served first; with pools: their orders joined
  std::vector<PlanPool> pools;     // at least one; together at most the whole pool; every job in one

  // Where one order is not enough: reduces served in another order than maps. Empty = `order`.
  std::vector<std::string> map_order;
  std::vector<std::string> reduce_order;

  // Where an order of jobs is not enough: jobs give way and come again. A job that has used up its turns
  // keeps the rank of its last one. Empty = as the order says.
  std::vector<PlanTurn> map_turns;
  std::vector<PlanTurn> reduce_turns;
  std::vector<PlanCap> caps;

  Duration makespan{};          // latest finish, from the workload's time 0
  Duration total_completion{};  // Σ(finish − submit)
  Duration lower_bound{};  // no schedule has a smaller objective value (plan/bounds/lower_bound.h says for
                           // which model)
  bool proved_optimal = false;
  bool best_single_order = false;  // proved: no plan of one order on one pool is better
  Count evaluated = 0;             // schedules simulated on the way
  double seconds = 0;              // time spent
  std::uint64_t seed = 0;
  bool partial = false;  // interrupted: the best found so far

  [[nodiscard]] Duration value() const { return planned_value(objective, makespan, total_completion); }
  [[nodiscard]] double gap() const;  // (value − bound) / bound; 0 when both are 0
};

}  // namespace wavewright
