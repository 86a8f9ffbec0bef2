#include "apps/commands/run_daemon.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/commands/follow_events.h"
#include "apps/commands/live_view.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/submission/submission.h"

namespace wavewright::app {

namespace {

bool is_end(std::string_view what) {
  static constexpr std::array<std::string_view, 4> ends = {"Done", "Failed", "Cancelled", "Unknown"};
  return std::find(ends.begin(), ends.end(), what) != ends.end();
}

// Tells what happens to those jobs until all have ended. False after Ctrl-C.
bool follow(const Context& context, BatchDesk& desk, const std::set<std::string>& ours, std::int64_t behind) {
  std::set<std::string> open = ours;
  return follow_events(context, desk, behind, Time::max(), [&](const NumberedEvent& each) {
    if (!ours.contains(each.event.job)) return true;
    context.note(event_line(format_clock(each.event.at), each.event));
    if (is_end(each.event.what)) open.erase(each.event.job);
    return !open.empty();
  });
}

// The jobs of the queue and of its archive with these ids, in this order.
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
  const Json added = desk->add(jobs, {});
  std::vector<std::string> ids;
  for (const Json& job : added.at("jobs")) ids.push_back(job.at("id"));
  LiveBatch batch = desk->head();
  context.note(
      harmless(fmt::format("{} jobs added to batch {} of {}", ids.size(), batch.name, where.daemon)));
  if (!follow(context, *desk, {ids.begin(), ids.end()}, before)) {
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
