// Lagrangian time-window bound: a lower bound on total completion time by branch and bound over windows for
// the end of each job's maps and the end of the job [Land and Doig 1960].
//
// At each node a Lagrangian dual (window_dual.h) bounds all schedules with ends in the node's windows, by a
// bundle method (bundle.h). Sets of jobs (set_ends.h) and slots that are busy in any case (busy_slots.h)
// narrow the windows. So does the aim: parts of windows that hold no schedule below the aim are dropped.
// The window whose ends differ most in the dual's solution is halved. Nodes are explored in rounds, lowest
// bounds first. When no node is left, the aim is a valid bound and is raised, up to the value of the known
// plan.
//
// The bound holds for the model of lower_bound.h.
#pragma once

#include <cstdint>

#include "wavewright/core/stop.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct Workload;

// True if it is made for the batch: few jobs, none of which waits for another.
[[nodiscard]] bool has_time_window_bound(const Workload& batch);

// A lower bound on Σ(finish − submit), given a plan's value and makespan, which limits how far prices reach.
// `known` is a valid bound. The result lies between `known` and `value`; at `value` the plan is proved
// optimal. `multiplications` limits the effort; 10⁹ take about a second. O(2^jobs · tasks · log tasks)
// besides. The result does not depend on the number of cores. A stopped computation gives the bound proved so
// far.
[[nodiscard]] Duration time_window_bound(const Workload& batch, SlotPool pool, Duration known, Duration value,
                                         Duration makespan, double multiplications, const Stop& stop);

}  // namespace wavewright
