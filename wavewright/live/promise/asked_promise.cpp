#include "wavewright/live/promise/asked_promise.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "wavewright/realtime/counter_offer.h"

namespace wavewright {

AskedPromise::AskedPromise(LiveJobs jobs, const ProgressByJob& progress, const PromiseRules& rules,
                           const LiveJob& job, Time now)
    : jobs_(std::move(jobs)),
      progress_(progress),
      rules_(rules),
      job_(job),
      now_(now),
      beside_(jobs_, progress, rules, Readings::old, now),
      queue_(beside_.queue()),
      ends_(beside_.controller().estimates()) {
  for (std::size_t place = 0; place < queue_.size(); ++place) {
    if (queue_[place] != nullptr) places_.emplace(queue_[place], place);
  }
  if (is_there(job_)) {
    answer_ = worked_out_anew(*job_.deadline);
    return;
  }
  const auto harmed = [this](std::size_t place, Time end) { return is_harmed(place, end); };
  const auto trial =
      beside_.controller().try_at(place_for(*job_.deadline), taken(Time::max()), {}, harmed, now_);
  answer_.end = trial.end;
  late_place_ = trial.objects;
  if (late_place_) answer_.late = queue_[*late_place_]->id;
}

AskedPromise::Answer AskedPromise::worked_out_anew(Time deadline) const {
  LiveJob asked = job_;
  asked.deadline = deadline;
  LiveJobs with = jobs_;
  with.push_back(&asked);
  const PromiseStanding standing(with, progress_, rules_, Readings::old, now_);
  const LiveJobs queue = standing.queue();
  const std::vector<Time> ends = standing.controller().estimates();
  Answer answer;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] == &asked) answer.end = ends[i];
    const auto place = places_.find(queue[i]);
    if (place != places_.end() && answer.late.empty() && is_harmed(place->second, ends[i]))
      answer.late = queue[i]->id;
  }
  return answer;
}

std::size_t AskedPromise::place_for(Time deadline) const {
  const auto goes_first = [deadline](const LiveJob* job) {
    return job != nullptr && job->promise && *job->deadline <= deadline;
  };
  return static_cast<std::size_t>(std::partition_point(queue_.begin(), queue_.end(), goes_first) -
                                  queue_.begin());
}

AdmissionController::Taken AskedPromise::taken(Time deadline) const {
  AdmissionController::Taken taken = beside_.taken(job_);
  taken.job.deadline = deadline;
  return taken;
}

bool AskedPromise::is_harmed(std::size_t place, Time end) const {
  const LiveJob* const its = queue_[place];
  return its != nullptr && its->promise && end > *its->deadline && end > ends_[place] && !is_lost(place);
}

bool AskedPromise::is_lost(std::size_t place) const {
  if (!lost_) {
    lost_.emplace();
    for (const PromisedEnd& each : PromiseStanding(jobs_, progress_, rules_, Readings::fresh, now_).ends()) {
      if (each.at_risk) lost_->insert(each.job);
    }
  }
  return lost_->contains(queue_[place]->id);
}

bool AskedPromise::anybody_late() const {
  for (std::size_t place = 0; place < queue_.size(); ++place) {
    const LiveJob* const its = queue_[place];
    if (its != nullptr && its->promise && (ends_[place] > *its->deadline || is_lost(place))) return true;
  }
  return false;
}

std::optional<Time> AskedPromise::earliest_deadline() const {
  if (!is_there(job_)) {
    const auto harmed = [this](std::size_t place, Time end) { return is_harmed(place, end); };
    return beside_.controller().earliest_deadline(taken(now_ + never_ends - ms(1)), harmed, now_);
  }
  std::vector<Time> deadlines;
  for (const LiveJob* const each : queue_) {
    if (each != nullptr && each->promise) deadlines.push_back(*each->deadline);
  }
  for (std::size_t place = 0; place <= deadlines.size(); ++place) {
    const Time least = place == 0 ? now_ : std::max(now_, deadlines[place - 1]);
    const Answer answer = worked_out_anew(least);
    const Time deadline = std::max(answer.end, least);
    const bool fits = place == deadlines.size() || deadline < deadlines[place];
    if (fits && answer.late.empty() && deadline < now_ + never_ends) return deadline;
  }
  return std::nullopt;
}

std::optional<SlotPool> AskedPromise::lacks() const {
  const SlotPool own{job_.bounds->maps, job_.bounds->reduces};
  SlotPool all = own;
  for (const LiveJob* const job : jobs_) {
    if (!job->bounds || has_ended(job->state)) continue;
    all.map_slots += job->bounds->maps;
    all.reduce_slots += job->bounds->reduces;
  }
  return fewest_further_slots(own, all, [this](SlotPool further) {
    PromiseRules more = rules_;
    more.slots.map_slots += further.map_slots;
    more.slots.reduce_slots += further.reduce_slots;
    return AskedPromise(jobs_, progress_, more, job_, now_).is_in_time();
  });
}

// ---- without some promised jobs

AskedPromise::Places AskedPromise::last_due_first() const {
  Places places;
  for (std::size_t place = 0; place < queue_.size(); ++place) {
    if (queue_[place] != nullptr && queue_[place]->promise) places.push_back(place);
  }
  std::sort(places.begin(), places.end(), [this](std::size_t a, std::size_t b) {
    const LiveJob &one = *queue_[a], &other = *queue_[b];
    return std::tie(*one.deadline, one.id) > std::tie(*other.deadline, other.id);
  });
  return places;
}

std::vector<std::string> AskedPromise::give_way() const {
  const Places by_deadline = last_due_first();
  const Places several = fewest_to_give_way(
      by_deadline, [this](const Places& places) { return in_time_without(places); },
      [&] { return fewest_from_the_last(by_deadline); });
  std::vector<std::string> jobs;
  for (const std::size_t place : several) jobs.push_back(queue_[place]->id);
  return jobs;
}

// So many of them do, at least two; 0 if not even all do.
std::size_t AskedPromise::fewest_from_the_last(const Places& by_deadline) const {
  const std::span<const std::size_t> all(by_deadline);
  const auto do_it = [&](std::size_t count) {
    return in_time_without(Places(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)));
  };
  for (std::size_t low = 2, high = 2; low <= all.size(); low = high + 1) {
    // Up to `high` no further one of them is there.
    for (high = low; high < all.size() && !is_there(*queue_[all[high]]);) ++high;
    const Places there = those_there(all.first(low));
    // With nobody late whatever is asked, it helps or does nothing that one more gives way.
    const bool is_monotone = !is_there(job_) && !without_those_there(there).anybody_late();
    if (const std::size_t count = least_number(low, high, is_monotone, do_it); count > 0) return count;
  }
  return 0;
}

bool AskedPromise::in_time_without(const Places& places) const {
  if (is_there(job_)) return asked_without(places).is_in_time();
  const Places there = those_there(places);
  if (there.empty()) return tried_without(places);
  const AskedPromise& rest = without_those_there(there);
  Places others;
  for (const std::size_t place : places) {
    if (!is_there(*queue_[place])) others.push_back(rest.places_.at(queue_[place]));
  }
  return rest.tried_without(std::move(others));
}

bool AskedPromise::tried_without(Places places) const {
  if (places.empty()) return is_in_time();
  std::sort(places.begin(), places.end());
  const std::size_t place = place_for(*job_.deadline);
  // What is behind it is in nobody's way.
  if (answer_.end > *job_.deadline && places.front() >= place) return false;
  if (late_place_ && places.front() > *late_place_) return false;
  // Without some jobs, nobody ends later. So whoever was not late and is now is harmed; of others it must be
  // known when they would end without the job.
  bool is_known = true;
  const auto harmed = [&](std::size_t at, Time end) {
    const LiveJob* const its = queue_[at];
    if (its == nullptr || !its->promise || end <= *its->deadline) return false;
    is_known = ends_[at] <= *its->deadline && !is_lost(at);
    return true;
  };
  const auto trial = beside_.controller().try_at(place, taken(*job_.deadline), places, harmed, now_);
  if (!is_known) return asked_without(places).is_in_time();
  return trial.end <= *job_.deadline && !trial.objects;
}

AskedPromise AskedPromise::asked_without(const Places& places) const {
  std::unordered_set<const LiveJob*> gone;
  for (const std::size_t place : places) gone.insert(queue_[place]);
  LiveJobs fewer;
  for (const LiveJob* const each : jobs_) {
    if (!gone.contains(each)) fewer.push_back(each);
  }
  return {std::move(fewer), progress_, rules_, job_, now_};
}

AskedPromise::Places AskedPromise::those_there(std::span<const std::size_t> places) const {
  Places there;
  for (const std::size_t place : places) {
    if (is_there(*queue_[place])) there.push_back(place);
  }
  return there;
}

const AskedPromise& AskedPromise::without_those_there(const Places& there) const {
  if (there.empty()) return *this;
  if (!without_there_ || there_ != there) {
    there_ = there;
    without_there_ = std::make_unique<AskedPromise>(asked_without(there));
  }
  return *without_there_;
}

}  // namespace wavewright
