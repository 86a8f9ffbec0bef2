#include "apps/commands/run_daemon.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "apps/commands/live_view.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/when.h"
#include "wavewright/live/live_document.h"
#include "wavewright/live/submission.h"

namespace wavewright::app {

namespace {

bool is_end(std::string_view what) {
  static constexpr std::array<std::string_view, 4> ends = {"Done", "Failed", "Cancelled", "Unknown"};
  return std::find(ends.begin(), ends.end(), what) != ends.end();
}

// Follows events until those jobs have ended. False after Ctrl-C.
class Follower {
 public:
  Follower(const Context& context, BatchDesk& desk, std::set<std::string> open, std::int64_t behind)
      : context_(context), desk_(desk), open_(std::move(open)), ours_(open_), last_(behind) {}

  bool follow() {
    std::string away;
    while (!open_.empty()) {
      if (context_.interrupted.load()) return false;
      try {
        desk_.follow(last_, std::chrono::seconds(1), [&](const NumberedEvent& event) { take(event); });
        away.clear();
      } catch (const Interrupted&) {
        return false;
      } catch (const ExternalError& error) {
        if (away != error.what()) context_.note(fmt::format("{}; waiting", error.what()));
        away = error.what();
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
      }
    }
    return true;
  }

 private:
  void take(const NumberedEvent& event) {
    last_ = event.number;
    if (!ours_.contains(event.event.job)) return;
    std::string line =
        fmt::format("{}  {}  {}", format_clock(event.event.at), event.event.job, event_word(event.event));
    if (!event.event.detail.empty()) line += ": " + event.event.detail;
    context_.note(harmless(line));
    if (is_end(event.event.what)) open_.erase(event.event.job);
  }

  const Context& context_;
  BatchDesk& desk_;
  std::set<std::string> open_, ours_;
  std::int64_t last_;
};

// Those of the queue and those that have left it for the archive, in the order of `ids`.
std::vector<LiveJob> jobs_with(BatchDesk& desk, const std::vector<std::string>& ids) {
  std::map<std::string, LiveJob> found;
  constexpr std::size_t most_archived = 10'000;
  for (std::vector<LiveJob> list : {desk.ended(most_archived), desk.read().jobs}) {
    for (LiveJob& job : list) found[job.id] = std::move(job);
  }
  std::vector<LiveJob> jobs;
  for (const std::string& id : ids) {
    if (const auto job = found.find(id); job != found.end()) jobs.push_back(job->second);
  }
  return jobs;
}

}  // namespace

int run_at_daemon(const Context& context, const DeskOptions& where, const JobsToAdd& jobs) {
  context.ends_itself = true;
  const std::unique_ptr<BatchDesk> desk = open_desk(context, where);
  const std::int64_t before = desk->last_event();
  const Json added = desk->add(jobs);
  std::vector<std::string> ids;
  for (const Json& job : added.at("jobs")) ids.push_back(job.at("id"));
  LiveBatch batch = desk->head();
  context.note(
      harmless(fmt::format("{} jobs added to batch {} of {}", ids.size(), batch.name, where.daemon)));
  const bool ended = Follower(context, *desk, {ids.begin(), ids.end()}, before).follow();
  if (!ended) {
    context.note(
        fmt::format("the jobs go on; 'wavewright queue --daemon {}' shows them", shell_text({where.daemon})));
    return static_cast<int>(ExitStatus::interrupted);
  }
  batch.jobs = jobs_with(*desk, ids);
  if (context.json) {
    Json document = live_document(batch);
    document["expected_makespan_ms"] = nullptr;
    context.print(document);
  } else {
    print_live(batch);
  }
  const bool good = std::all_of(batch.jobs.begin(), batch.jobs.end(), [](const LiveJob& job) {
    return job.state == LiveState::done && (!job.deadline || !job.ended_at || *job.ended_at <= *job.deadline);
  });
  return static_cast<int>(good && batch.jobs.size() == ids.size() ? ExitStatus::done : ExitStatus::no);
}

}  // namespace wavewright::app
