// A whole workload through the dispatching queue: which job is dispatched when and in what order, and the
// workload as the cluster then gets it.
//
// None of the policies looks at the cluster, so this needs no simulation; simulating `dispatched` under the
// cluster's own policy (FIFO in the paper) tells the rest.
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

// Jobs arrive when they are submitted, those of one instant in the order of the file; a job that waits for
// others (`after`) is ordered like any other, and waits on the cluster. The queue must be empty.
// O(tasks + jobs · log jobs) and the engine's rounds.
[[nodiscard]] QueueRun run_queue(const Workload& arrivals, DispatchQueue& queue);

// What an objective is over a whole run: jobs as they arrived, done when `finish` says; none = left out.
[[nodiscard]] double value_of_run(const Workload& arrivals, const std::vector<std::optional<Time>>& finish,
                                  Objective objective);

}  // namespace wavewright
