// A plan: which job runs in what order, in which pools. `wavewright plan --out` writes it, `simulate --plan`
// executes it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"
#include "wavewright/job/objective.h"
#include "wavewright/job/task_order.h"

namespace wavewright {

// Slots for some of the jobs, in order.
struct PlanPool {
  SlotPool slots;
  std::vector<std::string> jobs;  // ids, first served first
};

// A turn: the job's next `tasks` tasks of a kind.
struct PlanTurn {
  std::string id;
  Count tasks = 0;

  friend bool operator==(const PlanTurn&, const PlanTurn&) = default;
};

// The most tasks of the job that run at once, 1 or more.
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

  // Separate orders for maps and reduces. Empty = `order`.
  std::vector<std::string> map_order;
  std::vector<std::string> reduce_order;

  // A job may have several turns. After its last turn it keeps that rank. Empty = the order above.
  std::vector<PlanTurn> map_turns;
  std::vector<PlanTurn> reduce_turns;
  std::vector<PlanCap> caps;
  TaskOrder task_order = TaskOrder::as_listed;  // within each job

  Duration makespan{};          // latest finish, from the workload's time 0
  Duration total_completion{};  // Σ(finish − submit)
  // On the objective, for the model of plan/bounds/lower_bound.h. No plan with this task order is below
  // `lower_bound`; no plan with any order of a job's tasks is below `order_free_bound`, which is no larger.
  Duration lower_bound{};
  Duration order_free_bound{};
  bool proved_optimal = false;
  bool best_single_order = false;  // proved: no plan of one order on one pool is better
  Count evaluated = 0;             // schedules simulated by the search
  double seconds = 0;              // time spent
  std::uint64_t seed = 0;
  bool partial = false;  // interrupted: the best plan found so far

  [[nodiscard]] Duration value() const { return planned_value(objective, makespan, total_completion); }
  [[nodiscard]] double gap() const;  // (value − bound) / bound; 0 if equal, else infinite for a bound of 0
};

}  // namespace wavewright
