#include "wavewright/live/batch_driver.h"

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

Application* with_id(std::vector<Application>& list, const std::string& id) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.id == id; });
  return found == list.end() ? nullptr : &*found;
}

bool all_ended(const std::vector<Application>& own) {
  return std::all_of(own.begin(), own.end(), [](const auto& each) { return has_ended(each.state); });
}

std::string with_words(std::string text, const std::string& words) {
  return words.empty() ? text : text + ": " + words;
}

std::string ended_with(const Client& client) {
  return with_words(fmt::format("its command ended with {}", client.exit_status), client.last_words);
}

}  // namespace

BatchDriver::BatchDriver(Journal& journal, ClusterDriver& cluster, Clocks& clocks, DriverOptions options)
    : journal_(journal), cluster_(cluster), clocks_(clocks), options_(options) {}

void BatchDriver::step() {
  note_clocks();
  const Duration began = clocks_.steady();
  try {
    advance();
  } catch (const ExternalError& error) {
    note_outage(error);
    throw;
  }
  // Who hangs gives no error.
  const Duration took = clocks_.steady() - began;
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
  if (!before || (before->began == mark.began && before->incarnation == mark.incarnation)) return;
  tell_of_batch("ClusterRestarted",
                before->incarnation == mark.incarnation ? "" : "it has forgotten its applications");
  for (const LiveJob& job : batch_->jobs) {
    if (has_begun(job.state)) waits_of(job).settled = {};
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
  unseen_.reset();
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
  listed_.clear();
  for (const Application& each : seen.list) {
    for (const std::string& tag : each.tags) listed_[tag].push_back(each);
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

ClientAttempt BatchDriver::attempt_of(const LiveJob& job) const {
  const std::string& directory = job.directory.empty() ? batch_->directory : job.directory;
  return {batch_->submissions, directory, job.tag, job.attempts, job.machine, job.account, job.seal};
}

BatchDriver::Waits& BatchDriver::waits_of(const LiveJob& job) {
  return waits_[places_.at(job.id)];
}

void BatchDriver::intend(LiveJob& job, const ListMark& mark) {
  job.state = LiveState::submitting;
  ++job.attempts;
  job.machine = cluster_.machine();
  job.cluster_away = false;
  job.mark = mark;
  job.submitting_since = clocks_.wall();
  job.reason.clear();
  waits_of(job) = {.sent = clocks_.steady(), .begun = clocks_.steady()};
  tell(job.id, "Submitting", job.attempts > 1 ? fmt::format("attempt {}", job.attempts) : "");
}

void BatchDriver::follow(LiveJob& job, const ListMark& mark) {
  std::vector<Application> own;
  if (const auto listed = listed_.find(job.tag); listed != listed_.end()) own = listed->second;
  Client client;
  try {
    client = cluster_.client(attempt_of(job));
  } catch (const ExternalError& error) {  // its folder is full or gone: the others are followed
    unseen_ = error;
    return;
  }
  if (client.state != ClientState::alive && client.state != ClientState::elsewhere) {
    Waits& waits = waits_of(job);
    if (!waits.client_dead) waits.client_dead = clocks_.steady();
    // Between two answers the cluster may have been away, unseen.
    const Duration most = options_.settling / 5;
    if (waits.answered) waits.settled += std::min(asked_at_ - *waits.answered, most);
    if (asked_at_ >= *waits.client_dead) waits.answered = clocks_.steady();
  }
  job.cluster_away |= job.mark.incarnation != mark.incarnation;
  if (!add_forgotten(job, own)) return;
  if (client.state == ClientState::elsewhere) {
    if (own.empty() && !lacks_none(job.mark, mark)) own = cluster_.ended_with(job.tag, *job.submitting_since);
    return judge_from_afar(job, own);
  }
  const bool may_lack = client.state != ClientState::never && !lacks_none(job.mark, mark);
  if (own.empty() && may_lack && settled(job, client, false)) {
    own = cluster_.ended_with(job.tag, *job.submitting_since);
    if (own.empty()) {
      return wait_for_history(job, "its command does not live, and the cluster has forgotten what ran");
    }
  }
  follow_applications(job, own);
  if (job.cancel) kill(job, client, own);
  if (all_ended(own) && settled(job, client, !own.empty())) judge(job, client, own);
}

// Adds those that the job had and that are no longer listed. False: one of them is nowhere yet, or was not
// for so long that the job has ended as unknown.
bool BatchDriver::add_forgotten(LiveJob& job, std::vector<Application>& own) {
  for (const std::string& id : job.applications) {
    if (with_id(own, id) != nullptr) continue;
    if (std::optional<Application> ended = cluster_.ended_application(id)) {
      own.insert(own.begin(), std::move(*ended));
      continue;
    }
    wait_for_history(job, "the cluster has forgotten " + id + ", and its history does not have it");
    return false;
  }
  if (!job.applications.empty()) waits_of(job).lost.reset();
  return true;
}

// The history has an application some time after its end.
void BatchDriver::wait_for_history(LiveJob& job, std::string reason) {
  std::optional<Duration>& lost = waits_of(job).lost;
  if (!lost) lost = clocks_.steady();
  if (clocks_.steady() - *lost >= options_.forgetting) end(job, LiveState::unknown, std::move(reason));
}

void BatchDriver::follow_applications(LiveJob& job, const std::vector<Application>& own) {
  for (const Application& each : own) {
    if (std::find(job.applications.begin(), job.applications.end(), each.id) == job.applications.end()) {
      job.applications.push_back(each.id);
      tell(job.id, "Accepted", each.id);
    }
    if (!job.accepted_at) job.accepted_at = each.accepted_at;
    if (!job.started_at) job.started_at = each.started_at;
  }
  if (own.empty()) return;
  const bool runs = std::any_of(own.begin(), own.end(),
                                [](const auto& each) { return each.state == ApplicationState::running; });
  if (runs && job.state != LiveState::running) tell(job.id, "Running", "");
  if (runs) job.state = LiveState::running;
  if (job.state == LiveState::submitting) job.state = LiveState::accepted;
}

void BatchDriver::kill(const LiveJob& job, const Client& client, const std::vector<Application>& own) {
  if (client.state == ClientState::alive) cluster_.kill_client(attempt_of(job));
  for (const Application& each : own) {
    if (!has_ended(each.state)) cluster_.kill_application(each.id);
  }
}

// Can the client have no application that the list lacks?
bool BatchDriver::settled(const LiveJob& job, const Client& client, bool has_applications) {
  Waits& waits = waits_of(job);
  if (client.state == ClientState::never) return true;
  if (client.state == ClientState::ended && client.exit_status == 0) {
    waits.is_through = true;
    if (!has_applications) return waits.settled >= options_.settling;
    return waits.client_dead && asked_at_ >= *waits.client_dead;
  }
  return waits.settled >= options_.settling + waits.away;
}

// All applications have ended, and no more will come.
void BatchDriver::judge(LiveJob& job, const Client& client, const std::vector<Application>& own) {
  const Application* last = own.empty() ? nullptr : &own.back();
  for (const Application& each : own) job.ended_at = std::max(job.ended_at, each.ended_at);
  const bool good = last == nullptr || last->state == ApplicationState::succeeded;
  const bool by_itself = client.state == ClientState::ended;
  if (good && by_itself && client.exit_status == 0) {
    return end(job, LiveState::done, last == nullptr ? "the cluster has no application with its tag" : "");
  }
  if (good && last != nullptr && !job.many_applications && (!by_itself || job.cluster_away)) {
    const std::string what =
        by_itself ? "the cluster was away: " + ended_with(client) : "its command was lost";
    return end(job, LiveState::done, what + "; its application succeeded");
  }
  if (job.cancel) return end(job, LiveState::cancelled, "as its user asked");
  if (last == nullptr) {
    if (client.state == ClientState::never) return try_again(job, "its command was not started");
    ++job.lost_attempts;
    if (!by_itself) return try_again(job, "its command was lost before the cluster had it");
    if (job.cluster_away) return try_again(job, "the cluster was away: " + ended_with(client));
    return end(job, LiveState::failed, ended_with(client));
  }
  if (!good) {
    const char* how = last->state == ApplicationState::killed ? "was killed" : "failed";
    return end(job, LiveState::failed, with_words(fmt::format("{} {}", last->id, how), last->diagnostics));
  }
  if (by_itself) return end(job, LiveState::failed, ended_with(client));
  end(job, LiveState::unknown, "its command was lost between two of its applications");
}

// The command may live on its machine and submit, now or later.
void BatchDriver::judge_from_afar(LiveJob& job, const std::vector<Application>& own) {
  follow_applications(job, own);
  if (job.cancel) kill(job, {ClientState::elsewhere, 0, {}}, own);
  Waits& waits = waits_of(job);
  const Duration now = clocks_.steady();
  if (!all_ended(own)) {
    waits.quiet.reset();
    return;
  }
  if (!waits.quiet) waits.quiet = now;
  const bool shown = !own.empty() && !job.many_applications;
  if (now - *waits.quiet < (shown ? options_.settling : options_.forgetting)) return;
  if (own.empty())
    return end(job, LiveState::unknown,
               fmt::format("its command was started on {}, and the cluster has nothing of it", job.machine));
  judge(job, {ClientState::gone, 0, {}}, own);
}

void BatchDriver::try_again(LiveJob& job, const std::string& why) {
  if (job.lost_attempts >= options_.most_attempts)
    return end(job, LiveState::failed, fmt::format("{} attempts: {}", job.lost_attempts, why));
  job.state = LiveState::waiting;
  job.reason = why;
  tell(job.id, "Again", why);
  if (!queue_) return;
  queued_.insert(places_.at(job.id));
  dispatched_.push_front(places_.at(job.id));
}

void BatchDriver::end(LiveJob& job, LiveState state, std::string reason) {
  job.state = state;
  job.reason = reason;
  if (!job.ended_at) job.ended_at = clocks_.wall();
  static constexpr std::array words = {"Done", "Failed", "Cancelled", "Unknown"};
  tell(job.id, words[static_cast<std::size_t>(state) - static_cast<std::size_t>(LiveState::done)],
       std::move(reason));
}

void BatchDriver::cancel_what_cannot_begin() {
  for (bool more = true; more;) {
    more = false;
    for (LiveJob& job : batch_->jobs) {
      if (job.state != LiveState::waiting && job.state != LiveState::held) continue;
      for (const std::string& id : job.after) {
        const LiveJob& before = batch_->jobs[places_.at(id)];
        if (!has_ended(before.state) || before.state == LiveState::done) continue;
        end(job, LiveState::cancelled, fmt::format("{} before it is {}", id, to_string(before.state)));
        more = true;
        break;
      }
    }
  }
}

void BatchDriver::grant_wishes() {
  for (const JobWish& wish : journal_.wishes()) {
    granted_.push_back(wish.key);
    const auto place = places_.find(wish.job);
    if (place == places_.end()) continue;
    LiveJob& job = batch_->jobs[place->second];
    const bool queued = job.state == LiveState::waiting || job.state == LiveState::held;
    if (wish.wish == Wish::cancel && queued) {
      end(job, LiveState::cancelled, "as its user asked");
    } else if (wish.wish == Wish::cancel && has_begun(job.state) && !job.cancel) {
      job.cancel = true;
      tell(job.id, "Cancelling", "");
    } else if (wish.wish == Wish::hold && job.state == LiveState::waiting) {
      job.state = LiveState::held;
      tell(job.id, "Held", "");
    } else if (wish.wish == Wish::release && job.state == LiveState::held) {
      job.state = LiveState::waiting;
      tell(job.id, "Released", "");
    }
  }
}

bool BatchDriver::is_ready(const LiveJob& job, Time now) const {
  return job.state == LiveState::waiting && job.not_before <= now &&
         std::all_of(job.after.begin(), job.after.end(), [&](const std::string& id) {
           return batch_->jobs[places_.at(id)].state == LiveState::done;
         });
}

// Puts jobs that have become ready into the queue, and takes what a round gives.
void BatchDriver::dispatch() {
  const Time now = Time{} + (clocks_.steady() - queue_began_);
  const Time wall = clocks_.wall();
  for (std::size_t place = 0; place < batch_->jobs.size(); ++place) {
    const LiveJob& job = batch_->jobs[place];
    if (queued_.contains(place) || !is_ready(job, wall)) continue;
    queue_->arrive(now, waiting_job(job, wall, now));
    queued_.insert(place);
  }
  while (queue_->next_decision() && *queue_->next_decision() <= now) {
    for (const WaitingJob& job : queue_->decide(now).jobs) {
      const std::size_t place = places_.at(job.id);
      // One that was held or cancelled meanwhile comes again when it is ready.
      if (batch_->jobs[place].state == LiveState::waiting) {
        dispatched_.push_back(place);
      } else {
        queued_.erase(place);
      }
    }
  }
}

// Jobs that were ordered and not yet submitted wait again, but for those that YARN did not get: they keep
// their place at the front.
void BatchDriver::order_anew() {
  if (!queue_) return;
  const Time now = Time{} + (clocks_.steady() - queue_began_);
  const Time wall = clocks_.wall();
  std::deque<std::size_t> kept;
  for (const std::size_t place : dispatched_) {
    const LiveJob& job = batch_->jobs[place];
    if (job.attempts > 0 || job.state != LiveState::waiting) {
      kept.push_back(place);
    } else {
      queue_->arrive(now, waiting_job(job, wall, now));
    }
  }
  dispatched_ = std::move(kept);
  queue_->make_due(now);
}

LiveJob* BatchDriver::unfinished(const std::string& job) {
  if (!batch_) return nullptr;
  const auto place = places_.find(job);
  if (place == places_.end() || has_ended(batch_->jobs[place->second].state)) return nullptr;
  return &batch_->jobs[place->second];
}

void BatchDriver::drifted(const std::string& job, std::optional<double> maps, std::optional<double> reduces,
                          std::string detail) {
  LiveJob* drifted = unfinished(job);
  if (drifted == nullptr || drifted->state != LiveState::running) return;
  const auto change = [](StageWork& work, std::optional<double>& had, const std::optional<double>& factor) {
    if (!factor || *factor <= 0) return;
    const double by = *factor / had.value_or(1);
    work.mean = ms(std::llround(std::min(static_cast<double>(work.mean.count()) * by,
                                         static_cast<double>(longest_duration.count()))));
    had = factor;
  };
  for (LiveJob& each : batch_->jobs) {
    const bool alike = !drifted->profile.empty() && each.profile == drifted->profile &&
                       (each.state == LiveState::waiting || each.state == LiveState::held);
    if (&each != drifted && !alike) continue;
    change(each.maps, each.map_drift, maps);
    change(each.reduces, each.reduce_drift, reduces);
    touched_.insert(places_.at(each.id));
    if (queue_) queue_->revise(each.id, each.maps, each.reduces);
  }
  tell(job, "Drifted", std::move(detail));
  order_anew();
}

void BatchDriver::note(const std::string& job, const char* what, std::string detail) {
  if (unfinished(job) != nullptr) tell(job, what, std::move(detail));
}

void BatchDriver::promise(const std::string& job, Time start, Time end) {
  LiveJob* promised = unfinished(job);
  if (promised == nullptr || promised->expected_end) return;
  promised->expected_start = start;
  promised->expected_end = end;
  touched_.insert(places_.at(job));
}

// Is there room on the cluster, and on the way to it?
bool BatchDriver::may_submit() {
  const Duration steady = clocks_.steady();
  std::size_t there = 0;
  std::size_t on_their_way = 0;
  for (const LiveJob& job : batch_->jobs) {
    if (has_begun(job.state)) ++there;
    Waits& waits = waits_of(job);
    if (job.state != LiveState::submitting || waits.is_through) continue;
    if (!waits.begun) waits.begun = steady;
    if (steady - *waits.begun < options_.patience) ++on_their_way;
  }
  if (on_their_way >= options_.most_submitting) return false;
  return options_.most_at_once == 0 || there < options_.most_at_once;
}

LiveJob* BatchDriver::next_ready() {
  const Time now = clocks_.wall();
  if (!queue_) {
    const auto next = std::find_if(batch_->jobs.begin(), batch_->jobs.end(),
                                   [&](const LiveJob& job) { return is_ready(job, now); });
    return next == batch_->jobs.end() ? nullptr : &*next;
  }
  while (!dispatched_.empty()) {
    const std::size_t place = dispatched_.front();
    LiveJob& job = batch_->jobs[place];
    dispatched_.pop_front();
    queued_.erase(place);
    if (is_ready(job, now)) return &job;
  }
  return nullptr;
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
