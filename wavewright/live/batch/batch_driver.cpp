#include "wavewright/live/batch/batch_driver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright {

namespace {

// What a machine has sent to a cluster that is away, it sends again at growing intervals: each at most as
// long as all before it together, and at most this (TCP's TCP_RTO_MAX).
constexpr Duration longest_interval = ms(120'000);

}  // namespace

BatchDriver::BatchDriver(Journal& journal, ClusterDriver& cluster, Clocks& clocks, DriverOptions options)
    : journal_(journal), cluster_(cluster), clocks_(clocks), options_(options) {}

void BatchDriver::step() {
  note_clocks();
  const Duration began = clocks_.steady();
  // Who hangs gives no error, neither in a step nor where its caller asks the same store between two steps.
  if (stepped_at_ && began - *stepped_at_ >= options_.slow)
    tell_of_batch("Slow", "nobody looked at the jobs for " + format_duration(began - *stepped_at_));
  try {
    advance();
  } catch (const ExternalError& error) {
    stepped_at_ = clocks_.steady();
    note_outage(error);
    throw;
  }
  stepped_at_ = clocks_.steady();
  const Duration took = *stepped_at_ - began;
  if (took >= options_.slow) tell_of_batch("Slow", "a look at the jobs took " + format_duration(took));
}

void BatchDriver::advance() {
  if (batch_) {
    journal_.beat();
  } else {
    begin();
  }
  take_added();
  grant_wishes();
  asked_at_ = clocks_.steady();
  Applications seen;
  try {
    seen = cluster_.applications(batch_->tag);
  } catch (const ExternalError&) {
    no_answer_ = true;
    for (LiveJob& job : batch_->jobs) {
      if (!has_begun(job.state) || job.cluster_away) continue;
      job.cluster_away = true;
      touched_.insert(places_.at(job.id));
    }
    note_late();
    write();
    throw;
  }
  note_gap();
  note_cluster(seen.mark);
  follow_all(seen);
  cancel_what_cannot_begin();
  note_late();
  if (!unseen_ && outage_) {
    tell_of_batch("Back", "after " + format_duration(clocks_.steady() - outage_->since));
    outage_.reset();
  }
  write();
  archive();
  if (unseen_) throw ExternalError(*unseen_);
  if (queue_) dispatch();
  while (may_submit()) {
    LiveJob* next = next_ready();
    if (next == nullptr) return;
    intend(*next, seen.mark);
    write();
    start(*next);
  }
}

void BatchDriver::start(LiveJob& job) {
  try {
    cluster_.start(attempt_of(job), job.command);
  } catch (const ExternalError& error) {  // it may be started or not; the next step looks
    tell(job.id, "NotStarted", error.what());
    throw;
  }
}

// What gives no answer is told when it begins, and once.
void BatchDriver::note_outage(const ExternalError& error) {
  if (outage_ && outage_->what == error.where().source) return;
  const Duration since = outage_ ? outage_->since : clocks_.steady();
  outage_ = {since, error.where().source};
  tell_of_batch("Away", error.what());
}

void BatchDriver::note_clocks() {
  const Duration ahead = clocks_.wall() - Time{} - clocks_.steady();
  const Duration jump = ahead - wall_ahead_.value_or(ahead);
  wall_ahead_ = ahead;
  if (jump >= options_.jump) tell_of_batch("ClockJumped", "forward by " + format_duration(jump));
  if (-jump >= options_.jump) tell_of_batch("ClockJumped", "back by " + format_duration(-jump));
}

// A ResourceManager that has just taken over may not yet be alone in answering: waits begin anew.
void BatchDriver::note_cluster(const ListMark& mark) {
  const auto before = std::exchange(mark_, mark);
  if (!before || before->same_run_as(mark)) return;
  tell_of_batch("ClusterRestarted",
                before->incarnation == mark.incarnation ? "" : "it has forgotten its applications");
  for (const LiveJob& job : batch_->jobs) {
    if (!has_begun(job.state)) continue;
    waits_of(job).settled = {};
    waits_of(job).answered.reset();  // the answers before this one were of another ResourceManager
  }
}

void BatchDriver::note_late() {
  const Time now = clocks_.wall();
  for (LiveJob& job : batch_->jobs) {
    if (job.late || !job.deadline) continue;
    const Time until = has_ended(job.state) ? job.ended_at.value_or(now) : now;
    if (until <= *job.deadline || job.state == LiveState::cancelled) continue;
    job.late = true;
    tell(job.id, "Late", "its deadline was " + format_instant(*job.deadline));
  }
}

void BatchDriver::begin() {
  batch_ = journal_.lead();
  places_.clear();
  waits_.clear();
  written_.clear();
  known_ = std::max(batch_->jobs.size(), static_cast<std::size_t>(batch_->added));
  for (std::size_t place = 0; place < batch_->jobs.size(); ++place) remember(batch_->jobs[place], place);
  for (const LiveJob& job : batch_->jobs) {
    if (!has_begun(job.state)) continue;
    Waits& waits = waits_of(job);
    waits.away = away_before_now(job);
    waits.sent = clocks_.steady() - waits.away;
  }
  touched_.clear();
  to_write_.clear();
  granted_.clear();
  const std::string machine = cluster_.machine();
  tell_of_batch("Led", "on " + machine.substr(0, machine.find('/')));
  queue_.reset();
  queued_.clear();
  dispatched_.clear();
  if (!batch_->ordering) return;
  queue_began_ = clocks_.steady();
  queue_.emplace(make_reorder_policy(batch_->ordering->when), engine_of(*batch_->ordering));
}

// So long the cluster may have been away since the job's command was to be started, when nobody looked.
Duration BatchDriver::away_before_now(const LiveJob& job) {
  const Duration since = clocks_.wall() - *job.submitting_since;
  return since < Duration{} ? longest_interval : std::min(since, longest_interval);
}

// Between two lists the cluster may have been away. If it is known to have been, what met no cluster may have
// been tried since it was first sent.
void BatchDriver::note_gap() {
  const Duration now = clocks_.steady();
  const Duration gap = now - asked_before_.value_or(asked_at_);
  for (const LiveJob& job : batch_->jobs) {
    if (!has_begun(job.state)) continue;
    Waits& waits = waits_of(job);
    const Duration away = no_answer_ ? waits.settled + std::min(now - waits.sent, longest_interval)
                                     : std::min(gap, longest_interval);
    waits.away = std::max(waits.away, away);
  }
  asked_before_ = asked_at_;
  no_answer_ = false;
}

void BatchDriver::remember(const LiveJob& job, std::size_t place) {
  places_[job.id] = place;
  waits_.emplace_back();
  written_.push_back(job);
  jobs_to_take_.push_back(job);
}

void BatchDriver::take_added() {
  for (LiveJob& job : journal_.added(known_)) {
    remember(job, batch_->jobs.size());
    ++known_;
    to_take_.push_back({clocks_.wall(), job.id, "Added", ""});  // the journal has it
    batch_->jobs.push_back(std::move(job));
  }
}

void BatchDriver::follow_all(const Applications& seen) {
  unseen_.reset();
  history_away_ = false;
  listed_.clear();
  for (const Application& each : seen.list) {
    for (const std::string& tag : each.tags) listed_[tag].push_back(&each);
  }
  for (std::size_t place = 0; place < batch_->jobs.size(); ++place) {
    LiveJob& job = batch_->jobs[place];
    if (!has_begun(job.state)) continue;
    LiveJob followed = job;
    const std::size_t told = to_write_.size();
    try {
      follow(followed, seen.mark);
    } catch (...) {  // a witness could not be asked: the job is as it was
      to_write_.resize(told);
      throw;
    }
    job = std::move(followed);
    touched_.insert(place);
  }
}

bool BatchDriver::finished() const {
  return batch_ && std::all_of(batch_->jobs.begin(), batch_->jobs.end(),
                               [](const LiveJob& job) { return has_ended(job.state); });
}

std::vector<LiveEvent> BatchDriver::take_events() {
  return std::exchange(to_take_, {});
}

std::vector<LiveJob> BatchDriver::take_archived() {
  return std::exchange(archived_to_take_, {});
}

std::vector<LiveJob> BatchDriver::take_jobs() {
  return std::exchange(jobs_to_take_, {});
}

// Moves jobs that ended long ago to the archive.
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
    ClientAttempt attempt = attempt_of(job);
    for (attempt.number = 1; attempt.number <= job.attempts; ++attempt.number) cluster_.forget(attempt);
  }
  drop(places);
  std::move(entry.archived.begin(), entry.archived.end(), std::back_inserter(archived_to_take_));
}

// Places of the jobs that may leave, the earliest ended first, at most some hundred.
std::set<std::size_t> BatchDriver::to_archive() const {
  std::unordered_set<std::string> needed;
  std::vector<std::pair<Time, std::size_t>> ended;
  for (std::size_t place = 0; place < batch_->jobs.size(); ++place) {
    const LiveJob& job = batch_->jobs[place];
    if (has_ended(job.state)) {
      ended.emplace_back(job.ended_at.value_or(Time{}), place);
    } else {
      needed.insert(job.after.begin(), job.after.end());
    }
  }
  std::sort(ended.begin(), ended.end());
  const Time before = clocks_.wall() - *options_.keep_ended;
  constexpr std::size_t at_once = 500;
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < ended.size() && places.size() < at_once; ++i) {
    const bool too_many = ended.size() - i > options_.most_ended;
    if (!too_many && ended[i].first > before) break;
    const std::size_t place = ended[i].second;
    if (!queued_.contains(place) && !needed.contains(batch_->jobs[place].id)) places.insert(place);
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
    }
    places_[batch_->jobs[to].id] = to;
    ++to;
  }
  batch_->jobs.resize(to);
  written_.resize(to);
  waits_.resize(to);
  batch_->added = static_cast<std::int64_t>(known_);
  touched_.clear();  // as all are as they were written
  std::unordered_set<std::size_t> queued;
  for (const std::size_t place : queued_) {
    if (const auto now = moved.find(place); now != moved.end()) queued.insert(now->second);
  }
  queued_ = std::move(queued);
  std::deque<std::size_t> dispatched;
  for (const std::size_t place : dispatched_) {
    if (const auto now = moved.find(place); now != moved.end()) dispatched.push_back(now->second);
  }
  dispatched_ = std::move(dispatched);
}

void BatchDriver::tell(const std::string& job, const char* what, std::string detail) {
  to_write_.push_back({clocks_.wall(), job, what, std::move(detail)});
  touched_.insert(places_.at(job));
}

void BatchDriver::tell_of_batch(const char* what, std::string detail) {
  of_batch_.push_back({clocks_.wall(), "", what, std::move(detail)});
}

void BatchDriver::write() {
  JournalEntry entry{{}, of_batch_, granted_};
  entry.events.insert(entry.events.end(), to_write_.begin(), to_write_.end());
  for (const std::size_t place : touched_) {
    if (batch_->jobs[place] != written_[place]) entry.jobs.push_back(batch_->jobs[place]);
  }
  if (entry.jobs.empty() && entry.events.empty() && entry.granted.empty()) return;
  try {
    journal_.write(entry);
  } catch (...) {
    batch_.reset();  // it may be written or not
    throw;
  }
  for (LiveJob& job : entry.jobs) {
    jobs_to_take_.push_back(job);
    written_[places_.at(job.id)] = std::move(job);
  }
  std::move(entry.events.begin(), entry.events.end(), std::back_inserter(to_take_));
  touched_.clear();
  of_batch_.clear();
  to_write_.clear();
  granted_.clear();
}

}  // namespace wavewright
