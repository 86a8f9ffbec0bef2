#include "wavewright/live/batch/batch_driver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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
    for (std::size_t place = 0; place < states_.size(); ++place) {
      if (has_begun(states_[place])) note_away(batch_->jobs[place]);
    }
    note_late();
    write();
    throw;
  }
  note_gap();
  note_cluster(seen.mark);
  note_cluster_clock(seen.clock_ahead);
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
  if (queue_) {
    dispatch();
    write();
  }
  while (may_submit()) {
    LiveJob* next = next_ready();
    if (next == nullptr) break;
    intend(*next, seen.mark);
    write();
    start(*next);
  }
  write();  // jobs whose turn it was, and which are held
}

void BatchDriver::start(LiveJob& job) {
  try {
    cluster_.start(attempt_of(job), job.command.words());
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
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (!has_begun(states_[place])) continue;
    waits_[place].settled = {};
    waits_[place].answered.reset();  // the answers before this one were of another ResourceManager
  }
}

void BatchDriver::note_cluster_clock(Duration ahead) {
  if (std::chrono::abs(ahead - cluster_ahead_) < options_.jump) return;
  cluster_ahead_ = ahead;
  if (ahead == Duration{}) return tell_of_batch("ClocksAgree", "the cluster's clock and ours");
  tell_of_batch(
      "ClocksDiffer",
      fmt::format("the cluster's is {} {} ours, and starts and ends of jobs are by the cluster's",
                  format_duration(std::chrono::abs(ahead)), ahead > Duration{} ? "ahead of" : "behind"));
}

void BatchDriver::note_states() {
  for (const std::size_t place : touched_) states_[place] = batch_->jobs[place].state;
}

void BatchDriver::note_late() {
  note_states();
  const Time now = clocks_.wall();
  for (std::size_t place = 0; place < deadlines_.size(); ++place) {
    if (deadlines_[place] == Time::max()) continue;
    if (now <= deadlines_[place] && !has_ended(states_[place])) continue;
    deadlines_[place] = Time::max();
    LiveJob& job = batch_->jobs[place];
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
  queued_.clear();
  profile_hashes_.clear();
  states_.clear();
  deadlines_.clear();
  promised_ = false;
  ended_badly_ = true;  // nobody has looked yet
  known_ = std::max(batch_->jobs.size(), static_cast<std::size_t>(batch_->added));
  for (std::size_t place = 0; place < batch_->jobs.size(); ++place) remember(batch_->jobs[place], place);
  find_before(0);
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
  dispatched_.clear();
  round_.reset();
  due_.reset();
  replanner_.reset();
  if (!batch_->ordering) return;
  queue_began_ = clocks_.steady();
  if (!batch_->has_queue()) {
    replanner_ = engine_of(*batch_->ordering);
    return;
  }
  queue_.emplace(make_reorder_policy(batch_->ordering->when), engine_of(*batch_->ordering));
  take_up_round();
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
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (!has_begun(states_[place])) continue;
    Waits& waits = waits_[place];
    const Duration away = no_answer_ ? waits.settled + std::min(now - waits.sent, longest_interval)
                                     : std::min(gap, longest_interval);
    waits.away = std::max(waits.away, away);
  }
  asked_before_ = asked_at_;
  no_answer_ = false;
}

// Finds it for the jobs from that place on that have not ended. None that one of these waits for is in the
// archive.
void BatchDriver::find_before(std::size_t first) {
  before_.resize(batch_->jobs.size());
  for (std::size_t place = first; place < batch_->jobs.size(); ++place) {
    before_[place].clear();
    if (has_ended(batch_->jobs[place].state)) continue;
    for (const std::string& id : batch_->jobs[place].after) before_[place].push_back(places_.at(id));
  }
}

void BatchDriver::remember(const LiveJob& job, std::size_t place) {
  places_[job.id] = place;
  queued_.push_back(0);
  waits_.emplace_back();
  written_.push_back(job);
  profile_hashes_.push_back(std::hash<std::string>()(job.profile));
  states_.push_back(job.state);
  deadlines_.push_back(job.deadline && !job.late ? *job.deadline : Time::max());
  promised_ |= job.promise.has_value();
  jobs_to_take_.push_back(job);
}

void BatchDriver::take_added() {
  const std::size_t first = batch_->jobs.size();
  for (LiveJob& job : journal_.added(known_)) {
    remember(job, batch_->jobs.size());
    ++known_;
    to_take_.push_back({clocks_.wall(), job.id, "Added", ""});  // the journal has it
    batch_->jobs.push_back(std::move(job));
    ended_badly_ = true;  // one that it waits for may have
  }
  find_before(first);
}

void BatchDriver::follow_all(const Applications& seen) {
  unseen_.reset();
  history_away_ = false;
  listed_.clear();
  of_history_.clear();
  for (const Application& each : seen.list) {
    for (const std::string& tag : each.tags) {
      if (tag != batch_->tag) listed_[tag].push_back(&each);
    }
  }
  // All are asked for first: what follows is in the processor's caches then.
  ask_for_clients();
  for (const auto& [place, client] : clients_) follow(batch_->jobs[place], client, seen.mark);
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

void BatchDriver::tell(const std::string& job, const char* what, std::string detail) {
  to_write_.push_back({clocks_.wall(), job, what, std::move(detail)});
  touched_.insert(places_.at(job));
}

void BatchDriver::tell_of_batch(const char* what, std::string detail) {
  of_batch_.push_back({clocks_.wall(), "", what, std::move(detail)});
}

void BatchDriver::write() {
  note_states();
  JournalEntry entry{{}, of_batch_, granted_};
  entry.events.insert(entry.events.end(), to_write_.begin(), to_write_.end());
  for (const std::size_t place : touched_) {
    if (batch_->jobs[place] != written_[place]) entry.jobs.push_back(batch_->jobs[place]);
  }
  if (entry.jobs.empty() && entry.events.empty() && entry.granted.empty() && !round_) return;
  entry.round = std::exchange(round_, std::nullopt);
  if (entry.round && entry.round->anew) {
    entry.round->order.clear();
    for (const std::size_t place : dispatched_) entry.round->order.push_back(batch_->jobs[place].id);
  }
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
  if (entry.round) put(std::move(*entry.round), batch_->round);
  std::move(entry.events.begin(), entry.events.end(), std::back_inserter(to_take_));
  touched_.clear();
  of_batch_.clear();
  to_write_.clear();
  granted_.clear();
}

}  // namespace wavewright
