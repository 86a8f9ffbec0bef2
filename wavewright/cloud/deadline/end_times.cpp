#include "wavewright/cloud/deadline/end_times.h"

#include <algorithm>

namespace wavewright {

void EndTimes::add(Time at) {
  ++count_;
  if (groups_.empty() || groups_.back().at < at) {
    groups_.push_back({at, 1});
    return;
  }
  const auto found = std::ranges::lower_bound(groups_, at, {}, &Group::at);
  if (found->at != at) {
    groups_.insert(found, {at, 1});
  } else if (found->count++ == 0) {
    --unused_;
  }
}

void EndTimes::remove(Time at) {
  --count_;
  const auto found = std::ranges::lower_bound(groups_, at, {}, &Group::at);
  if (--found->count > 0) return;
  ++unused_;
  while (!groups_.empty() && groups_.back().count == 0) {
    groups_.pop_back();
    --unused_;
  }
  if (2 * unused_ > groups_.size()) drop_unused();
}

void EndTimes::drop_unused() {
  std::erase_if(groups_, [](const Group& group) { return group.count == 0; });
  unused_ = 0;
}

}  // namespace wavewright
