// Lower bounds: no schedule of the model has a smaller makespan or total completion time.
//
// Model: each map occupies one of M map slots and each reduce one of R reduce slots. Tasks start no earlier
// than their job's submission. The work of a reduce (its own part and the smaller of its first-wave and
// later-wave shuffle) begins after its job's last map ends. This covers every order, pools, caps,
// preemption between tasks, and every slow-start. It does not cover clusters whose containers serve both
// kinds.
//
// Bounds on the makespan [docs/papers.md; Johnson 1954; Jackson 1955]:
// - fluid: with A_i = map work / M and B_i = reduce work / R, order the jobs of any schedule by their last
//   map ends. The fluid flow shop in that order ends no later, and Johnson's order of (A_i, B_i) is the best
//   one. The same holds from each instant t on for the jobs submitted at or after t.
// - chain: a job's submission plus the least times of its maps and of its reduces alone on the pool. The
//   least time of a stage is its longest task or, if `thorough`, the counting bound.
// - head–tail load: for each threshold q, all map work of jobs whose reduces take at least q alone must be
//   done q before the last of these jobs ends. Likewise, all reduce work of jobs whose maps cannot end
//   before h starts at h or later.
// - counting: of k·R + 1 reduces some slot runs k + 1, after the maps of one of their jobs. Likewise for
//   k·M + 1 maps, before its reduces (counting_bound.h).
// - precedence: for workflows (`after`), the bound of precedence_times.h. The other bounds then take the
//   earliest end of a job's predecessors as its submission.
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
  Duration precedence{};  // 0 without precedence

  [[nodiscard]] Duration best() const {
    return std::max({fluid, chain, head_tail_load, counting, precedence});
  }
};

// Bounds from the workload's time 0, computed exactly in integers and rounded up at the end. O(tasks · log
// tasks + n·(min(s, 256) + log n)) for n jobs with s submission times. A quick bound uses the longest task as
// the least time of a stage and skips the counting bound: O(tasks) instead of O(tasks · log tasks).
enum class Effort { thorough, quick };
[[nodiscard]] MakespanBounds makespan_bounds(const Workload& workload, SlotPool pool,
                                             Effort effort = Effort::thorough);

// The input of bounds/demand_bound.h. O(tasks · log tasks).
[[nodiscard]] std::vector<DemandJob> demand_jobs(const Workload& workload, SlotPool pool);

// The demand bound: tighter if stages overlap and few jobs run at a time. Valid for the plans named in
// bounds/demand_bound.h, and no smaller than the bound `known`. The default effort takes about a second.
constexpr double usual_multiplications = 6e9;
[[nodiscard]] Duration demand_bound(const Workload& workload, SlotPool pool, Duration known, const Stop& stop,
                                    double multiplications = usual_multiplications);

// The bound on total completion time, Σ(finish − submit). It is the largest of three: map stages on a fluid
// machine, shortest work first, plus each job's tail; reduce stages likewise plus the shortest head; and all
// chains. A quick one takes O(tasks + n log n); a thorough one adds the bounds of completion_bound.h.
[[nodiscard]] Duration total_completion_bound(const Workload& workload, SlotPool pool,
                                              Effort effort = Effort::thorough);

[[nodiscard]] Duration lower_bound(const Workload& workload, SlotPool pool, Objective objective,
                                   Effort effort = Effort::thorough);

}  // namespace wavewright
