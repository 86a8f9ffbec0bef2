// Checks of a schedule at its end, when a command is started, and of promises at any time.
#include "tests/live/simulated_cluster.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

void SimulatedCluster::check_end() {
  for (std::size_t i = 0; i < batch_.jobs.size(); ++i) {
    const LiveJob& job = batch_.jobs[i];
    std::vector<const Run*> own;
    for (const Run& run : runs_) {
      if (run.job == i) own.push_back(&run);
    }
    bool ended_well = false, all_ended = true, alive = false;
    for (const auto& [key, process] : clients_) {
      if (process.job != i) continue;
      // Nobody reaches one that hangs on another machine.
      alive |= process.alive && !(jobs_[i].command_hangs && afar_.contains(job.tag));
      ended_well |= process.exit_status == 0;
    }
    for (const Run* run : own) all_ended &= run->ended.has_value();
    const bool no_application = jobs_[i].applications == 0 && own.empty() && ended_well;
    // Nobody was told that it starts several applications, or has seen a second one: the one that was seen
    // counts.
    const bool seems_one = jobs_[i].applications > 1 && !job.many_applications;
    const auto last = std::find_if(own.rbegin(), own.rend(), [&](const Run* run) {
      return !seems_one || (!job.applications.empty() && run->id == job.applications.back());
    });
    const bool succeeded =
        no_application || (last != own.rend() && (*last)->state == ApplicationState::succeeded &&
                           (ended_well || jobs_[i].applications == 1 || seems_one));
    const std::string shown = fmt::format("{} ended as {} ({})", job.id, to_string(job.state), job.reason);
    if (!has_ended(job.state)) violate(fmt::format("{} has not ended", job.id));
    if (!all_ended || alive) violate(shown + ", but something of it lives");
    if (job.state == LiveState::done && !succeeded) violate(shown + ", but it did not succeed");
    if (job.state == LiveState::failed && succeeded && ended_well) violate(shown + ", but it succeeded");
    if (job.state == LiveState::failed) check_failure(i, shown);
    const bool lost =
        (forgot_ || kept_ > 0) &&
        (own.empty() || std::any_of(own.begin(), own.end(), [](const Run* run) { return !run->recorded; }));
    // The history could not load one of them for so long.
    Duration first_end = Duration::max(), unread_until{};
    for (const Run* run : own) {
      if (run->ended) first_end = std::min(first_end, *run->ended);
      unread_until = std::max(unread_until, run->unread_until);
    }
    const bool unread = unread_until > first_end && unread_until - first_end >= forgetting_;
    const bool cut = jobs_[i].applications > 1 && stages_cut_;
    // A job that another machine began may stay unknown, unless its only application showed its end.
    const bool afar = afar_.contains(job.tag) && (own.empty() || jobs_[i].applications > 1);
    if (job.state == LiveState::unknown && !lost && !unread && !cut && !afar)
      violate(shown + ", but nothing was forgotten");
    const bool last_failed = !own.empty() && !job.applications.empty() &&
                             job.applications.back() == own.back()->id && own.back()->ended &&
                             own.back()->state != ApplicationState::succeeded;
    if (job.state == LiveState::unknown && !lost && !unread && !afar && last_failed)
      violate(shown + ", but its last application failed");
    if (job.state == LiveState::cancelled && !wished_.contains(job.id)) {
      const bool before = std::any_of(job.after.begin(), job.after.end(), [&](const std::string& id) {
        return std::any_of(batch_.jobs.begin(), batch_.jobs.end(), [&](const LiveJob& each) {
          return each.id == id && has_ended(each.state) && each.state != LiveState::done;
        });
      });
      if (!before) violate(shown + ", which nobody asked for");
    }
    if (!job.many_applications && std::ssize(job.applications) > job.attempts)
      violate(shown + ", and its second application was not noticed");
    const std::set<std::string> known(job.applications.begin(), job.applications.end());
    if (known.size() != job.applications.size()) violate(shown + ", and knows an application twice");
    for (const Run* run : own) {
      if (!known.contains(run->id) && !forgot_ && kept_ == 0)
        violate(shown + ", and does not know of " + run->id);
    }
    check_log(job, shown);
    check_promise(job);
  }
  // What was away is back, or somebody else has led since.
  const auto told = [&](const char* what) {
    const auto last =
        std::find_if(log_.rbegin(), log_.rend(), [&](const auto& event) { return event.what == what; });
    return log_.rend() - last;
  };
  if (told("Away") > std::max(told("Back"), told("Led")))
    violate("the log tells that something is away still");
  if (!wishes_.empty()) violate("a wish of " + wishes_.front().job + "'s user was not granted");
  if (told("Led") == 0) violate("the log tells of nobody who led");
}

// A job fails by its command or an application, or when too many attempts were lost; not by an outage alone.
void SimulatedCluster::check_failure(std::size_t job, const std::string& shown) {
  if (jobs_[job].applications > 1 || batch_.jobs[job].lost_attempts >= most_attempts_) return;
  const bool by_command = std::any_of(clients_.begin(), clients_.end(), [&](const auto& each) {
    const Process& process = each.second;
    return process.job == job && process.exit_status.value_or(0) != 0 && (process.bad || !process.saw_outage);
  });
  const bool by_application = std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    return run.job == job && run.ended && run.state != ApplicationState::succeeded;
  });
  if (!by_command && !by_application) violate(shown + ", but only the cluster was away");
}

// A command that failed by itself, while the cluster was there and nobody took it to be away, is not tried
// again.
void SimulatedCluster::check_attempt(const ClientAttempt& attempt) {
  ClientAttempt before = attempt;
  --before.number;
  const auto found = clients_.find(key_of(before));
  if (found == clients_.end()) return;
  const Process& last = found->second;
  if (last.bad && last.exit_status == 1 && !last.saw_outage && !last.told_away && last.outages == outages_)
    violate(attempt.tag + " failed by itself and is tried again");
}

// It tells the job's end once, its applications, that its deadline has passed, once that it could not be
// killed, and once that the history does not tell of it, until it does.
void SimulatedCluster::check_log(const LiveJob& job, const std::string& shown) {
  std::size_t ends = 0, accepted_told = 0, late = 0, added = 0, cancelling = 0, not_killed = 0;
  bool unread = false;
  for (const LiveEvent& event : log_) {
    if (event.job != job.id) continue;
    added += event.what == "Added";
    cancelling += event.what == "Cancelling";
    not_killed += event.what == "NotKilled";
    if (event.what == "Late" && ends > 0 && job.state == LiveState::cancelled)
      violate(shown + ", and the log tells that it is late after that");
    ends += event.what == "Done" || event.what == "Failed" || event.what == "Cancelled" ||
            event.what == "Unknown";
    accepted_told += event.what == "Accepted";
    late += event.what == "Late";
    if (event.what != "Unanswered" && event.what != "Answered") continue;
    if (unread == (event.what == "Unanswered")) violate(shown + ", and the log tells twice: " + event.what);
    unread = !unread;
  }
  if (unread != job.unread) violate(shown + ", and the log does not tell whether the history tells of it");
  if (not_killed != static_cast<std::size_t>(job.unkilled))
    violate(fmt::format("{}, and the log tells {} times that it could not be killed", shown, not_killed));
  if (ends != 1) violate(fmt::format("{}, and the log tells {} ends", shown, ends));
  if (added > 1) violate(fmt::format("{}, and the log tells {} times that it was added", shown, added));
  if (cancelling > 1)
    violate(fmt::format("{}, and the log tells {} times that it is cancelled", shown, cancelling));
  if (accepted_told != job.applications.size())
    violate(fmt::format("{}, and the log tells {} of {} applications", shown, accepted_told,
                        job.applications.size()));
  const bool was_late = job.state == LiveState::done && job.deadline && job.ended_at > job.deadline;
  if (late > 1 || (was_late && late == 0) || (late > 0) != job.late || (late > 0 && !job.deadline))
    violate(fmt::format("{}, and the log tells {} times that it is late", shown, late));
}

// ── Promises

void SimulatedCluster::note_promise(const LiveJob& job) {
  if (job.promise) promised_.emplace(job.id, job);
}

void SimulatedCluster::check_promise(const LiveJob& job) {
  const auto found = promised_.find(job.id);
  if (found == promised_.end()) {
    if (job.promise) violate(job.id + " has a promise that nobody gave");
    return;
  }
  const LiveJob& given = found->second;
  const bool kept = job.promise && job.promise->tasks_from == given.promise->tasks_from &&
                    job.promise->end == given.promise->end &&
                    job.promise->confidence == given.promise->confidence && job.deadline == given.deadline &&
                    job.bounds == given.bounds;
  if (!kept) violate(job.id + " has lost its promise, or has another one");
}

// A promise stays as it was given, and the log tells each change of its risk, in the same entry.
void SimulatedCluster::check_promises(const JournalEntry& entry) {
  for (const auto& given : promised_) {
    const std::string& id = given.first;
    const auto is_it = [&](const LiveJob& job) { return job.id == id; };
    const LiveJob& stored = *std::find_if(batch_.jobs.begin(), batch_.jobs.end(), is_it);
    const auto written = std::find_if(entry.jobs.begin(), entry.jobs.end(), is_it);
    const LiveJob& after = written == entry.jobs.end() ? stored : *written;
    check_promise(after);
    if (!stored.promise || !after.promise) continue;
    bool at_risk = stored.promise->at_risk;
    for (const LiveEvent& event : entry.events) {
      if (event.job != id || (event.what != "PromiseAtRisk" && event.what != "PromiseSafe")) continue;
      if (at_risk == (event.what == "PromiseAtRisk"))
        violate(fmt::format("the log tells {} of {} twice", event.what, id));
      at_risk = !at_risk;
    }
    if (after.promise->at_risk != at_risk)
      violate(fmt::format("the log does not tell how the promise of {} stands", id));
  }
}

// A daemon looks at the batch as it was last written, and has readings of the tasks of promised jobs. It
// watches the nodes, too, and allows for waits and for the age of readings: here all is exact.
std::vector<FoundRisk> SimulatedCluster::risks() {
  std::vector<std::pair<std::string, std::string>> running;  // jobs and applications
  bool any = false;
  for (const LiveJob& job : batch_.jobs) {
    if (!job.promise || has_ended(job.state)) continue;
    any = true;
    if (job.state == LiveState::running && !job.applications.empty())
      running.emplace_back(job.id, job.applications.back());
  }
  if (!any) return {};
  ProgressByJob readings;
  for (const auto& [job, application] : running) {
    try {
      if (const auto reading = progress(application)) readings.emplace(job, *reading);
    } catch (const ExternalError&) {  // then nothing is known of its task
    }
  }
  return found_risks(batch_, readings, promise_rules(), wall());
}

std::vector<std::string> SimulatedCluster::surely_late() {
  std::vector<std::string> late;
  for (std::size_t i = 0; i < batch_.jobs.size(); ++i) {
    const LiveJob& job = batch_.jobs[i];
    if (!job.promise || has_ended(job.state)) continue;
    bool is_late = wall() > *job.deadline;
    for (const Run& run : runs_) {
      if (run.job != i || job.state != LiveState::running) continue;
      if (run.ends - run.starts > job.bounds->map) continue;  // nobody foresees that
      is_late |= wall() + (run.ends - now_) > *job.deadline;
    }
    if (is_late) late.push_back(job.id);
  }
  return late;
}

void SimulatedCluster::check_told(const std::string& job) {
  for (const LiveJob& each : batch_.jobs) {
    if (each.id == job && each.promise && !each.promise->at_risk)
      violate(job + " cannot keep its promise, and nobody is told");
  }
}

void SimulatedCluster::check_held(const LiveBatch& held, const std::vector<std::string>& dispatched) {
  if (held.round != batch_.round) violate("the round of the dispatching queue is not as the journal has it");
  std::vector<std::string> order;  // that whoever leads next takes up
  for (const std::string& id : batch_.round ? batch_.round->order : std::vector<std::string>()) {
    const auto job = std::find_if(batch_.jobs.begin(), batch_.jobs.end(),
                                  [&](const LiveJob& each) { return each.id == id; });
    if (job == batch_.jobs.end()) {
      violate("a round gave " + id + ", which is no job");
    } else if (!has_begun(job->state) && !has_ended(job->state)) {
      order.push_back(id);
    }
  }
  if (order != dispatched) violate("the journal has another order of the jobs that are to be submitted");
  for (std::size_t i = 0; i < held.jobs.size() && i < batch_.jobs.size(); ++i) {
    if (held.jobs[i] != batch_.jobs[i])
      violate(held.jobs[i].id + " is not as the journal has it, and nothing is left to be written");
  }
}

}  // namespace wavewright
