// The Deadline Constraint scheduler [UNL §5.1; Kc and Anyanwu 2010]: a job is accepted if, when it arrives,
// the map slots are free that it needs to end its maps in time, and its reduces can all run at once in the
// end.
//
// With bounds m and r of a job's map and reduce lengths, its reduces start at s = deadline − r at the latest,
// and its maps need n = ⌈maps · m / (s − arrival)⌉ slots (5.1), which it holds and no more. It is accepted if
// n map slots are not promised to others, and as many reduce slots as it has reduces.
//
// Two readings. `instant`, as printed: reduce slots are looked at only at s, and reduces start when the maps
// have ended; accepted jobs can be late. `interval` keeps its word: the slots are free from s to the
// deadline, reduces wait until s, and the maps are counted in waves, n = ⌈maps / ⌊(s − arrival) / m⌋⌉.
//
// Readings where the paper is silent: slots are promised until the job's last map has ended; delays of
// heartbeats and launches count as for RTMR (cluster/assignment_delays.h) in `interval`, and not in
// `instant`, and maps far from their blocks neither; a job without a deadline is rejected, since the
// scheduler has no slots for it; so is one that waits for others.
#pragma once

#include <memory>

#include "wavewright/realtime/block_reads.h"
#include "wavewright/realtime/task_bound.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct ConstraintOptions {
  enum class Check { instant, interval };
  Check check = Check::instant;
  TaskBound bound;
  AssignmentDelays delays;
  BlockReads reads{};
};

[[nodiscard]] std::unique_ptr<Allocator> make_constraint(const ConstraintOptions& options);
[[nodiscard]] PolicyEntry constraint_entry();

}  // namespace wavewright
