// Feedback that waits until it matters. A bound of the vectors behind the started jobs is kept: the vectors
// as they would be if the feedback that waits had changed nothing. A job that is in time behind the bound,
// and makes no other late there, is in time behind the vectors themselves. Else they are made anew first.
//
// The bound holds while no task ends later than its estimate in the bound, the k-th to end no later than the
// k-th there, and no job is placed later in the vectors than in the bound.
#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/realtime/admission.h"

namespace wavewright {

namespace {

// Later by so much, ends that come a little late do not break the bound.
Duration slack(const AssignmentDelays& delays) {
  return delays.first + std::max(delays.map, delays.reduce);
}

// Times of the bound are rounded up, for fewer steps: to half of what a report may take.
std::int64_t unit_of(const AssignmentDelays& delays) {
  return std::max<std::int64_t>(1, to_ms(delays.first) / 2);
}
std::int64_t rounded_up(std::int64_t at, std::int64_t unit) {
  return (at + unit - 1) / unit * unit;
}
std::vector<std::int64_t> rounded_up(std::vector<std::int64_t> times, std::int64_t unit) {
  for (std::int64_t& at : times) at = rounded_up(at, unit);
  return times;
}
SlotTimes rounded_up(const SlotTimes& slots, std::int64_t unit) {
  std::vector<std::int64_t> times;
  for (const SlotTimes::Step& step : slots.steps())
    times.insert(times.end(), static_cast<std::size_t>(step.slots), rounded_up(step.at, unit));
  return SlotTimes(std::move(times));
}

}  // namespace

void AdmissionController::catch_up() {
  if (dirty_ == none) return;
  const std::size_t place = std::exchange(dirty_, none);
  evaluate_from(place);
  drop_ended();
  caught_up_ = queue_.size();
  bound_holds_ = options_.defers;
  if (!bound_holds_) return;
  const std::int64_t unit = unit_of(options_.delays);
  bound_ = {rounded_up(first_.maps, unit), rounded_up(first_.reduces, unit)};
  for (std::size_t i = 0; i < started_; ++i) {
    Entry& entry = *queue_[i];
    entry.bound_from = entry.from + slack(options_.delays);
    if (entry.fed_back) {
      bound_.maps.replace_first(rounded_up(entry.map_ends, unit));
      bound_.reduces.replace_first(rounded_up(entry.reduce_ends, unit));
    } else {
      (void)this->place(entry, entry.bound_from, bound_);
    }
  }
}

void AdmissionController::need_caught_up() const {
  if (dirty_ != none) throw InternalError("ask for estimates after catch_up()");
}

void AdmissionController::defer_from(std::size_t place) {
  dirty_ = std::min(dirty_, place);
}

// As evaluate_from() would find them. The starts of most jobs are known, and their entries are not looked at.
void AdmissionController::set_from(std::size_t place, Time now) {
  std::size_t left = open_;
  for (std::size_t i = queue_.size(); i-- > place && left > 0;) {
    Entry& entry = *queue_[i];
    if (entry.is_from_final) continue;
    --left;
    entry.from = begins(entry, now);
    if (entry.start) close(entry);
    if (i < started_ && entry.from > entry.bound_from) bound_holds_ = false;
  }
}

void AdmissionController::close(Entry& entry) {
  if (!std::exchange(entry.is_from_final, true)) --open_;
}

// The job and those before it go before all others from now on: the bound is one behind them.
void AdmissionController::fix_in_bound(std::size_t place, Time now) {
  Entry& entry = *queue_[place];
  entry.bound_from = std::max(entry.from, begins(entry, now)) + slack(options_.delays);
  if (!entry.start) bound_holds_ = false;  // it is placed later the later it starts
  if (!bound_holds_) return;
  raise_bound(now);
  (void)this->place(entry, entry.bound_from, bound_);
}

// No task is placed before now any more, so that slots that are free by now are alike.
void AdmissionController::raise_bound(Time now) {
  bound_.maps.raise_to(to_ms(now));
  bound_.reduces.raise_to(to_ms(now));
}

// The least that the bound takes the ends of its tasks to be.
bool AdmissionController::is_within_bound(const Entry& entry) const {
  const std::int64_t first = to_ms(options_.delays.first);
  const Duration map =
      entry.near_left > 0 ? std::min(near_map_of(entry.job), map_of(entry.job)) : map_of(entry.job);
  const std::int64_t maps_end = to_ms(entry.bound_from + options_.delays.setup + map) + first;
  const std::int64_t ready = entry.maps_left > 0 ? maps_end : maps_end - to_ms(map) - first;
  const std::int64_t reduces_end = ready + first + to_ms(reduce_of(entry.job));
  const auto are_within = [](const std::vector<std::int64_t>& ends, Count tasks, std::int64_t last) {
    return ends.empty() || (static_cast<Count>(ends.size()) <= tasks && ends.back() <= last);
  };
  return are_within(entry.map_ends, entry.maps_left, maps_end) &&
         are_within(entry.reduce_ends, entry.reduces_left, reduces_end);
}

// The job at that place and all behind it, behind the bound: false if one might be late.
bool AdmissionController::admit_within_bound(std::unique_ptr<Entry>& entry, std::size_t place, Time now) {
  raise_bound(now);
  Vectors& vectors = beyond_bound_;
  vectors = bound_;
  for (std::size_t i = started_; i < place; ++i)
    (void)this->place(*queue_[i], begins(*queue_[i], now), vectors);
  entry->end = entry->promised = this->place(*entry, now, vectors);
  if (entry->end > entry->job.deadline || entry->end >= time_of(latest)) return false;
  for (std::size_t i = place; i < queue_.size(); ++i) {
    const Entry& behind = *queue_[i];
    if (this->place(behind, begins(behind, now), vectors) > behind.job.deadline) return false;
  }
  for (std::size_t i = place; i < queue_.size(); ++i) queue_[i]->from = begins(*queue_[i], now);
  put(place, std::move(entry));
  defer_from(place);
  return true;
}

}  // namespace wavewright
