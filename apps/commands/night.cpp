// `wavewright night`: what was promised of a batch against what happened or is to be expected.
#include "apps/commands/night.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/batch_desk.h"
#include "apps/commands/live_commands.h"
#include "apps/commands/live_view.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/or_null.h"
#include "wavewright/core/when.h"
#include "wavewright/live/outlook/outlook_document.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright::app {

namespace {

struct Options {
  DeskOptions desk;
  std::string from;
  bool check = false;
};

std::string run_of(std::string application) {
  constexpr std::string_view prefix = "application_";
  if (application.starts_with(prefix)) application.replace(0, prefix.size(), "job_");
  return application;
}

JobHistory history_of(const Store& store, const LiveJob& job) {
  JobHistory history;
  for (const std::string& application : job.applications) {
    store.each_run({.id = run_of(application)}, [&](JobRun&& run) {
      const RunPhases phases = phases_of(run);
      history.failed_attempts += phases.map_attempts.failed + phases.reduce_attempts.failed;
      if (phases.submit && phases.startup && !history.first_task)
        history.first_task = *phases.submit + *phases.startup;
    });
  }
  return history;
}

std::string off_text(Duration off) {
  if (off == Duration{}) return "on time";
  return (off < Duration{} ? "-" : "+") + format_duration(std::chrono::abs(off));
}

std::optional<Forecast> end_of_all(const LiveBatch& batch, const Outlook& outlook) {
  std::optional<Forecast> last;
  for (const LiveJob& job : batch.jobs) {
    if (has_ended(job.state)) continue;
    const JobOutlook* ahead = outlook.of(job.id);
    if (ahead == nullptr || !ahead->end) return std::nullopt;
    if (!last) last = *ahead->end;
    last = Forecast{std::max(last->p5, ahead->end->p5), std::max(last->p50, ahead->end->p50),
                    std::max(last->p95, ahead->end->p95)};
  }
  return last;
}

void print(const LiveBatch& batch, const NightCheck& night, const Outlook& outlook) {
  std::cout << fmt::format("batch {}, since {}: {}\n", harmless(batch.name), format_instant(batch.began),
                           states_text(batch));
  Table table{{{"id", "job", false, true},
               {"state", "state"},
               {"promised_ms", "promised", true},
               {"ended_ms", "ended", true},
               {"off_ms", "off by", true},
               {"error", "error", true},
               {"p95_ms", "95 % by", true},
               {"deadline_ms", "deadline", true},
               {"kept", "kept"},
               {"why", "why", false, true}},
              {}};
  for (const CheckedJob& job : night.jobs) {
    const JobOutlook* ahead = has_ended(job.state) ? nullptr : outlook.of(job.id);
    const auto p95 = ahead != nullptr && ahead->end ? std::optional(ahead->end->p95) : std::nullopt;
    table.rows.push_back(
        {job.id, std::string(to_string(job.state)), clock_cell(job.promised_end), clock_cell(job.end),
         job.off ? Cell(off_text(*job.off), to_ms(*job.off)) : Cell("", nullptr),
         job.error ? Cell(fmt::format("{:+.0f} %", 100 * *job.error), *job.error) : Cell("", nullptr),
         clock_cell(p95), clock_cell(job.deadline),
         job.deadline_met ? Cell(*job.deadline_met ? "yes" : "no", *job.deadline_met) : Cell("", nullptr),
         job.why});
  }
  write_table(std::cout, table);
  std::cout << night_summary(night);
  bool estimated = false;
  for (const LiveJob& job : batch.jobs) {
    const JobOutlook* ahead = has_ended(job.state) ? nullptr : outlook.of(job.id);
    estimated = estimated || (ahead != nullptr && ahead->end);
  }
  if (const auto end = end_of_all(batch, outlook))
    std::cout << fmt::format("all end about {} ({} to {})\n", format_clock(end->p50), format_clock(end->p5),
                             format_clock(end->p95));
  if (estimated) print_records(outlook);
}

Json document_of(const LiveBatch& batch, const NightCheck& night, const Outlook& outlook) {
  Json document = {{"run", batch.name},
                   {"began_ms", to_ms(batch.began)},
                   {"promised_makespan_ms", or_null(night.promised)},
                   {"makespan_ms", or_null(night.took)},
                   {"end", wavewright::document_of(end_of_all(batch, outlook))},
                   {"checked", night.checked},
                   {"mean_error", night.mean_error},
                   {"broken", night.broken},
                   {"records", Json::object()},
                   {"jobs", Json::array()}};
  for (const auto& [profile, record] : outlook.records)
    document["records"][profile] = wavewright::document_of(record);
  for (const CheckedJob& job : night.jobs) {
    const JobOutlook* ahead = has_ended(job.state) ? nullptr : outlook.of(job.id);
    document["jobs"].push_back(
        {{"id", job.id},
         {"state", to_string(job.state)},
         {"promised_start_ms", or_null(job.promised_start)},
         {"promised_end_ms", or_null(job.promised_end)},
         {"start_ms", or_null(job.start)},
         {"end_ms", or_null(job.end)},
         {"off_ms", or_null(job.off)},
         {"error", or_null(job.error)},
         {"deadline_ms", or_null(job.deadline)},
         {"deadline_met", or_null(job.deadline_met)},
         {"forecast", wavewright::document_of(ahead != nullptr ? ahead->end : std::nullopt)},
         {"why", job.why}});
  }
  return document;
}

int night_command(const Context& context, const Options& options) {
  const std::unique_ptr<BatchDesk> desk = open_desk(context, options.desk);
  const LiveBatch batch = desk->read();
  const Time now = now_instant();
  Time from = batch.endless ? now - std::chrono::hours(24) : batch.began - std::chrono::hours(24);
  if (!options.from.empty()) from = parse_when(options.from, now);
  const Outlook outlook = desk->outlook();
  const NightCheck night = desk->night(from);
  if (context.json) {
    context.print(document_of(batch, night, outlook));
  } else {
    print(batch, night, outlook);
  }
  return static_cast<int>(options.check && night.broken > 0 ? ExitStatus::no : ExitStatus::done);
}

}  // namespace

NightCheck night_of(const Store& store, const LiveBatch& batch, Time from) {
  std::unordered_map<std::string, JobHistory> histories;
  for (const LiveJob& job : batch.jobs) {
    if (!job.applications.empty() && has_ended(job.state) && job.ended_at.value_or(from) >= from)
      histories[job.id] = history_of(store, job);
  }
  return check_night(batch, histories, from, now_instant());
}

std::string night_summary(const NightCheck& night) {
  std::string text;
  if (night.checked > 0)
    text = fmt::format("{} job{} ended on average {:.0f} % of the promised length off", night.checked,
                       night.checked == 1 ? "" : "s", 100 * night.mean_error);
  if (night.promised && night.took && *night.promised > Duration{}) {
    const double off = static_cast<double>((*night.took - *night.promised).count()) /
                       static_cast<double>(night.promised->count());
    text += fmt::format("{}the whole took {} instead of {} ({:+.1f} %)", text.empty() ? "" : "; ",
                        format_duration(*night.took), format_duration(*night.promised), 100 * off);
  }
  if (!text.empty()) text += '\n';
  const CheckedJob* worst = nullptr;
  for (const CheckedJob& job : night.jobs) {
    if (job.why.empty() || !job.off ||
        (worst != nullptr && std::chrono::abs(*worst->off) >= std::chrono::abs(*job.off)))
      continue;
    worst = &job;
  }
  if (worst != nullptr)
    text +=
        harmless(fmt::format("most off: {} by {}: {}", worst->id, off_text(*worst->off), worst->why)) + '\n';
  if (night.broken > 0)
    text += fmt::format("{} deadline{} not met\n", night.broken, night.broken == 1 ? " was" : "s were");
  return text;
}

void add_night(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      root.add_subcommand("night", "What was promised of a batch against what happened, job by job");
  command->footer("Example: wavewright night --check");
  command->add_flag("--check", options->check, "end with 1 if a deadline was not met");
  options->desk.declare(*command, "the batch");
  command
      ->add_option("--from", options->from,
                   "leave out what ended before (default: all of a batch, a day of a daemon's queue)")
      ->type_name("WHEN");
  command->callback([&context, options] {
    options->desk.parsed();
    context.run = [&context, options] { return night_command(context, *options); };
  });
}

}  // namespace wavewright::app
