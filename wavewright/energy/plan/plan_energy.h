// Finds a plan for a batch with little energy in all, among those with the least tardiness [UNL ch. 6 for the
// setting; the search is ours].
//
// Every candidate is simulated, and its energy is the simulator's (evaluate_energy.h). Candidates are:
//
// - the schedules of other policies: efh, with and without adaptive execution, ideal, fifo, and those that
//   the caller names. So the plan never takes more than EFH on the same cluster, if EFH is as much in time;
// - drafts. The rents of the bound (energy_bound.h) say what a task costs on each class: work, its part of
//   the idle power, and the price of time where deadlines make it scarce. A draft allows each job the classes
//   that cost at most a share more than its cheapest one. Slow classes close early enough for their last
//   tasks to end when the batch does; some class stays open;
// - all classes on which some task of a job can be in time, next if the first draft is late;
// - where all of these are late, drafts as if there were no deadlines;
// - drafts that rent machines for no longer than the deadlines need (openings.h);
// - changes of the best draft, by chance: a class opens, closes, or closes at another time, for a job or for
//   all jobs alike; a job moves in the order; machines for rent become more or fewer, or stay on for longer.
//   With choose_order the tasks of all jobs take the other order.
//
// With a price limit, less above the limit comes first, then tardiness, then energy (energy_goal.h). A best
// draft above it is followed by drafts with all classes open and fewer machines of one class.
//
// For the frontier the search goes on from the best drafts known: towards the shortest makespan, towards some
// makespans between that and the plan's, and likewise for the price where nodes have prices.
//
// A batch of few tasks is also searched exactly (exact_energy.h): then the least energy of all schedules in
// time is known, or a bound that is nearer to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/money.h"
#include "wavewright/core/stop.h"
#include "wavewright/energy/plan/energy_bound.h"
#include "wavewright/energy/plan/energy_frontier.h"
#include "wavewright/energy/plan/energy_goal.h"
#include "wavewright/energy/plan/energy_plan.h"
#include "wavewright/energy/plan/exact_energy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct EnergyProblem {
  const Workload* batch = nullptr;  // must outlive the call
  Cluster cluster;                  // of mode "slots", with powers
  std::uint64_t seed = 1;           // of block places, drawn outcomes and the search
  std::uint64_t evaluations = 0;    // schedules to try; 0 = some seconds' worth
  TaskOrder task_order = TaskOrder::longest_first;
  const PolicyRegistry* registry = nullptr;  // knows efh, ideal and fifo
  std::optional<Money> most_cost = {};       // of a cluster with prices
  bool frontier = false;                     // look for it: twice as many schedules again
  std::vector<StateClasses> states = {};     // of machines for rent (machine_states.h)
  // Of the exact search for batches of at most most_exact_tasks tasks; 0 = none.
  std::uint64_t exact_steps = most_exact_steps;
  // Policies besides efh, ideal and fifo whose schedules may be the plan.
  std::vector<std::string> candidates = {};
  bool choose_order = false;  // the plan may have the other task order, too
};

// A policy beside the plan; no value, and the reason, if it cannot do the batch.
struct EnergyRival {
  std::string policy;
  bool all_on = false;  // on the cluster with its machines for rent on all the time: no candidate
  std::optional<EnergyValue> value;
  std::string reason{};
};

struct PlannedEnergy {
  EnergyPlan plan;
  std::string method;  // `rents`, `search`, or the policy's
  EnergyValue value;
  std::optional<EnergyBound> bound;  // of schedules in time; none if there are none
  // The least energy of schedules in time, also if the plan is late; none if there are none, or if the search
  // came to its limit.
  std::optional<ExactEnergy> exact;
  bool none_in_time = false;  // so the search found
  bool affordable = true;     // it costs at most EnergyProblem::most_cost
  std::vector<EnergyRival> rivals;
  // As much in time as the plan, by makespan. The plan is one of them.
  std::vector<FrontierPlan> frontier;
  std::uint64_t evaluated = 0;
  bool partial = false;  // stopped before it was done

  [[nodiscard]] bool in_time() const { return value.tardy == 0; }
  // The exact search found a schedule in time, and a job of the plan is tardy.
  [[nodiscard]] bool misses_schedule_in_time() const { return exact && !in_time(); }
  // No schedule in time takes less: the larger of `exact` and `bound`; none if no schedule is in time.
  [[nodiscard]] std::optional<MicroJoules> floor() const;
  // No schedule in time takes less, and the plan takes so much.
  [[nodiscard]] bool proved_optimal() const;
  // How far above the best in-time schedule it can be at most: (energy − floor) / floor; none without a floor
  // above 0, or if a job is tardy.
  [[nodiscard]] std::optional<double> gap() const;
};

// Equal input, seed and evaluations give equal plans. Throws UsageError for a cluster of containers or
// without powers, for a price limit without prices, and as check_states, Infeasible if no candidate does all
// jobs. Checks `stop` at each schedule.
[[nodiscard]] PlannedEnergy plan_energy(const EnergyProblem& problem, const Stop& stop);

}  // namespace wavewright
