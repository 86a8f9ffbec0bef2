#include "apps/commands/run_daemon.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "apps/commands/follow_events.h"
#include "apps/commands/live_view.h"
#include "apps/commands/night.h"
#include "apps/commands/run_checks.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/outlook/queue_check.h"
#include "wavewright/live/submission/submission.h"

namespace wavewright::app {

namespace {

// Tells what happens to those jobs until all have ended. False after Ctrl-C. `began`: when the first of it
// did.
bool follow(const Context& context, BatchDesk& desk, const std::set<std::string>& ours, std::int64_t behind,
            std::optional<Time>& began) {
  std::set<std::string> open = ours;
  return follow_events(context, desk, behind, Time::max(), [&](const NumberedEvent& each) {
    if (!ours.contains(each.event.job)) return true;
    if (!began) began = each.event.at;
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

// How far off estimates of the profiles of these jobs have been, as the daemon tells; without forecasts.
Outlook known_records(const Outlook& told, const std::vector<LiveJob>& jobs) {
  Outlook known;
  for (const LiveJob& job : jobs) {
    if (const TrackRecord* record = told.record_of(job)) known.records[job.profile] = *record;
  }
  return known;
}

// Compares what was promised of the jobs with what happened, and tells it. `began`: when they were added.
// Returns how many deadlines were not met.
std::size_t check(const Context& context, const std::string& daemon, LiveBatch batch,
                  std::optional<Time> began) {
  batch.endless = false;  // these jobs of the daemon's queue are a batch
  batch.began = began.value_or(batch.began);
  const NightCheck night = check_night(batch, {}, Time::min(), now_instant());
  if (const std::string text = night_summary(night); !text.empty())
    context.note(text + "job by job: wavewright night --check --daemon " + shell_text({daemon}));
  return night.broken;
}

}  // namespace

int run_at_daemon(const Context& context, const DeskOptions& where, const JobsToAdd& jobs, bool no_check) {
  context.ends_itself = true;
  const std::unique_ptr<BatchDesk> desk = open_desk(context, where);
  const std::int64_t before = desk->last_event();
  const Json added = desk->add(jobs, {});
  if (const std::string users = users_note(added, "the daemon"); !users.empty()) context.note(users);
  std::vector<std::string> ids;
  for (const Json& job : added.at("jobs")) ids.push_back(job.at("id"));
  LiveBatch batch = desk->head();
  context.note(
      harmless(fmt::format("{} jobs added to batch {} of {}", ids.size(), batch.name, where.daemon)));
  std::optional<Time> began;
  if (!follow(context, *desk, {ids.begin(), ids.end()}, before, began)) {
    context.note(
        fmt::format("the jobs go on; 'wavewright queue --daemon {}' shows them", shell_text({where.daemon})));
    return static_cast<int>(ExitStatus::interrupted);
  }
  batch.jobs = jobs_with(*desk, ids);
  const Outlook known = known_records(desk->outlook(), batch.jobs);
  if (context.json) {
    Json document = live_document(batch, known);
    document["expected_makespan_ms"] = nullptr;
    context.print(document);
  } else {
    print_live(batch);
    print_records(known);
  }
  std::cout.flush();
  const bool all_done = batch.jobs.size() == ids.size() &&
                        std::all_of(batch.jobs.begin(), batch.jobs.end(),
                                    [](const LiveJob& job) { return job.state == LiveState::done; });
  const bool kept = no_check || check(context, where.daemon, std::move(batch), began) == 0;
  return static_cast<int>(all_done && kept ? ExitStatus::done : ExitStatus::no);
}

}  // namespace wavewright::app
