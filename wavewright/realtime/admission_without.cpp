// A copy of an admission controller without some of its jobs.
#include <algorithm>
#include <vector>

#include "wavewright/realtime/admission.h"

namespace wavewright {

AdmissionController AdmissionController::without(std::span<const JobIndex> gone) const {
  std::vector<JobIndex> sorted(gone.begin(), gone.end());
  std::sort(sorted.begin(), sorted.end());
  AdmissionController rest(SlotPool{}, options_);
  rest.options_.tells_deadline = false;
  for (std::size_t place = 0; place < queue_.size(); ++place) {
    const Entry& entry = *queue_[place];
    if (std::binary_search(sorted.begin(), sorted.end(), entry.job.job)) continue;
    if (place < started_) ++rest.started_;
    rest.queue_.push_back(std::make_unique<Entry>(entry));
    rest.queue_.back()->kept.reset();
  }
  rest.number_all();
  return rest;
}

}  // namespace wavewright
