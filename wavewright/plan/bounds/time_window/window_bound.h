// Lagrangian time-window bound: a lower bound on total completion time by branch and bound over windows for
// the end of each job's maps and the end of the job [Land and Doig 1960].
//
// At each node a Lagrangian dual (window_dual.h) bounds all schedules with ends in the node's windows; a
// bundle method (bundle.h) finds its prices. Sets of jobs (set_ends.h) and slots that must be busy
// (timetable.h) narrow the windows. So does the aim: parts of windows without a schedule below the aim are
// dropped. The window whose ends differ most in the dual's solution is split. Nodes are explored in rounds,
// lowest bounds first. When no node is left, the aim is a valid bound. It is raised up to the plan's value.
//
// The bound holds for the model of lower_bound.h.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/core/stop.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct Workload;

// True for a batch of 2 to SetEnds::most_jobs jobs without precedence. For others the bound is `known`.
[[nodiscard]] bool has_time_window_bound(const Workload& batch);

// A lower bound on Σ(finish − submit). `value` and `makespan` are those of a plan; prices end soon after the
// makespan. The result lies between the valid bound `known` and `value`; at `value` the plan is optimal.
// `multiplications` limits the effort: 10⁹ take about a second, plus O(2^jobs · tasks · log tasks). Does not
// depend on the number of cores. A stopped computation returns the bound proved so far.
[[nodiscard]] Duration time_window_bound(const Workload& batch, SlotPool pool, Duration known, Duration value,
                                         Duration makespan, double multiplications, const Stop& stop);

// A lower bound on Σ weight · (finish − submit), one weight for each job. Also for a single job; `known` if a
// weight is not above 0. In ms times the unit of the weights.
//
// It is tighter on small batches, because it uses two more facts. Some best schedule has all its ends at
// multiples of a unit (time_unit.h), so windows contain only these. If the weights have a unit too, a better
// schedule than the plan is better by a whole step. And where few schedules are left in a node's windows,
// they are enumerated (schedule_tree.h). If that finds a better schedule than the plan, the bound is its
// value.
[[nodiscard]] double weighted_window_bound(const Workload& batch, SlotPool pool,
                                           std::span<const double> weights, double known, double value,
                                           Duration makespan, double multiplications, const Stop& stop);

}  // namespace wavewright
