// Finds a plan for a batch with little energy in all, among those with the least tardiness [UNL ch. 6 for the
// setting; the search is ours].
//
// Every candidate is simulated, and its energy is the simulator's (evaluate_energy.h). Candidates are:
//
// - the schedules of other policies: efh, with and without adaptive execution, ideal, fifo. So the plan never
//   takes more than EFH on the same cluster, if EFH is as much in time;
// - drafts. The rents of the bound (energy_bound.h) say what a task costs on each class, work and its part of
//   the idle power. A draft allows each job the classes that cost at most a share more than its cheapest one.
//   Slow classes close early enough for their last tasks to end when the batch does; some class stays open;
// - changes of the best draft, by chance: a class opens, closes, or closes at another time, for a job or for
//   all jobs alike; a job moves in the order; machines for rent become more or fewer, or stay on for longer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/energy/plan/energy_bound.h"
#include "wavewright/energy/plan/energy_plan.h"
#include "wavewright/energy/plan/evaluate_energy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct EnergyProblem {
  const Workload* batch = nullptr;  // must outlive the call
  Cluster cluster;                  // of mode "slots", with powers
  std::uint64_t seed = 1;           // of block places, drawn outcomes and the search
  std::uint64_t evaluations = 0;    // schedules to try; 0 = some seconds' worth
  TaskOrder task_order = TaskOrder::longest_first;
  const PolicyRegistry* registry = nullptr;  // knows efh, ideal and fifo
};

// A policy beside the plan; no value if it cannot do the batch.
struct EnergyRival {
  std::string policy;
  bool all_on = false;  // on the cluster with its machines for rent on all the time: no candidate
  std::optional<EnergyValue> value;
};

struct PlannedEnergy {
  EnergyPlan plan;
  std::string method;  // `rents`, `search`, or the policy's
  EnergyValue value;
  std::optional<EnergyBound> bound;  // of schedules in time; none if there are none
  std::vector<EnergyRival> rivals;
  std::uint64_t evaluated = 0;
  bool partial = false;  // stopped before it was done

  [[nodiscard]] bool in_time() const { return value.tardy == 0; }
  // How far above the best in-time schedule it can be at most: (energy − bound) / bound; none without a bound
  // above 0, or if a job is tardy.
  [[nodiscard]] std::optional<double> gap() const;
};

// Equal input, seed and evaluations give equal plans. Throws UsageError for a cluster of containers or
// without powers, Infeasible if no candidate does all jobs. Checks `stop` at each schedule.
[[nodiscard]] PlannedEnergy plan_energy(const EnergyProblem& problem, const Stop& stop);

}  // namespace wavewright
