#include "wavewright/live/submission/submission_pace.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wavewright {

namespace {

Duration median(const std::vector<Duration>& ascending) {
  return ascending.empty() ? Duration{} : ascending[ascending.size() / 2];
}

// `next` gives the times of one job: until the next command starts, and until the cluster has this job.
template <class Next>
Workload submitted(Workload workload, Next next) {
  Time free{};
  for (Job& job : workload.jobs) {
    if (!job.after.empty()) continue;
    const Time start = std::max(job.submit, free);
    const auto [between, until_accepted] = next();
    free = start + between;
    job.submit = start + until_accepted;
  }
  return workload;
}

}  // namespace

SubmissionPace learn_pace(std::span<const LiveBatch> batches) {
  std::vector<Duration> until_accepted, between;
  for (const LiveBatch& batch : batches) {
    std::vector<const LiveJob*> submitted;
    for (const LiveJob& job : batch.jobs) {
      const bool once = job.attempts == 1 && job.submitting_since && job.accepted_at;
      if (once && *job.accepted_at >= *job.submitting_since) submitted.push_back(&job);
    }
    std::sort(submitted.begin(), submitted.end(),
              [](const LiveJob* a, const LiveJob* b) { return *a->submitting_since < *b->submitting_since; });
    constexpr Duration idle = ms(3000);
    const LiveJob* before = nullptr;
    for (const LiveJob* job : submitted) {
      until_accepted.push_back(*job->accepted_at - *job->submitting_since);
      if (before != nullptr) {
        const Duration gap = *job->submitting_since - *before->submitting_since;
        if (gap <= *before->accepted_at - *before->submitting_since + idle) between.push_back(gap);
      }
      before = job;
    }
  }
  if (between.empty()) between = until_accepted;
  std::sort(until_accepted.begin(), until_accepted.end());
  std::sort(between.begin(), between.end());
  SubmissionPace pace{median(until_accepted), median(between), until_accepted.size()};
  pace.all_until_accepted = std::move(until_accepted);
  pace.all_between = std::move(between);
  return pace;
}

Workload paced(Workload workload, const SubmissionPace& pace) {
  return submitted(std::move(workload), [&] { return std::pair(pace.between, pace.until_accepted); });
}

Workload paced(Workload workload, const SubmissionPace& pace, Random& random) {
  const auto some = [&](const std::vector<Duration>& seen) { return seen[random.below(seen.size())]; };
  return submitted(std::move(workload), [&] {
    const Duration between = some(pace.all_between);
    return std::pair(between, some(pace.all_until_accepted));
  });
}

}  // namespace wavewright
