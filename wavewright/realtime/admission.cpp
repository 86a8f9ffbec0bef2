#include "wavewright/realtime/admission.h"

#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr std::size_t most_between = 16, most_between_far = 256;  // jobs between two whose vectors are kept

std::vector<std::int64_t> sorted_ms(std::span<const Time> times) {
  std::vector<std::int64_t> sorted;
  sorted.reserve(times.size());
  for (const Time time : times) sorted.push_back(to_ms(time));
  // Ends come mostly in order.
  if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

AdmissionController::AdmissionController(SlotPool slots, Options options)
    : options_(options), first_{SlotTimes(slots.map_slots), SlotTimes(slots.reduce_slots)} {
  if (options.fewest_slots && (options.order != QueueOrder::started || options.feedback == Feedback::tasks))
    throw InternalError("limits of slots are lifted whenever tasks are placed anew");
  options_.defers = options.defers && options.feedback == Feedback::jobs && !options.fewest_slots &&
                    options.order == QueueOrder::started && options.threshold <= Duration{};
  leaves_estimates_ = options.defers && options.feedback == Feedback::tasks;
}

AdmissionController::Vectors AdmissionController::before(std::size_t place) const {
  std::size_t from = std::min(place, dirty_);  // what is kept behind that is of before
  while (from > 0 && !queue_[from - 1]->kept) --from;
  Vectors vectors = from == 0 ? first_ : *queue_[from - 1]->kept;
  for (; from < place; ++from) (void)this->place(*queue_[from], queue_[from]->from, vectors);
  return vectors;
}

Time AdmissionController::place_within(SlotPool limit, const Entry& entry, Time from,
                                       Vectors& vectors) const {
  if (limit.map_slots >= vectors.maps.slots() && limit.reduce_slots >= vectors.reduces.slots())
    return place_on(entry, from, vectors);
  Vectors its{vectors.maps.take_first(limit.map_slots), vectors.reduces.take_first(limit.reduce_slots)};
  const Time end = place_on(entry, from, its);
  vectors.maps.put_back(its.maps);
  vectors.reduces.put_back(its.reduces);
  return end;
}

// [UNL Algs 5.2, 5.3], or [UNL Alg. 5.6] where the actual ends are known.
Time AdmissionController::place_on(const Entry& entry, Time from, Vectors& vectors) const {
  if (entry.fed_back) {
    vectors.maps.replace_first(entry.map_ends);
    vectors.reduces.replace_first(entry.reduce_ends);
    return entry.end;
  }
  const AssignmentDelays& delays = options_.delays;
  const std::int64_t first = to_ms(delays.first);
  const std::int64_t begin = to_ms(from + delays.setup + entry.blocks_maps) + first;
  const std::int64_t begin_reduces = to_ms(from + delays.setup + entry.blocks_reduces) + first;
  const bool has_maps = entry.maps_left > 0 || entry.maps_end > 0;
  std::int64_t maps_end = has_maps ? entry.maps_end : begin;
  const Count near = std::min(entry.near_left, entry.maps_left);
  const auto place_maps = [&](Count maps, Duration length) {
    if (maps > 0) maps_end = std::max(maps_end, vectors.maps.place(maps, to_ms(length), begin));
  };
  place_maps(near, near_map_of(entry.job));
  place_maps(entry.maps_left - near, map_of(entry.job));
  if (maps_end >= latest) return time_of(maps_end);  // no slot
  const std::int64_t ready =
      has_maps ? std::max(maps_end + to_ms(delays.ready), begin_reduces) : begin_reduces;
  const std::int64_t end = vectors.reduces.place(entry.reduces_left, to_ms(reduce_of(entry.job)), ready);
  return time_of(std::max(entry.reduces_end, entry.reduces_left > 0 ? std::min(end, latest) : maps_end) +
                 to_ms(delays.commit));
}

void AdmissionController::keep_some(std::size_t place, const Vectors& vectors, std::size_t& since_kept) {
  // If feedback waits, vectors are needed mostly behind the jobs that have started.
  const bool is_far = options_.defers && place + most_between < started_;
  if (++since_kept >= (is_far ? most_between_far : most_between)) {
    queue_[place]->kept = vectors;
    since_kept = 0;
  } else {
    queue_[place]->kept.reset();
  }
}

void AdmissionController::estimate_from(std::size_t place, Time now) {
  set_from(place, now);
  evaluate_from(place);
}

void AdmissionController::evaluate(std::size_t place, std::size_t to) {
  Vectors vectors = before(place);
  std::size_t since_kept = 0;
  while (since_kept < place && !queue_[place - 1 - since_kept]->kept) ++since_kept;
  for (; place < to; ++place) {
    Entry& entry = *queue_[place];
    entry.end = this->place(entry, entry.from, vectors);
    keep_some(place, vectors, since_kept);
  }
}

void AdmissionController::estimate_until(std::size_t place) {
  if (dirty_ >= place) return;
  evaluate(dirty_, place);
  dirty_ = place < queue_.size() ? place : none;
}

void AdmissionController::estimate_rest() {
  if (dirty_ != none) evaluate_from(std::exchange(dirty_, none));
}

// Before the first job with a later deadline.
std::size_t AdmissionController::place_for(Time deadline, bool has_started) const {
  const auto waiting = queue_.begin() + static_cast<std::ptrdiff_t>(started_);
  const auto from = has_started ? queue_.begin() : waiting;
  const auto to = has_started ? waiting : queue_.end();
  const auto place =
      std::find_if(from, to, [&](const auto& entry) { return entry->job.deadline > deadline; });
  return static_cast<std::size_t>(place - queue_.begin());
}

std::optional<JobIndex> AdmissionController::delays(Vectors vectors, std::size_t place, Time now) {
  const std::size_t behind = queue_.size() - place;
  if (tried_.size() < behind) tried_.resize(behind);
  for (std::size_t i = 0; i < behind; ++i) {
    const Entry& next = *queue_[place + i];
    Tried& tried = tried_[i];
    const Time from = begins(next, now);
    tried.limit = next.limit;
    if (next.limit == no_limit) {
      tried.end = this->place(next, from, vectors);
    } else {
      tried.limit = limit_behind(next, from, vectors);
      tried.end = place_within(tried.limit, next, from, vectors);
    }
    if (tried.end > next.job.deadline) {
      bound_ends(now);
      if (is_surely_promised(place + i)) return next.job.job;
      estimate_rest();  // as it is without the new job
      if (is_promised(next)) return next.job.job;
    }
    if ((i + 1) % most_between == 0) tried.kept = vectors;
  }
  return std::nullopt;
}

// If slots become available at most d later, and no task of a job is placed from an instant on that is more
// than d later, the job ends at most d later, and so do the slots that it leaves become available: were each
// of these times just d later, all would be; and slots that are available sooner make nothing later.
bool AdmissionController::surely_delays_none(const Vectors& vectors, const Vectors& ahead, std::size_t place,
                                             Time now) const {
  if (options_.fewest_slots) return false;  // a job may then get other slots
  Duration later = most_later(vectors, ahead);
  if (bound_holds_ && within_holds_ && surely_end_in_time(place, later, now)) return true;
  if (dirty_ != none) return surely_end_in_time_coarsely(place, later);
  for (; place < queue_.size(); ++place) {
    const Entry& behind = *queue_[place];
    later = std::max(later, begins(behind, now) - behind.from);
    const Time end = behind.end + later;
    if (end >= time_of(latest) || (end > behind.job.deadline && is_promised(behind))) return false;
  }
  return true;
}

// After delays(): the jobs behind become what it tried. `vectors`: those of the job itself.
void AdmissionController::insert(std::unique_ptr<Entry> entry, std::size_t place, const Vectors& vectors,
                                 Time now) {
  estimate_until(place);
  entry->kept = vectors;
  for (std::size_t i = place; i < queue_.size(); ++i) {
    Entry& behind = *queue_[i];
    Tried& tried = tried_[i - place];
    behind.end = tried.end;
    behind.limit = tried.limit;
    behind.from = begins(behind, now);
    if ((i - place + 1) % most_between == 0) {
      std::swap(behind.kept, tried.kept);
    } else {
      behind.kept.reset();
    }
  }
  dirty_ = none;
  within_holds_ = false;
  put(place, std::move(entry));
}

// With a deadline behind that of the job before, and before that of the job behind, it takes each place. In
// order `any` it takes each place with every deadline.
std::optional<Time> AdmissionController::earliest_deadline(const Entry& entry, Time now) {
  std::optional<Vectors> coarse = coarse_before(started_);
  Vectors vectors = before(started_);
  const bool any = options_.order == QueueOrder::any;
  for (std::size_t place = started_;; ++place) {
    Vectors with = vectors;
    Time deadline = this->place(entry, now, with);
    if (deadline >= time_of(latest)) return std::nullopt;
    if (place > started_ && !any) deadline = std::max(deadline, queue_[place - 1]->job.deadline);
    if (deadline == Time::max()) return std::nullopt;
    const bool fits = any || place == queue_.size() || deadline < queue_[place]->job.deadline;
    if (fits && (surely_delays_none(with, vectors, place, now) ||
                 (coarse && surely_delays_none_coarsely(entry, *coarse, place, now)) ||
                 !delays(std::move(with), place, now)))
      return deadline;
    if (place == queue_.size()) return std::nullopt;
    (void)this->place(*queue_[place], queue_[place]->from, vectors);
    if (coarse) (void)this->place(*queue_[place], queue_[place]->from, *coarse);
  }
}

AdmissionAnswer AdmissionController::answer_at(std::size_t place, Entry& entry, Vectors& vectors, Time now) {
  entry.end = entry.promised = this->place(entry, now, vectors);
  AdmissionAnswer answer;
  const bool fits = entry.end < time_of(latest);
  answer.end = fits ? entry.end : Time::max();
  answer.accepted = fits && entry.end <= entry.job.deadline;
  if (!answer.accepted) return answer;
  answer.late = delays(vectors, place, now);
  answer.accepted = !answer.late;
  return answer;
}

std::optional<std::size_t> AdmissionController::any_place(Entry& entry, Vectors& vectors, Time now) {
  Vectors ahead = first_;
  for (std::size_t place = 0; place <= queue_.size(); ++place) {
    vectors = ahead;
    if (answer_at(place, entry, vectors, now).accepted) return place;
    if (entry.end > entry.job.deadline) return std::nullopt;  // farther behind it ends no earlier
    if (place < queue_.size()) (void)this->place(*queue_[place], queue_[place]->from, ahead);
  }
  return std::nullopt;
}

AdmissionAnswer AdmissionController::admit(const RealtimeJob& job, Time now) {
  auto entry = std::make_unique<Entry>(entry_of({job, now, {}}));
  entry->from = now;
  if (options_.order != QueueOrder::started && expects(now)) {
    catch_up();
    return admit_beside_expected(std::move(entry), now);
  }
  std::size_t place = place_for(job.deadline);
  AdmissionAnswer answer{.accepted = true};
  if (bound_holds_ && queue_.size() < 2 * caught_up_ + most_deferred &&
      admit_within_bound(entry, place, now, true))
    return answer;
  if (admit_coarsely(entry, place, now)) return {.accepted = true, .end = queue_[place]->end};
  if (dirty_ != none) {
    const bool is_renewed = catch_up_started();
    place = place_for(job.deadline);
    if (is_renewed && admit_within_bound(entry, place, now, false)) return answer;
    estimate_until(place);
  }
  Vectors vectors = before(place);
  if (options_.fewest_slots) entry->limit = fewest_slots(*entry, now, vectors);
  answer = answer_at(place, *entry, vectors, now);
  if (!answer.accepted && entry->limit != no_limit) {
    entry->limit = no_limit;
    vectors = before(place);
    answer = answer_at(place, *entry, vectors, now);
  }
  if (!answer.accepted && options_.order == QueueOrder::any) {
    if (const auto other = any_place(*entry, vectors, now)) {
      place = *other;
      answer = {.accepted = true, .end = entry->end};
    }
  }
  if (answer.accepted) {
    insert(std::move(entry), place, vectors, now);
  } else if (options_.tells_deadline) {
    answer.earliest_deadline = earliest_deadline(*entry, now);
  }
  return answer;
}

void AdmissionController::take(const RealtimeJob& job, Time now, std::optional<Time> start) {
  catch_up();
  bound_holds_ = false;
  auto entry = std::make_unique<Entry>(entry_of({job, now, start}));
  const bool is_fixed = start && options_.order == QueueOrder::started;
  const std::size_t place = place_for(job.deadline, is_fixed);
  put(place, std::move(entry));
  if (is_fixed) ++started_;
  estimate_from(place, now);
  queue_[place]->promised = queue_[place]->end;
}

std::vector<JobIndex> AdmissionController::started(JobIndex job, Time now) {
  const std::size_t place = place_of(job);
  Entry& entry = *queue_[place];
  std::vector<JobIndex> fixed;
  if (entry.start) return fixed;
  entry.start = now;
  if (options_.order != QueueOrder::started) return fixed;
  for (; started_ <= place; ++started_) {
    if (options_.defers) fix_in_bound(started_, now);
    fixed.push_back(numbers_[started_]);
  }
  if (!options_.defers) drop_ended();
  return fixed;
}

void AdmissionController::finished(JobIndex job, std::span<const Time> maps, std::span<const Time> reduces,
                                   Time now) {
  std::size_t place = place_of(job);
  if (!queue_[place]->start) {  // it took no slot
    catch_up();
    bound_holds_ = false;
    place = place_of(job);
    if (place < started_) --started_;
    (void)take_out(place);
    return estimate_from(place, now);
  }
  Entry& over = *queue_[place];
  over.ended = true;
  const Duration difference = over.promised > now ? over.promised - now : now - over.promised;
  if (options_.feedback == Feedback::jobs && (difference >= options_.threshold || now > over.job.deadline)) {
    over.fed_back = true;
    over.map_ends = sorted_ms(maps);
    over.reduce_ends = sorted_ms(reduces);
    if (options_.defers) {
      set_from(place, now);
      bound_holds_ = bound_holds_ && (place >= started_ || is_within_bound(over));
      return defer_from(place);
    }
    estimate_from(place, now);
  }
  drop_ended();
}

// The first jobs are not needed once they are over: only the vectors of the last one are. The last job that
// was started stays.
void AdmissionController::drop_ended() {
  std::size_t over = 0;
  while (over + 1 < started_ && queue_[over]->ended) ++over;
  if (over == 0) return;
  first_ = before(over);
  coarse_first_.reset();
  if (dirty_ != none) dirty_ -= std::min(dirty_, over);
  for (std::size_t i = 0; i < over; ++i) close(*queue_[i]);
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(over));
  numbers_.erase(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(over));
  started_ -= over;
}

}  // namespace wavewright
