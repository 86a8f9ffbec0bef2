#include "wavewright/live/submission_pace.h"

#include <algorithm>
#include <vector>

namespace wavewright {

namespace {

Duration median(std::vector<Duration>& values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
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
  SubmissionPace pace{median(until_accepted), {}, until_accepted.size()};
  pace.between = between.empty() ? pace.until_accepted : median(between);
  return pace;
}

Workload paced(Workload workload, const SubmissionPace& pace) {
  Time next{};
  for (Job& job : workload.jobs) {
    if (!job.after.empty()) continue;
    const Time start = std::max(job.submit, next);
    next = start + pace.between;
    job.submit = start + pace.until_accepted;
  }
  return workload;
}

}  // namespace wavewright
