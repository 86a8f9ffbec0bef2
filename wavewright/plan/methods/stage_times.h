// A job as a pair of stage durations (m_i, r_i): the abstraction that Johnson's rule orders [HP §III-A].
#pragma once

#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct StageTimes {
  Duration map{};     // of the job alone on all map slots
  Duration reduce{};  // of the job alone on all reduce slots, from the end of its maps
};

// Greedy list schedule of the job's own tasks, which ARIA's bounds enclose [HP §II-B]. A kind without slots
// counts as one slot. O(tasks · log slots).
[[nodiscard]] StageTimes stage_times(const Job& job, SlotPool pool);
[[nodiscard]] std::vector<StageTimes> stage_times(std::span<const Job* const> jobs, SlotPool pool);

}  // namespace wavewright
