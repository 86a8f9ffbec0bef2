// Answers behind vectors of fewer steps, where all tasks are placed anew for each answer. Where thousands of
// tasks run, the vectors have about as many steps, and jobs are placed behind them slowly. Let each slot be
// available a little later, at one of few instants: all ends are then the same or later. So if all jobs end
// in time there, they do behind the vectors themselves. Else the answer is found as without this.
#include <algorithm>
#include <utility>

#include "wavewright/realtime/admission.h"

namespace wavewright {

namespace {

// Each slot is available the same time or later, at so many instants or one more.
SlotTimes coarse(const SlotTimes& times, std::size_t instants) {
  const std::span<const SlotTimes::Step> steps = times.steps();
  if (steps.size() <= instants) return times;
  const std::int64_t apart = (steps.back().at - steps.front().at) / static_cast<std::int64_t>(instants);
  return times.rounded_up(std::max<std::int64_t>(1, apart));
}

}  // namespace

void AdmissionController::make_coarse() {
  coarse_first_.reset();
  if (first_.maps.steps().size() + first_.reduces.steps().size() <= options_.exact_steps) return;
  const std::size_t instants = std::max<std::size_t>(1, options_.exact_steps / 4);
  coarse_first_ = {coarse(first_.maps, instants), coarse(first_.reduces, instants)};
}

std::optional<AdmissionController::Vectors> AdmissionController::coarse_before(std::size_t place) const {
  if (!leaves_estimates_ || dirty_ == none || !coarse_first_) return std::nullopt;
  Vectors vectors = *coarse_first_;
  for (std::size_t i = 0; i < place; ++i) (void)this->place(*queue_[i], queue_[i]->from, vectors);
  return vectors;
}

bool AdmissionController::surely_delays_none_coarsely(const Entry& entry, Vectors ahead, std::size_t place,
                                                      Time now) {
  (void)this->place(entry, now, ahead);
  return end_in_time_behind(ahead, place, now);
}

bool AdmissionController::admit_coarsely(std::unique_ptr<Entry>& entry, std::size_t place, Time now) {
  end_bounds_.clear();
  least_room_.clear();
  std::optional<Vectors> ahead = coarse_before(place);
  if (!ahead) return false;
  Vectors& vectors = *ahead;
  entry->end = entry->promised = this->place(*entry, now, vectors);
  if (entry->end > entry->job.deadline || entry->end >= time_of(latest)) return false;
  if (!end_in_time_behind(vectors, place, now)) return false;
  for (std::size_t i = place; i < queue_.size(); ++i) queue_[i]->from = begins(*queue_[i], now);
  put(place, std::move(entry));
  defer_from(place);
  return true;
}

void AdmissionController::bound_ends(Time now) {
  if (!leaves_estimates_ || dirty_ == none || !coarse_first_ || !end_bounds_.empty()) return;
  Vectors vectors = *coarse_first_;
  end_bounds_.reserve(queue_.size());
  for (const auto& entry : queue_) end_bounds_.push_back(this->place(*entry, begins(*entry, now), vectors));
  Duration least = Duration::max();
  least_room_.assign(queue_.size() + 1, least);
  for (std::size_t i = queue_.size(); i-- > 0;) {
    least = std::min(least, std::min(queue_[i]->job.deadline, time_of(latest - 1)) - end_bounds_[i]);
    least_room_[i] = least;
  }
}

bool AdmissionController::is_surely_promised(std::size_t place) const {
  return place < end_bounds_.size() && is_promised(queue_[place]->job, end_bounds_[place]);
}

}  // namespace wavewright
