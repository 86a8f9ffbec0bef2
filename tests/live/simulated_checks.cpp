// What must hold at the end of a schedule, and when a command is started.
#include "tests/live/simulated_cluster.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

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
    const bool succeeded =
        no_application || (!own.empty() && own.back()->state == ApplicationState::succeeded &&
                           (ended_well || jobs_[i].applications == 1));
    const std::string shown = fmt::format("{} ended as {} ({})", job.id, to_string(job.state), job.reason);
    if (!has_ended(job.state)) violate(fmt::format("{} has not ended", job.id));
    if (!all_ended || alive) violate(shown + ", but something of it lives");
    if (job.state == LiveState::done && !succeeded) violate(shown + ", but it did not succeed");
    if (job.state == LiveState::failed && succeeded && ended_well) violate(shown + ", but it succeeded");
    if (job.state == LiveState::failed) check_failure(i, shown);
    const bool lost =
        (forgot_ || kept_ > 0) &&
        (own.empty() || std::any_of(own.begin(), own.end(), [](const Run* run) { return !run->recorded; }));
    const bool cut = jobs_[i].applications > 1 && stages_cut_;
    // A job that another machine began may stay unknown, unless its only application showed its end.
    const bool afar = afar_.contains(job.tag) && (own.empty() || jobs_[i].applications > 1);
    if (job.state == LiveState::unknown && !lost && !cut && !afar)
      violate(shown + ", but nothing was forgotten");
    const bool last_failed = !own.empty() && !job.applications.empty() &&
                             job.applications.back() == own.back()->id && own.back()->ended &&
                             own.back()->state != ApplicationState::succeeded;
    if (job.state == LiveState::unknown && !lost && !afar && last_failed)
      violate(shown + ", but its last application failed");
    if (job.state == LiveState::cancelled && !wished_.contains(job.id)) {
      const bool before = std::any_of(job.after.begin(), job.after.end(), [&](const std::string& id) {
        return std::any_of(batch_.jobs.begin(), batch_.jobs.end(), [&](const LiveJob& each) {
          return each.id == id && has_ended(each.state) && each.state != LiveState::done;
        });
      });
      if (!before) violate(shown + ", which nobody asked for");
    }
    std::set<std::string> known(job.applications.begin(), job.applications.end());
    for (const Run* run : own) {
      if (!known.contains(run->id) && !forgot_ && kept_ == 0)
        violate(shown + ", and does not know of " + run->id);
    }
    check_log(job, shown);
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

// It tells the job's end once, its applications, and that its deadline has passed.
void SimulatedCluster::check_log(const LiveJob& job, const std::string& shown) {
  std::size_t ends = 0, accepted_told = 0, late = 0, added = 0;
  for (const LiveEvent& event : log_) {
    if (event.job != job.id) continue;
    added += event.what == "Added";
    if (event.what == "Late" && ends > 0 && job.state == LiveState::cancelled)
      violate(shown + ", and the log tells that it is late after that");
    ends += event.what == "Done" || event.what == "Failed" || event.what == "Cancelled" ||
            event.what == "Unknown";
    accepted_told += event.what == "Accepted";
    late += event.what == "Late";
  }
  if (ends != 1) violate(fmt::format("{}, and the log tells {} ends", shown, ends));
  if (added > 1) violate(fmt::format("{}, and the log tells {} times that it was added", shown, added));
  if (accepted_told != job.applications.size())
    violate(fmt::format("{}, and the log tells {} of {} applications", shown, accepted_told,
                        job.applications.size()));
  const bool was_late = job.state == LiveState::done && job.deadline && job.ended_at > job.deadline;
  if (late > 1 || (was_late && late == 0) || (late > 0) != job.late || (late > 0 && !job.deadline))
    violate(fmt::format("{}, and the log tells {} times that it is late", shown, late));
}

}  // namespace wavewright
