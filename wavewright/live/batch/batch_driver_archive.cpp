// How the driver moves jobs that ended long ago to the archive, and the others up to their places.
#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wavewright/live/batch/batch_driver.h"

namespace wavewright {

void BatchDriver::archive() {
  constexpr Duration between = ms(10'000);
  if (!options_.keep_ended || (archived_at_ && clocks_.steady() - *archived_at_ < between)) return;
  archived_at_ = clocks_.steady();
  const std::set<std::size_t> places = to_archive();
  if (places.empty()) return;
  JournalEntry entry;
  for (const std::size_t place : places) entry.archived.push_back(batch_->jobs[place]);
  try {
    journal_.write(entry);
  } catch (...) {
    batch_.reset();  // it may be written or not
    throw;
  }
  for (const LiveJob& job : entry.archived) {
    ClientAttempt attempt = attempt_of(job);  // a copy
    for (attempt.number = 1; attempt.number <= job.attempts; ++attempt.number) cluster_.forget(attempt);
  }
  drop(places);
  std::move(entry.archived.begin(), entry.archived.end(), std::back_inserter(archived_to_take_));
}

// Places of the jobs that may leave, the earliest ended first, at most some hundred.
std::set<std::size_t> BatchDriver::to_archive() const {
  std::vector<std::pair<Time, std::size_t>> ended;
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (has_ended(states_[place])) ended.emplace_back(batch_->jobs[place].ended_at.value_or(Time{}), place);
  }
  std::sort(ended.begin(), ended.end());
  std::optional<std::unordered_set<std::size_t>> needed;
  const auto is_needed = [&](std::size_t one) {
    if (needed) return needed->contains(one);
    needed.emplace();
    for (std::size_t place = 0; place < states_.size(); ++place) {
      if (!has_ended(states_[place])) needed->insert(before_[place].begin(), before_[place].end());
    }
    return needed->contains(one);
  };
  const Time before = clocks_.wall() - *options_.keep_ended;
  constexpr std::size_t at_once = 500;
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < ended.size() && places.size() < at_once; ++i) {
    const bool too_many = ended.size() - i > options_.most_ended;
    if (!too_many && ended[i].first > before) break;
    const std::size_t place = ended[i].second;
    if (queued_[place] == 0 && !is_needed(place)) places.insert(place);
  }
  return places;
}

// Takes the jobs of these places out. All are written, and none is in the queue.
void BatchDriver::drop(const std::set<std::size_t>& places) {
  std::unordered_map<std::size_t, std::size_t> moved;
  std::size_t to = 0;
  for (std::size_t from = 0; from < batch_->jobs.size(); ++from) {
    if (places.contains(from)) {
      places_.erase(batch_->jobs[from].id);
      continue;
    }
    moved[from] = to;
    if (from != to) {
      batch_->jobs[to] = std::move(batch_->jobs[from]);
      written_[to] = std::move(written_[from]);
      waits_[to] = waits_[from];
      queued_[to] = queued_[from];
      profile_hashes_[to] = profile_hashes_[from];
      states_[to] = states_[from];
      deadlines_[to] = deadlines_[from];
    }
    places_[batch_->jobs[to].id] = to;
    ++to;
  }
  batch_->jobs.resize(to);
  written_.resize(to);
  waits_.resize(to);
  queued_.resize(to);
  profile_hashes_.resize(to);
  states_.resize(to);
  deadlines_.resize(to);
  find_before(0);
  batch_->added = static_cast<std::int64_t>(known_);
  touched_.clear();  // as all are as they were written
  std::deque<std::size_t> dispatched;
  for (const std::size_t place : dispatched_) {
    if (const auto now = moved.find(place); now != moved.end()) dispatched.push_back(now->second);
  }
  dispatched_ = std::move(dispatched);
  if (queue_) queue_->revise([&](WaitingJob& waiting) { waiting.index = moved.at(waiting.index); });
}

}  // namespace wavewright
