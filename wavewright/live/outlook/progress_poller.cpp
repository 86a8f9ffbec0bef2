#include "wavewright/live/outlook/progress_poller.h"

#include <algorithm>

#include "wavewright/core/error.h"

namespace wavewright {

std::vector<std::string> ProgressPoller::step(const LiveBatch& batch, Time now, Duration steady) {
  std::vector<const LiveJob*> due;
  std::unordered_map<std::string, Duration> still;
  for (const LiveJob& job : batch.jobs) {
    if (job.state != LiveState::running || job.applications.empty()) continue;
    const auto asked = due_.find(job.id);
    if (asked != due_.end()) still.insert(*asked);
    if (asked == due_.end() || asked->second <= steady) due.push_back(&job);
  }
  due_ = std::move(still);
  std::erase_if(known_, [&](const auto& each) { return !due_.contains(each.first); });
  const std::size_t most = std::min(due.size(), budget_.requests_per_step / requests_per_reading);
  std::partial_sort(due.begin(), due.begin() + static_cast<std::ptrdiff_t>(most), due.end(),
                    [&](const LiveJob* a, const LiveJob* b) {
                      const auto first = due_.find(a->id), second = due_.find(b->id);
                      const bool asked_a = first != due_.end(), asked_b = second != due_.end();
                      if (asked_a != asked_b) return asked_b;
                      if (asked_a && first->second != second->second) return first->second < second->second;
                      return a->started_at > b->started_at;
                    });
  std::vector<std::string> read;
  for (std::size_t i = 0; i < most; ++i) {
    const LiveJob& job = *due[i];
    due_[job.id] = steady + budget_.after_silence;
    try {
      std::optional<JobProgress> progress = reader_.progress(job.applications.back());
      if (!progress) continue;
      progress->at = now;
      known_.insert_or_assign(job.id, std::move(*progress));
      due_[job.id] = steady + budget_.again_after;
      read.push_back(job.id);
    } catch (const ExternalError&) {  // its master may have ended since the list was read
    }
  }
  return read;
}

}  // namespace wavewright
