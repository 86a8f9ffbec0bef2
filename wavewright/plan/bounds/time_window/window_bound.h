// A lower bound on total completion time by branch and bound over windows: when each job's maps end, and when
// the job does [Land and Doig 1960].
//
// At each node a Lagrangian dual (window_dual.h) bounds all schedules with ends in its windows, by a bundle
// method (bundle.h). Sets of jobs (set_ends.h) and slots that are busy in any case (busy_slots.h) narrow the
// windows, and so does the aim: what has no schedule below it is left out. The window whose ends differ most
// in the dual's solution is halved. Nodes are looked at in rounds, the lowest bounds first; where none is
// left the aim holds, and the next one is higher, up to the value of the plan that is known.
//
// Holds for the model of lower_bound.h.
#pragma once

#include <cstdint>

#include "wavewright/core/stop.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct Workload;

// Whether it is for such a batch: few jobs, none of which waits for another.
[[nodiscard]] bool has_time_window_bound(const Workload& batch);

// On Σ(finish − submit), given a plan's value: no smaller than `known`, which holds already, and no larger
// than the value, which it is where the plan is proved optimal. The plan's makespan says how far prices
// reach. O(2^jobs · tasks · log tasks), and so many multiplications in all, 10⁹ of which take about a second;
// the same on any number of cores. Stopped, it gives what it has shown so far.
[[nodiscard]] Duration time_window_bound(const Workload& batch, SlotPool pool, Duration known, Duration value,
                                         Duration makespan, double multiplications, const Stop& stop);

}  // namespace wavewright
