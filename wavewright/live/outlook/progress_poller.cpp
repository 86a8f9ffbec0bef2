#include "wavewright/live/outlook/progress_poller.h"

#include <algorithm>

#include "wavewright/core/error.h"

namespace wavewright {

std::vector<std::string> ProgressPoller::step(const LiveBatch& batch, Time now, Duration steady) {
  Due promised, others;
  std::unordered_map<std::string, Duration> still;
  for (const LiveJob& job : batch.jobs) {
    if (job.state != LiveState::running || job.applications.empty()) continue;
    const auto asked = due_.find(job.id);
    if (asked != due_.end()) still.insert(*asked);
    const bool is_due = asked == due_.end() || asked->second <= steady;
    if (is_due && !left_out_.contains(job.id)) (job.promise ? promised : others).push_back(&job);
  }
  due_ = std::move(still);
  std::erase_if(known_, [&](const auto& each) { return !due_.contains(each.first); });
  keep_first(promised, budget_.promised_per_step);
  keep_first(others, budget_.requests_per_step);
  Due due = std::move(promised);
  due.insert(due.end(), others.begin(), others.end());
  std::vector<std::string> read;
  for (const LiveJob* const job : due) {
    due_[job->id] = steady + (job->promise ? budget_.promised_after_silence : budget_.after_silence);
    try {
      std::optional<JobProgress> progress = reader_.progress(job->applications.back());
      if (!progress) continue;
      progress->at = now;
      known_.insert_or_assign(job->id, std::move(*progress));
      due_[job->id] = steady + (job->promise ? budget_.promised_again_after : budget_.again_after);
      read.push_back(job->id);
    } catch (const ExternalError&) {  // its master may have ended since the list was read
    }
  }
  return read;
}

void ProgressPoller::keep_first(Due& due, std::size_t requests) const {
  const std::size_t most = std::min(due.size(), requests / requests_per_reading);
  std::partial_sort(due.begin(), due.begin() + static_cast<std::ptrdiff_t>(most), due.end(),
                    [&](const LiveJob* a, const LiveJob* b) {
                      const auto first = due_.find(a->id), second = due_.find(b->id);
                      const bool asked_a = first != due_.end(), asked_b = second != due_.end();
                      if (asked_a != asked_b) return asked_b;
                      if (asked_a && first->second != second->second) return first->second < second->second;
                      return a->started_at > b->started_at;
                    });
  due.resize(most);
}

}  // namespace wavewright
