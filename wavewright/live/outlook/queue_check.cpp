#include "wavewright/live/outlook/queue_check.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace wavewright {

bool is_end(std::string_view what) {
  static constexpr std::array<std::string_view, 4> ends = {"Done", "Failed", "Cancelled", "Unknown"};
  return std::find(ends.begin(), ends.end(), what) != ends.end();
}

QueueCheck::QueueCheck(const std::vector<LiveEvent>& logged) {
  const auto last = std::find_if(logged.rbegin(), logged.rend(),
                                 [](const LiveEvent& event) { return event.what == queue_checked; });
  take(std::vector<LiveEvent>(last.base(), logged.end()));
}

void QueueCheck::take(const std::vector<LiveEvent>& events) {
  for (const LiveEvent& event : events) {
    if (is_end(event.what)) ended_.insert(event.job);
  }
}

std::optional<NightCheck> QueueCheck::due(
    const LiveBatch& queue, const std::function<std::optional<LiveJob>(const std::string&)>& archived,
    Time now) {
  if (!since_) since_ = now;
  if (ended_.empty()) {
    since_ = now;
    return std::nullopt;
  }
  const bool all_ended = std::all_of(queue.jobs.begin(), queue.jobs.end(),
                                     [](const LiveJob& job) { return has_ended(job.state); });
  const bool long_ago = now - *since_ >= std::chrono::hours(24) || ended_.size() >= most_unchecked;
  if (!all_ended && !long_ago) return std::nullopt;
  std::set<std::string> missing = ended_;
  LiveBatch checked;
  checked.name = queue.name;
  checked.began = queue.began;
  checked.endless = true;
  for (const LiveJob& job : queue.jobs) {
    if (missing.erase(job.id) > 0) checked.jobs.push_back(job);
  }
  for (const std::string& id : missing) {
    if (std::optional<LiveJob> job = archived(id)) checked.jobs.push_back(std::move(*job));
  }
  ended_.clear();
  since_ = now;
  return check_night(checked, {}, Time::min(), now);
}

}  // namespace wavewright
