// Runs a whole workload through a dispatching queue: the instant and order in which each job is dispatched,
// and the workload that the cluster then receives.
//
// No policy looks at the cluster, so this needs no simulation. To get finish times, simulate `dispatched`
// under the cluster's own policy (FIFO in the paper).
#pragma once

#include <optional>
#include <vector>

#include "wavewright/dispatch/dispatch_queue.h"

namespace wavewright {

struct QueueRun {
  std::vector<Round> rounds;
  std::vector<JobIndex> order;        // positions in the arrivals, first dispatched first
  std::vector<std::size_t> round_of;  // by position in the arrivals
  Workload dispatched;                // the jobs in that order, submitted when they were dispatched
};

// Jobs arrive when they are submitted; jobs of one instant arrive in the order of the file. A job that waits
// for others (`after`) is ordered like any other and waits on the cluster. The queue must be empty. O(tasks +
// jobs · log jobs) and the engine's rounds.
[[nodiscard]] QueueRun run_queue(const Workload& arrivals, DispatchQueue& queue);

// Jobs as they arrived, with their finish; jobs without one are left out.
[[nodiscard]] std::vector<FinishedJob> finished_jobs(const Workload& arrivals,
                                                     const std::vector<std::optional<Time>>& finish);
// The objective over these.
[[nodiscard]] double value_of_run(const Workload& arrivals, const std::vector<std::optional<Time>>& finish,
                                  Objective objective);

}  // namespace wavewright
