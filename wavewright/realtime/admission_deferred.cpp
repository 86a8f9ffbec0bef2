// Feedback that waits until it matters. A bound of the vectors behind the started jobs is kept: the vectors
// as they would be if the feedback that waits had changed nothing. A job that is in time behind the bound,
// and makes no other late there, is in time behind the vectors themselves. Else they are made anew first:
// those of the started jobs, and those of the jobs that wait when an answer needs their estimates.
//
// The bound holds while no task ends later than its estimate in the bound, the k-th to end no later than the
// k-th there, and no job is placed later in the vectors than in the bound.
//
// Jobs that wait are not placed behind the bound for each answer, either. Once they have been, it is known
// how long after that instant each ends. That stays so at any later instant (Entry::within): then no slot of
// the bound, and no start, is later by more than the time that has passed. Where a new job makes slots
// available later by at most d, those behind it end later by at most d (surely_delays_none() says why).
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
// Sorted times, none below 0. Up to the one before, as it is rounded, they are rounded to the same.
std::vector<SlotTimes::Step> rounded_up(const std::vector<std::int64_t>& times, std::int64_t unit) {
  std::vector<SlotTimes::Step> steps;
  for (std::size_t i = 0; i < times.size();) {
    const std::int64_t at = (times[i] + unit - 1) / unit * unit;
    Count slots = 0;
    for (; i < times.size() && times[i] <= at; ++i) ++slots;
    steps.push_back({at, slots});
  }
  return steps;
}

}  // namespace

void AdmissionController::catch_up() {
  (void)catch_up_started();
  estimate_rest();
}

bool AdmissionController::catch_up_started() {
  if (dirty_ == none) return false;
  const bool is_behind = dirty_ < started_ || !bound_holds_;
  if (is_behind) drop_ended();  // how they ended is known without estimates
  estimate_until(started_);
  caught_up_ = queue_.size();
  if (!is_behind || !options_.defers) return false;
  renew_bound();
  return true;
}

void AdmissionController::renew_bound() {
  const std::int64_t unit = unit_of(options_.delays);
  Vectors bound{first_.maps.rounded_up(unit), first_.reduces.rounded_up(unit)};
  for (std::size_t i = 0; i < started_; ++i) {
    Entry& entry = *queue_[i];
    entry.bound_from = entry.from + slack(options_.delays);
    if (entry.fed_back) {
      if (entry.bound_maps.empty()) entry.bound_maps = rounded_up(entry.map_ends, unit);
      if (entry.bound_reduces.empty()) entry.bound_reduces = rounded_up(entry.reduce_ends, unit);
      bound.maps.replace_first(entry.bound_maps);
      bound.reduces.replace_first(entry.bound_reduces);
    } else {
      (void)this->place(entry, entry.bound_from, bound);
    }
  }
  within_holds_ = within_holds_ && bound_holds_;
  if (within_holds_) lengthen_within(started_, most_later(bound, bound_));
  bound_ = std::move(bound);
  bound_holds_ = true;
}

void AdmissionController::lengthen_within(std::size_t place, Duration later) {
  if (later == Duration{}) return;
  for (; place < queue_.size(); ++place) {
    Duration& within = queue_[place]->within;
    within = std::min(within + later, ms(latest));
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
  if (within_holds_) lengthen_within(place + 1, entry.bound_from - begins(entry, now));
}

// No task is placed before now any more, so that slots that are free by now are alike.
void AdmissionController::raise_bound(Time now) {
  bound_.maps.raise_to(to_ms(now));
  bound_.reduces.raise_to(to_ms(now));
}

// The least that the bound takes the ends of its tasks to be.
bool AdmissionController::is_within_bound(const Entry& entry) const {
  const Duration map =
      entry.near_left > 0 ? std::min(near_map_of(entry.job), map_of(entry.job)) : map_of(entry.job);
  const std::int64_t begin = to_ms(entry.bound_from + options_.delays.setup + options_.delays.first);
  const std::int64_t maps_end = begin + to_ms(map);
  const std::int64_t ready = entry.maps_left > 0 ? maps_end + to_ms(options_.delays.ready) : begin;
  const std::int64_t reduces_end = ready + to_ms(reduce_of(entry.job));
  const auto are_within = [](const std::vector<std::int64_t>& ends, Count tasks, std::int64_t last) {
    return ends.empty() || (static_cast<Count>(ends.size()) <= tasks && ends.back() <= last);
  };
  return are_within(entry.map_ends, entry.maps_left, maps_end) &&
         are_within(entry.reduce_ends, entry.reduces_left, reduces_end);
}

// True if the jobs from the place on surely end in time, also later by so much.
bool AdmissionController::surely_end_in_time(std::size_t place, Duration later, Time now) const {
  for (; place < queue_.size(); ++place) {
    const Entry& entry = *queue_[place];
    const Time end = now + entry.within + later;
    if (end > entry.job.deadline || end >= time_of(latest)) return false;
  }
  return true;
}

// The job at that place and all behind it, behind the bound: false if one might be late.
bool AdmissionController::admit_within_bound(std::unique_ptr<Entry>& entry, std::size_t place, Time now,
                                             bool places_all) {
  if (!places_all && !within_holds_) return false;
  raise_bound(now);
  Vectors& vectors = beyond_bound_;
  vectors = bound_;
  bool is_known = true;  // when those before the job end; of some that no slot holds it is not
  for (std::size_t i = started_; i < place; ++i) {
    Entry& ahead = *queue_[i];
    const Time end = this->place(ahead, begins(ahead, now), vectors);
    ahead.within = end - now;
    is_known = is_known && end < time_of(latest);
  }
  within_holds_ = within_holds_ && is_known;
  const bool has_behind = place < queue_.size();
  if (has_behind && place > started_) ahead_ = vectors;
  const Vectors& before_it = place > started_ ? ahead_ : bound_;
  entry->end = entry->promised = this->place(*entry, now, vectors);
  if (entry->end > entry->job.deadline || entry->end >= time_of(latest)) return false;
  const Duration later = within_holds_ && has_behind ? most_later(vectors, before_it) : Duration{};
  if (within_holds_ && surely_end_in_time(place, later, now)) {
    lengthen_within(place, later);
  } else {
    if (!places_all || !end_in_time_behind(vectors, place, now)) return false;
    for (std::size_t i = place; i < queue_.size(); ++i) {
      const Time end = tried_[i - place].end;
      queue_[i]->within = end - now;
      is_known = is_known && end < time_of(latest);
    }
    within_holds_ = is_known;
  }
  entry->within = entry->end - now;
  for (std::size_t i = place; i < queue_.size(); ++i) queue_[i]->from = begins(*queue_[i], now);
  put(place, std::move(entry));
  defer_from(place);
  return true;
}

// True if the jobs from the place on end in time behind these vectors. Then it leaves their ends in tried_.
bool AdmissionController::end_in_time_behind(Vectors& vectors, std::size_t place, Time now) {
  const std::size_t behind = queue_.size() - place;
  if (tried_.size() < behind) tried_.resize(behind);
  for (std::size_t i = 0; i < behind; ++i) {
    const Entry& next = *queue_[place + i];
    tried_[i].end = this->place(next, begins(next, now), vectors);
    if (tried_[i].end > next.job.deadline) return false;
  }
  return true;
}

}  // namespace wavewright
