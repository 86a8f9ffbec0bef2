// Proven lower bounds: no schedule of the model finishes earlier.
//
// Model: each map occupies one of M map slots and each reduce one of R reduce slots; a job's tasks start no
// earlier than its submission, and the work of its reduces (its own part and the smaller of its first-wave
// and later-wave shuffle) begins after its last map ends. That covers every order, pools, caps, preemption
// of whole tasks, and every slow-start; it does not cover clusters whose containers serve both kinds.
//
//  fluid  With A_i = map work / M and B_i = reduce work / R, order any schedule by the jobs' last map ends:
//         the fluid flow shop in that order is not later, and Johnson's order of (A_i, B_i) is the best of
//         all. For jobs submitted at or after t the same holds from t on.
//  chain  A job's submission and the least time of its maps and of its reduces alone on the pool (a stage:
//  its
//         longest task, and counting).
//  loads  For each threshold q: the map work of all jobs whose reduces take at least q alone must be done
//         before the last of them has q to go; likewise the reduce work of all jobs whose maps cannot end
//         before h begins at h.
//  counting  Of k·R + 1 reduces some slot takes k + 1, after the maps of one of their jobs; of k·M + 1 maps
//         likewise, before its reduces (plan/counting_bound.h).
//  precedence  Of workflows (`after`), that of bounds/precedence_times.h; for the others each job is
//  submitted
//         when those it waits for can be done at the soonest.
// [docs/papers.md; Johnson 1954; Jackson 1955]
#pragma once

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/plan/bounds/demand_bound.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct MakespanBounds {
  Duration fluid{};
  Duration chain{};
  Duration head_tail_load{};
  Duration counting{};
  Duration precedence{};  // 0 where no job waits for another

  [[nodiscard]] Duration best() const {
    return std::max({fluid, chain, head_tail_load, counting, precedence});
  }
};

// From the workload's time 0; exact in integers (rounded up at the end only). O(tasks · log tasks + n·(n +
// log n)) for n distinct submission times, of which at most 256 are tried.
// A quick one takes a stage alone for as long as its longest task and counts nothing: O(tasks + …).
enum class Effort { thorough, quick };
[[nodiscard]] MakespanBounds makespan_bounds(const Workload& workload, SlotPool pool,
                                             Effort effort = Effort::thorough);

// What bounds/demand_bound.h asks of them. O(tasks · log tasks).
[[nodiscard]] std::vector<DemandJob> demand_jobs(const Workload& workload, SlotPool pool);

// A tighter one where stages overlap and few jobs are at work at a time (bounds/demand_bound.h, which says
// for which plans it holds): no smaller than `known`, which holds already. By default about a second at most.
constexpr double usual_multiplications = 6e9;
[[nodiscard]] Duration demand_bound(const Workload& workload, SlotPool pool, Duration known, const Stop& stop,
                                    double multiplications = usual_multiplications);

// Σ(finish − submit): map stages in ascending order of work on a fluid machine plus everyone's longest
// reduce, the same for reduce stages plus the shortest head, or everyone's chain; the largest, O(tasks + n
// log n). A thorough one adds those of completion_bound.h.
[[nodiscard]] Duration total_completion_bound(const Workload& workload, SlotPool pool,
                                              Effort effort = Effort::thorough);

[[nodiscard]] Duration lower_bound(const Workload& workload, SlotPool pool, Objective objective,
                                   Effort effort = Effort::thorough);

}  // namespace wavewright
