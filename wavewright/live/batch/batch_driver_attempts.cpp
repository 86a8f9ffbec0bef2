// The driver's view of one job: from the intent of an attempt, by its command and its applications, to the
// end.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/time.h"
#include "wavewright/live/batch/batch_driver.h"

namespace wavewright {

namespace {

// Between two questions to the history about one job that get no answer, and between two tries to kill one.
constexpr Duration shortest_pause = ms(2'000), longest_pause = ms(60'000);

bool has(const std::vector<const Application*>& list, const std::string& id) {
  return std::any_of(list.begin(), list.end(), [&](const auto* each) { return each->id == id; });
}

bool all_ended(const std::vector<const Application*>& own) {
  return std::all_of(own.begin(), own.end(), [](const auto* each) { return has_ended(each->state); });
}

std::string with_words(std::string text, const std::string& words) {
  return words.empty() ? text : text + ": " + words;
}

std::string ended_with(const Client& client) {
  return with_words(fmt::format("its command ended with {}", client.exit_status), client.last_words);
}

}  // namespace

// Until the next call.
const ClientAttempt& BatchDriver::attempt_of(const LiveJob& job) {
  attempt_.folder = batch_->submissions;
  attempt_.directory = job.directory.empty() ? batch_->directory : job.directory;
  attempt_.tag = job.tag;
  attempt_.number = job.attempts;
  attempt_.machine = job.machine;
  attempt_.account = job.account;
  attempt_.seal = job.seal;
  return attempt_;
}

std::size_t BatchDriver::place_of(const LiveJob& job) const {
  return static_cast<std::size_t>(&job - batch_->jobs.data());
}

BatchDriver::Waits& BatchDriver::waits_of(const LiveJob& job) {
  return waits_[place_of(job)];
}

void BatchDriver::touch(const LiveJob& job) {
  touched_.insert(place_of(job));
}

void BatchDriver::note_away(LiveJob& job) {
  if (std::exchange(job.cluster_away, true)) return;
  touch(job);
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

void BatchDriver::ask_for_clients() {
  clients_.clear();
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (!has_begun(states_[place])) continue;
    try {
      clients_.emplace_back(place, cluster_.client(attempt_of(batch_->jobs[place])));
    } catch (const ExternalError& error) {  // its folder is full or gone: the others are followed
      unseen_ = error;
    }
  }
}

void BatchDriver::follow(LiveJob& job, const Client& client, const ListMark& mark) {
  OwnApplications own;
  if (const auto listed = listed_.find(job.tag); listed != listed_.end()) own = listed->second;
  if (client.state != ClientState::alive && client.state != ClientState::elsewhere) {
    Waits& waits = waits_of(job);
    if (!waits.client_dead) waits.client_dead = clocks_.steady();
    // Between two answers the cluster may have been away, unseen.
    const Duration most = options_.settling / 5;
    if (waits.answered) waits.settled += std::min(asked_at_ - *waits.answered, most);
    if (asked_at_ >= *waits.client_dead) waits.answered = clocks_.steady();
  }
  if (!job.mark.same_run_as(mark)) note_away(job);
  if (!add_forgotten(job, own)) return;
  if (client.state == ClientState::elsewhere) {
    if (own.empty() && !lacks_none(job.mark, mark) && !add_ended(job, own)) return;
    return judge_from_afar(job, own);
  }
  const bool may_lack = client.state != ClientState::never && !lacks_none(job.mark, mark);
  if (own.empty() && may_lack && settled(job, client, false)) {
    if (!add_ended(job, own)) return;
    if (own.empty()) {
      return wait_for_history(job, "its command does not live, and the cluster has forgotten what ran");
    }
  }
  follow_applications(job, own);
  if (job.cancel) kill(job, client, own);
  if (all_ended(own) && settled(job, client, !own.empty())) judge(job, client, own);
}

// Adds those that the job had and that are no longer listed. False: one of them is nowhere yet, or nobody can
// tell of it now, or it was so for so long that the job has ended as unknown.
bool BatchDriver::add_forgotten(LiveJob& job, OwnApplications& own) {
  // It forgets the earliest first: from the last one on, each goes to the front.
  for (auto id = job.applications.rbegin(); id != job.applications.rend(); ++id) {
    if (has(own, *id)) continue;
    if (!may_ask(job)) return false;
    std::optional<Application> ended;
    try {
      ended = cluster_.ended_application(*id);
    } catch (const HistoryUnread& error) {
      note_history_back();
      put_off(job, error);
      wait_for_history(job, fmt::format("the history cannot tell how {} ended: {}: {}", *id,
                                        error.where().source, error.problem()));
      return false;
    } catch (const ExternalError& error) {
      note_history_away(job, error);
      return false;
    }
    note_history_back();
    if (ended) {
      own.insert(own.begin(), &of_history_.emplace_back(std::move(*ended)));
      continue;
    }
    note_answer(job);
    wait_for_history(job, "the cluster has forgotten " + *id + ", and its history does not have it");
    return false;
  }
  if (!job.applications.empty()) waits_of(job).lost.reset();
  if (!own.empty()) note_answer(job);
  return true;
}

// Adds those that the history has with the job's tag. False: it cannot tell now of all, or could not for so
// long that the job has ended as unknown.
bool BatchDriver::add_ended(LiveJob& job, OwnApplications& own) {
  if (!may_ask(job)) return false;
  try {
    own = keep(cluster_.ended_with(job.tag, *job.submitting_since));
  } catch (const HistoryUnread& error) {
    note_history_back();
    const bool may_have_more = job.many_applications || job.attempts > 1;
    if (may_have_more || error.found().empty()) {
      put_off(job, error);
      wait_for_history(job, fmt::format("the history cannot tell what ran: {}: {}", error.where().source,
                                        error.problem()));
      return false;
    }
    own = keep(error.found());
  } catch (const ExternalError& error) {
    note_history_away(job, error);
    return false;
  }
  note_history_back();
  note_answer(job);
  return true;
}

BatchDriver::OwnApplications BatchDriver::keep(std::vector<Application> told) {
  OwnApplications own;
  for (Application& each : told) own.push_back(&of_history_.emplace_back(std::move(each)));
  return own;
}

// One that hangs is asked once a step at most: each question to it takes its time from the other jobs.
bool BatchDriver::may_ask(const LiveJob& job) {
  return !history_away_ && clocks_.steady() >= waits_of(job).ask_again;
}

// The history is asked again later about the job, and then after twice as long.
void BatchDriver::ask_later(const LiveJob& job) {
  Waits& waits = waits_of(job);
  waits.pause = std::clamp(2 * waits.pause, shortest_pause, longest_pause);
  waits.ask_again = clocks_.steady() + waits.pause;
}

// The history answers, and does not tell of the job.
void BatchDriver::put_off(LiveJob& job, const ExternalError& error) {
  ask_later(job);
  if (std::exchange(job.unread, true)) return;
  tell(job.id, "Unanswered", error.what());
}

void BatchDriver::note_answer(LiveJob& job) {
  waits_of(job).pause = {};
  if (std::exchange(job.unread, false)) tell(job.id, "Answered", "");
}

// It gives no answer at all: that is told once, not of each job.
void BatchDriver::note_history_away(const LiveJob& job, const ExternalError& error) {
  history_away_ = true;
  ask_later(job);
  if (history_away_since_) return;
  history_away_since_ = clocks_.steady();
  tell_of_batch("HistoryAway", error.what());
}

void BatchDriver::note_history_back() {
  if (!history_away_since_) return;
  const Duration away = clocks_.steady() - *history_away_since_;
  tell_of_batch("HistoryBack", "after " + format_duration(away));
  history_away_since_.reset();
}

// The history has an application some time after its end.
void BatchDriver::wait_for_history(LiveJob& job, std::string reason) {
  std::optional<Duration>& lost = waits_of(job).lost;
  if (!lost) lost = clocks_.steady();
  if (clocks_.steady() - *lost >= options_.forgetting) end(job, LiveState::unknown, std::move(reason));
}

void BatchDriver::follow_applications(LiveJob& job, const OwnApplications& own) {
  const auto take = [&](std::optional<Time>& at, const std::optional<Time>& seen) {
    if (at || !seen) return;
    at = seen;
    touch(job);
  };
  for (const Application* each : own) {
    if (std::find(job.applications.begin(), job.applications.end(), each->id) == job.applications.end()) {
      job.applications.push_back(each->id);
      tell(job.id, "Accepted", each->id);
    }
    take(job.accepted_at, each->accepted_at);
    take(job.started_at, each->started_at);
  }
  if (own.empty()) return;
  if (!job.many_applications && std::ssize(job.applications) > job.attempts) {
    job.many_applications = true;
    tell(job.id, "SeveralApplications", fmt::format("{} so far", job.applications.size()));
  }
  const auto follow = [&](std::string& known, const std::string& told) {
    if (told.empty() || told == known) return;
    known = told;
    touch(job);
  };
  follow(job.placed_queue, own.back()->queue);
  follow(job.master_node, own.back()->master_node);
  const bool runs = std::any_of(own.begin(), own.end(),
                                [](const auto* each) { return each->state == ApplicationState::running; });
  if (runs && job.state != LiveState::running) tell(job.id, "Running", "");
  if (runs) job.state = LiveState::running;
  if (job.state == LiveState::submitting) job.state = LiveState::accepted;  // told with its application
}

void BatchDriver::kill(LiveJob& job, const Client& client, const OwnApplications& own) {
  Waits& waits = waits_of(job);
  if (clocks_.steady() < waits.kill_again) return;
  try {
    if (client.state == ClientState::alive) cluster_.kill_client(attempt_of(job));
    for (const Application* each : own) {
      if (has_ended(each->state)) continue;
      cluster_.kill_application(attempt_of(job), job.command.words(), each->id);
    }
    waits.kill_pause = {};
    return;
  } catch (const ExternalError& error) {  // the others are followed
    if (!std::exchange(job.unkilled, true)) tell(job.id, "NotKilled", error.what());
  }
  waits.kill_pause = std::clamp(2 * waits.kill_pause, shortest_pause, longest_pause);
  waits.kill_again = clocks_.steady() + waits.kill_pause;
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
void BatchDriver::judge(LiveJob& job, const Client& client, const OwnApplications& own) {
  const Application* last = own.empty() ? nullptr : own.back();
  for (const Application* each : own) job.ended_at = std::max(job.ended_at, each->ended_at);
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
void BatchDriver::judge_from_afar(LiveJob& job, const OwnApplications& own) {
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
  queued_[place_of(job)] = 1;
  dispatched_.push_front(place_of(job));
  note_round().anew = true;
}

void BatchDriver::end(LiveJob& job, LiveState state, std::string reason) {
  job.state = state;
  job.reason = reason;
  ended_badly_ |= state != LiveState::done;
  if (!job.ended_at) job.ended_at = clocks_.wall();
  static constexpr std::array words = {"Done", "Failed", "Cancelled", "Unknown"};
  tell(job.id, words[static_cast<std::size_t>(state) - static_cast<std::size_t>(LiveState::done)],
       std::move(reason));
}

}  // namespace wavewright
