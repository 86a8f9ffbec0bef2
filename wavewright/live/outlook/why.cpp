#include "wavewright/live/outlook/why.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wavewright/core/when.h"
#include "wavewright/live/submission/client_processes.h"
#include "wavewright/live/submission/submission.h"

namespace wavewright {

namespace {

constexpr std::array<std::string_view, 18> code_words = {
    "NobodyRunsIt",   "Held",         "AfterJobs",    "NotBefore", "DispatchingQueue", "BehindOthers",
    "CommandStarted", "MasterStarts", "QueueMasters", "UserLimit", "QueueFull",        "ClusterFull",
    "WaitsForTasks",  "Runs",         "Done",         "Failed",    "Cancelled",        "Unknown"};

std::string interval_text(const Forecast& at) {
  return fmt::format("about {} ({} to {})", format_clock(at.p50), format_clock(at.p5), format_clock(at.p95));
}

bool contains(const std::string& text, std::string_view part) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// By what YARN's Capacity scheduler says [Hadoop: CSAMContainerLaunchDiagnosticsConstants,
// ActivityDiagnosticConstant].
WhyCode code_of(const std::string& words) {
  if (contains(words, "queue's am resource limit exceeded")) return WhyCode::queue_masters;
  if (contains(words, "user's am resource limit exceeded") || contains(words, "user max-capacity limit"))
    return WhyCode::user_limit;
  if (contains(words, "am container is launched")) return WhyCode::master_starts;
  if (contains(words, "max-capacity limit") || contains(words, "enough headroom")) return WhyCode::queue_full;
  return WhyCode::cluster_full;
}

class Asked {
 public:
  Asked(const LiveBatch& batch, std::span<const LiveJob> jobs, const LiveJob& job, const WhyFacts& facts,
        Time now)
      : batch_(batch), jobs_(jobs), job_(job), facts_(facts), now_(now) {}

  Why answer() {
    add_yarn();
    if (const JobOutlook* outlook = has_ended(job_.state) ? nullptr : facts_.outlook->of(job_.id)) {
      why_.start = outlook->start;
      why_.end = outlook->end;
    }
    if (has_ended(job_.state)) {
      ended();
    } else if (!facts_.led) {
      say(WhyCode::nobody_runs_it,
          has_begun(job_.state) ? "it is on the cluster, and no program follows the batch"
                                : "no program runs the batch",
          batch_.endless ? command("serve", true) : "wavewright run --continue " + shell_text({batch_.name}));
    } else if (has_begun(job_.state)) {
      begun();
    } else {
      waits();
    }
    if (job_.promise && !has_ended(job_.state))
      why_.sentence +=
          (job_.promise->at_risk ? "; it may miss its promised deadline " : "; it is promised by ") +
          format_instant(*job_.deadline);
    return std::move(why_);
  }

 private:
  void say(WhyCode code, std::string sentence, std::string next) {
    why_.code = code;
    why_.sentence = std::move(sentence);
    why_.next = std::move(next);
  }

  [[nodiscard]] std::string command(const std::string& verb, bool of_batch = false) const {
    const std::string run = " --run " + shell_text({batch_.name});
    return "wavewright " + verb + (of_batch ? "" : " " + shell_text({job_.id})) + run;
  }

  void add_yarn() {
    if (!facts_.yarn) return;
    why_.yarn = facts_.yarn->diagnostics;
    for (const std::string& each : facts_.yarn->activities) {
      if (why_.yarn.find(each) != std::string::npos) continue;
      why_.yarn += (why_.yarn.empty() ? "" : "; ") + each;
    }
  }

  void ended() {
    const std::string log = fmt::format("tail -n 20 {}", shell_text({log_file()}));
    const std::string application = job_.applications.empty() ? "" : job_.applications.back();
    const std::string logs = application.empty() ? log : "yarn logs -applicationId " + application;
    const std::string reason = job_.reason.empty() ? "" : ": " + job_.reason;
    if (job_.state == LiveState::done)
      return say(WhyCode::done,
                 job_.ended_at ? "it ended at " + format_instant(*job_.ended_at) : "it has ended",
                 command("night --check", true));
    if (job_.state == LiveState::failed) return say(WhyCode::failed, "it failed" + reason, logs);
    if (job_.state == LiveState::cancelled)
      return say(WhyCode::cancelled, "it was cancelled" + reason, command("queue", true));
    say(WhyCode::unknown, "nothing is left that could tell how it ended" + reason,
        "yarn application -list -appStates ALL -appTags " + job_.tag);
  }

  [[nodiscard]] std::string its_queue() const {
    const std::string& queue = queue_of(job_);
    return queue.empty() ? "default" : queue;
  }
  [[nodiscard]] std::string log_file() const {
    return ClientProcesses::log_of({batch_.submissions, {}, job_.tag, job_.attempts, {}}).string();
  }

  [[nodiscard]] std::string starts() const {
    return why_.start ? "starts " + interval_text(*why_.start) : "";
  }
  [[nodiscard]] std::string ends() const { return why_.end ? "ends " + interval_text(*why_.end) : ""; }

  static std::string joined(const std::string& a, const std::string& b, const char* with = ", ") {
    return a.empty() || b.empty() ? a + b : a + with + b;
  }

  void waits() {
    if (job_.state == LiveState::held) return say(WhyCode::held, "its user holds it", command("release"));
    std::string before;
    const LiveJob* first = nullptr;
    std::size_t ahead = 0;
    bool behind = false;
    for (const LiveJob& each : jobs_) {
      behind = behind || &each == &job_ || each.id == job_.id;
      ahead += !behind && each.state == LiveState::waiting && each.not_before <= now_;
      if (each.state == LiveState::done ||
          std::find(job_.after.begin(), job_.after.end(), each.id) == job_.after.end())
        continue;
      if (first == nullptr) first = &each;
      before = joined(before, fmt::format("{} ({})", each.id, to_string(each.state)), " and ");
    }
    if (first != nullptr)
      return say(WhyCode::after_jobs, joined(starts(), "after " + before),
                 "wavewright why " + shell_text({first->id}) + " --run " + shell_text({batch_.name}));
    if (job_.not_before > now_)
      return say(WhyCode::not_before,
                 joined(starts(), "may not be submitted before " + format_instant(job_.not_before)),
                 command("queue --start", true));
    count_more();
    const std::string more = joined(joined(starts(), room_from()), more_text(), "; ");
    if (batch_.has_queue())
      return say(WhyCode::dispatching_queue,
                 joined(more, "in the dispatching queue, ordered by " + batch_.ordering->when, "; "),
                 command("queue --start", true));
    say(WhyCode::behind_others,
        joined(more,
               ahead == 0 ? "it is submitted next"
                          : fmt::format("{} submitted first",
                                        ahead == 1 ? "1 other is" : fmt::format("{} others are", ahead)),
               "; "),
        command("queue --start", true));
  }

  void begun() {
    const std::string application = job_.applications.empty() ? "" : job_.applications.back();
    if (job_.state == LiveState::submitting)
      return say(WhyCode::command_started,
                 fmt::format("its command was started at {}, and YARN has no application of it yet",
                             format_clock(job_.submitting_since.value_or(now_))),
                 "tail -n 20 " + shell_text({log_file()}));
    if (job_.state == LiveState::accepted) {
      count_more();
      const WhyCode code = code_of(why_.yarn);
      const std::string what = code == WhyCode::master_starts   ? "its application master starts"
                               : code == WhyCode::queue_masters ? "its queue has as many masters as it may"
                               : code == WhyCode::user_limit    ? "its user has as much as they may"
                               : code == WhyCode::queue_full    ? "its queue has as much as it may"
                                                                : "no node has room for its master";
      const bool limits = code != WhyCode::cluster_full && code != WhyCode::master_starts;
      // A limit of the masters' share lets it start when another job ends, however many containers are free.
      const bool masters = contains(why_.yarn, "am resource limit exceeded");
      if (code == WhyCode::master_starts) why_.more.reset();
      if (masters) why_.more.reset();
      const std::string from = code == WhyCode::master_starts ? "" : room_from(masters);
      return say(code, joined(joined(joined(starts(), from), more_text(), "; "), what, "; "),
                 limits ? "yarn queue -status " + shell_text({its_queue()}) : command("queue --start", true));
    }
    const JobOutlook* outlook = facts_.outlook->of(job_.id);
    const std::string next =
        application.empty() ? command("queue", true) : "yarn application -status " + application;
    if (outlook == nullptr || !outlook->progress) return say(WhyCode::runs, joined("it runs", ends()), next);
    const JobProgress& progress = *outlook->progress;
    const bool maps = progress.maps.done < progress.maps.total;
    const StageProgress& stage = maps ? progress.maps : progress.reduces;
    const Count asked = stage.total - stage.done - stage.running;
    const std::string how = fmt::format("{} of {} {} are done, {} run", stage.done, stage.total,
                                        maps ? "maps" : "reduces", stage.running);
    if (asked > 0) {
      why_.more = asked;
      return say(WhyCode::waits_for_tasks,
                 joined(fmt::format("{}, {} wait for containers", how, asked), ends(), "; "), next);
    }
    say(WhyCode::runs, joined(how, ends(), "; "), next);
  }

  // The running job with an end of its maps, or of itself, nearest to the start. `of_master`: of itself
  // alone.
  [[nodiscard]] std::string room_from(bool of_master = false) const {
    if (!why_.start || why_.start->p50 - now_ < ms(1'000)) return {};
    std::optional<Duration> nearest;
    std::string found;
    const auto look = [&](const std::optional<Forecast>& at, const std::string& what) {
      if (!at) return;
      const Duration apart = std::chrono::abs(at->p50 - why_.start->p50);
      if (nearest && apart >= *nearest) return;
      nearest = apart;
      found = what;
    };
    for (const LiveJob& each : jobs_) {
      if (each.state != LiveState::running || each.id == job_.id) continue;
      const JobOutlook* outlook = facts_.outlook->of(each.id);
      if (outlook == nullptr) continue;
      if (!of_master) look(outlook->maps_done, fmt::format("after {}'s maps", each.id));
      look(outlook->end, "after " + each.id);
    }
    return found;
  }

  // Containers that are asked for before its first one, and that one, without those for which there is room.
  void count_more() {
    Count asked = 1;
    for (const LiveJob& each : jobs_) {
      if (each.id == job_.id) continue;
      if (each.state == LiveState::accepted &&
          (!has_begun(job_.state) || each.accepted_at < job_.accepted_at))
        asked += 1 + each.maps.tasks;
      if (each.state != LiveState::running) continue;
      const JobOutlook* outlook = facts_.outlook->of(each.id);
      if (outlook == nullptr || !outlook->progress) continue;
      const JobProgress& progress = *outlook->progress;
      const StageProgress& stage =
          progress.maps.done < progress.maps.total ? progress.maps : progress.reduces;
      asked += std::max<Count>(0, stage.total - stage.done - stage.running);
    }
    if (!facts_.yarn || !facts_.yarn->has_room) return;
    const Bytes each = facts_.containers.value_or(Containers{}).map.memory;
    const Count room = each.count > 0 ? facts_.yarn->room.count / each.count : 0;
    if (asked > room) why_.more = asked - room;
  }

  [[nodiscard]] std::string more_text() const {
    if (!why_.more) return {};
    return fmt::format("would start now with {} more container{}", *why_.more, *why_.more == 1 ? "" : "s");
  }

  const LiveBatch& batch_;
  std::span<const LiveJob> jobs_;
  const LiveJob& job_;
  const WhyFacts& facts_;
  Time now_;
  Why why_;
};

}  // namespace

std::string_view to_string(WhyCode code) {
  return code_words[static_cast<std::size_t>(code)];
}

const std::vector<std::string>& why_codes() {
  static const std::vector<std::string> all(code_words.begin(), code_words.end());
  return all;
}

Why why(const LiveBatch& batch, std::span<const LiveJob> jobs, const LiveJob& job, const WhyFacts& facts,
        Time now) {
  return Asked(batch, jobs, job, facts, now).answer();
}

Why why(const LiveBatch& batch, const LiveJob& job, const WhyFacts& facts, Time now) {
  return why(batch, batch.jobs, job, facts, now);
}

}  // namespace wavewright
