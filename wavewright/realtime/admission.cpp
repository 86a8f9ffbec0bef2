#include "wavewright/realtime/admission.h"

#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

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
// order `any` it takes each place with every deadline. Farther behind it ends no earlier, so that places are
// passed over before whose jobs it cannot be due.
std::optional<Time> AdmissionController::earliest_deadline(const Entry& entry, Time now) {
  const bool any = options_.order == QueueOrder::any;
  std::optional<Vectors> coarse = coarse_before(started_);
  Vectors own;
  const Vectors* ahead = kept_before(started_);  // or `own`
  if (ahead == nullptr) {
    own = before(started_);
    ahead = &own;
  }
  for (std::size_t place = started_;;) {
    std::optional<Vectors> with;
    std::optional<Time> end = end_behind(entry, now, *ahead);
    if (!end) {
      with = *ahead;
      end = this->place(entry, now, *with);
    }
    Time deadline = *end;
    if (deadline >= time_of(latest)) return std::nullopt;
    if (place > started_ && !any) deadline = std::max(deadline, queue_[place - 1]->job.deadline);
    if (deadline == Time::max()) return std::nullopt;
    if (place == queue_.size()) return deadline;
    if (any || deadline < queue_[place]->job.deadline) {
      if (!with) {
        with = *ahead;
        (void)this->place(entry, now, *with);
      }
      if (surely_delays_none(*with, *ahead, place, now) ||
          (coarse && surely_delays_none_coarsely(entry, *coarse, place, now)) ||
          !delays(std::move(*with), place, now))
        return deadline;
    }
    std::size_t next = place + 1;
    while (!any && next < queue_.size() &&
           std::max(*end, queue_[next - 1]->job.deadline) >= queue_[next]->job.deadline)
      ++next;
    std::size_t from = next;
    while (from > place && kept_before(from) == nullptr) --from;
    if (from > place) ahead = kept_before(from);
    for (; from < next; ++from) {
      if (ahead != &own) own = *std::exchange(ahead, &own);
      (void)this->place(*queue_[from], queue_[from]->from, own);
    }
    for (; coarse && place < next; ++place) (void)this->place(*queue_[place], queue_[place]->from, *coarse);
    place = next;
  }
}

AdmissionAnswer AdmissionController::answer_at(std::size_t place, Entry& entry, Vectors& vectors, Time now) {
  entry.end = entry.promised = this->place(entry, now, vectors);
  AdmissionAnswer answer;
  const bool fits = entry.end < time_of(latest);
  answer.end = fits ? entry.end : Time::max();
  answer.accepted = fits && entry.end <= entry.job.deadline;
  if (!answer.accepted) return answer;
  if (place < queue_.size()) answer.late = delays(vectors, place, now);
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
  if (!options_.fewest_slots && options_.order != QueueOrder::any) {
    const Vectors* const ahead = kept_before(place);
    const std::optional<Time> end = ahead == nullptr ? std::nullopt : end_behind(*entry, now, *ahead);
    if (end && (*end > job.deadline || *end >= time_of(latest))) {
      const bool fits = *end < time_of(latest);
      answer = {.accepted = false, .end = fits ? *end : Time::max()};
      if (options_.tells_deadline) answer.earliest_deadline = earliest_deadline(*entry, now);
      return answer;
    }
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
