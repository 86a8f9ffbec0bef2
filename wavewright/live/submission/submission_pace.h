// How long it takes to submit jobs: what an expectation of a batch must know besides its tasks.
#pragma once

#include <span>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/job/job.h"
#include "wavewright/live/batch/live_batch.h"

namespace wavewright {

struct SubmissionPace {
  Duration until_accepted{};  // from the start of a job's command until the cluster has its application
  Duration between{};  // from the start of one command to that of the next, where nothing else is waited for
  std::size_t jobs = 0;  // from which it was learnt; 0 = it was told, or nothing is known
  // What was seen, in ascending order; empty if it was told. The two above are the medians.
  std::vector<Duration> all_until_accepted = {}, all_between = {};

  friend bool operator==(const SubmissionPace&, const SubmissionPace&) = default;
};

// The medians over the jobs of the batches that needed one attempt. Of the times between two commands those
// count that are at most three seconds longer than the first one needed: others waited for something else.
// O(jobs log jobs).
[[nodiscard]] SubmissionPace learn_pace(std::span<const LiveBatch> batches);

// The workload as it reaches the cluster, one job after another in its order. A job that waits for others
// keeps its time: it is submitted when they are done. O(jobs).
[[nodiscard]] Workload paced(Workload workload, const SubmissionPace& pace);
// The same with each time drawn from those that were seen, which must be some.
[[nodiscard]] Workload paced(Workload workload, const SubmissionPace& pace, Random& random);

}  // namespace wavewright
