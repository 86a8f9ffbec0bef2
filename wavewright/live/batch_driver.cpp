#include "wavewright/live/batch_driver.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

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
  if (!batch_) begin();
  grant_wishes();
  asked_at_ = clocks_.steady();
  Applications seen;
  try {
    seen = cluster_.applications(batch_->tag);
  } catch (const ExternalError&) {
    for (LiveJob& job : batch_->jobs) job.cluster_away |= has_begun(job.state);
    write();
    throw;
  }
  for (LiveJob& job : batch_->jobs) {
    if (!has_begun(job.state)) continue;
    LiveJob followed = job;
    const std::size_t told = to_write_.size();
    try {
      follow(followed, seen);
    } catch (...) {  // a witness could not be asked: the job is as it was
      to_write_.resize(told);
      throw;
    }
    job = std::move(followed);
  }
  cancel_what_cannot_begin();
  write();
  LiveJob* next = next_ready();
  if (next == nullptr) return;
  intend(*next, seen.mark);
  write();
  cluster_.start(attempt_of(*next), next->command);
}

void BatchDriver::begin() {
  batch_ = journal_.lead();
  written_ = batch_->jobs;
  places_.clear();
  for (std::size_t i = 0; i < batch_->jobs.size(); ++i) places_[batch_->jobs[i].id] = i;
  waits_.assign(batch_->jobs.size(), {});
  to_write_.clear();
  granted_.clear();
}

bool BatchDriver::finished() const {
  return batch_ && std::all_of(batch_->jobs.begin(), batch_->jobs.end(),
                               [](const LiveJob& job) { return has_ended(job.state); });
}

std::vector<LiveEvent> BatchDriver::take_events() {
  return std::exchange(to_take_, {});
}

ClientAttempt BatchDriver::attempt_of(const LiveJob& job) const {
  return {batch_->submissions, batch_->directory, job.tag, job.attempts};
}

BatchDriver::Waits& BatchDriver::waits_of(const LiveJob& job) {
  return waits_[places_.at(job.id)];
}

void BatchDriver::intend(LiveJob& job, const ListMark& mark) {
  job.state = LiveState::submitting;
  ++job.attempts;
  job.cluster_away = false;
  job.mark = mark;
  job.submitting_since = clocks_.wall();
  job.reason.clear();
  waits_of(job) = {.begun = clocks_.steady()};
  tell(job.id, "Submitting", job.attempts > 1 ? fmt::format("attempt {}", job.attempts) : "");
}

void BatchDriver::follow(LiveJob& job, const Applications& seen) {
  std::vector<Application> own;
  for (const Application& each : seen.list) {
    if (std::find(each.tags.begin(), each.tags.end(), job.tag) != each.tags.end()) own.push_back(each);
  }
  const Client client = cluster_.client(attempt_of(job));
  if (client.state != ClientState::alive) {
    Waits& waits = waits_of(job);
    if (!waits.client_dead) waits.client_dead = clocks_.steady();
    // Between two answers the cluster may have been away, unseen.
    const Duration most = options_.settling / 5;
    if (waits.answered) waits.settled += std::min(asked_at_ - *waits.answered, most);
    if (asked_at_ >= *waits.client_dead) waits.answered = clocks_.steady();
  }
  job.cluster_away |= job.mark.incarnation != seen.mark.incarnation;
  if (!add_forgotten(job, own)) return;
  const bool may_lack = client.state != ClientState::never && !lacks_none(job.mark, seen.mark);
  if (own.empty() && may_lack && settled(job, client)) {
    own = cluster_.ended_with(job.tag, *job.submitting_since);
    if (own.empty()) {
      return wait_for_history(job, "its command does not live, and the cluster has forgotten what ran");
    }
  }
  follow_applications(job, own);
  if (job.cancel) kill(job, client, own);
  if (all_ended(own) && settled(job, client)) judge(job, client, own);
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
bool BatchDriver::settled(const LiveJob& job, const Client& client) {
  const Waits& waits = waits_of(job);
  if (client.state == ClientState::never) return true;
  if (client.state == ClientState::ended && client.exit_status == 0)
    return waits.client_dead && asked_at_ >= *waits.client_dead;
  return waits.settled >= options_.settling;
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

void BatchDriver::try_again(LiveJob& job, const std::string& why) {
  if (job.attempts >= options_.most_attempts)
    return end(job, LiveState::failed, fmt::format("{} attempts: {}", job.attempts, why));
  job.state = LiveState::waiting;
  job.reason = why;
  tell(job.id, "Again", why);
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

LiveJob* BatchDriver::next_ready() {
  const Time now = clocks_.wall();
  const Duration steady = clocks_.steady();
  std::size_t there = 0;
  LiveJob* next = nullptr;
  for (LiveJob& job : batch_->jobs) {
    if (has_begun(job.state)) ++there;
    if (job.state == LiveState::submitting) {
      Waits& waits = waits_of(job);
      if (!waits.begun) waits.begun = steady;
      if (steady - *waits.begun < options_.patience) return nullptr;
    }
    if (next != nullptr || job.state != LiveState::waiting || job.not_before > now) continue;
    const bool ready = std::all_of(job.after.begin(), job.after.end(), [&](const std::string& id) {
      return batch_->jobs[places_.at(id)].state == LiveState::done;
    });
    if (ready) next = &job;
  }
  return options_.most_at_once > 0 && there >= options_.most_at_once ? nullptr : next;
}

void BatchDriver::tell(const std::string& job, const char* what, std::string detail) {
  to_write_.push_back({clocks_.wall(), job, what, std::move(detail)});
}

void BatchDriver::write() {
  JournalEntry entry{{}, to_write_, granted_};
  for (std::size_t i = 0; i < written_.size(); ++i) {
    if (batch_->jobs[i] != written_[i]) entry.jobs.push_back(batch_->jobs[i]);
  }
  if (entry.jobs.empty() && entry.events.empty() && entry.granted.empty()) return;
  try {
    journal_.write(entry);
  } catch (...) {
    batch_.reset();  // it may be written or not
    throw;
  }
  for (LiveJob& job : entry.jobs) written_[places_.at(job.id)] = std::move(job);
  std::move(entry.events.begin(), entry.events.end(), std::back_inserter(to_take_));
  to_write_.clear();
  granted_.clear();
}

}  // namespace wavewright
