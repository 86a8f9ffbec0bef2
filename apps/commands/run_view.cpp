#include "apps/commands/run_view.h"

#include <algorithm>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/choices.h"
#include "apps/commands/profile_lengths.h"
#include "apps/commands/run_pools.h"
#include "apps/commands/run_rent.h"
#include "apps/table.h"
#include "wavewright/core/when.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/plan/job_ids.h"

namespace wavewright::app {

namespace {

std::string when_text(const Job& job, const JobIds& ids, const JobLabels& labels) {
  std::string text =
      job.submit == Time{} ? "at once" : format_duration(job.submit - Time{}) + " after the start";
  if (job.after.empty()) return text;
  std::vector<std::string> names;
  for (const JobIndex before : ids[job.after]) names.push_back(labels[before]);
  return fmt::format("{}, when {} {} done", text, fmt::join(names, " and "),
                     names.size() == 1 ? "is" : "are");
}

void print_submissions(const RunBatch& batch, const JobListing& listing) {
  const JobLabels labels(batch.ordered.jobs, listing.ids);
  const JobIds ids(batch.ordered);
  constexpr std::size_t shown_at_most = 25;
  const std::size_t jobs = batch.ordered.jobs.size();
  const std::size_t shown = listing.all ? jobs : std::min(jobs, shown_at_most);
  for (std::size_t i = 0; i < shown; ++i) {
    const Submission& submission = batch.submissions[i];
    std::cout << fmt::format("{}  {}: {}\n   {}\n", i + 1, harmless(labels[i]),
                             harmless(when_text(batch.ordered.jobs[i], ids, labels)),
                             harmless(shell_text(submission.command)));
    if (!submission.without.empty())
      std::cout << fmt::format("   its command takes no {}\n", fmt::join(submission.without, ", "));
  }
  if (shown < jobs) std::cout << fmt::format("… {} more; --all-jobs or --json shows them\n", jobs - shown);
}

// Empty unless the plan's order is worse here than the file's. A plan for energy is not for time.
std::string plan_warning(const RunBatch& batch, const Expectation& expected) {
  if (!batch.plan || batch.energy) return {};
  const auto change = expected.change(batch.plan->objective);
  if (!change || *change <= 0) return {};
  return fmt::format(
      "WARNING: in the plan's order the {} is {:.1f} % longer on this cluster than as listed; "
      "run it without --plan",
      entry_of(batch.plan->objective).name, 100 * *change);
}

}  // namespace

void warn_of_plan(const Context& context, const RunBatch& batch, const Expectation& expected) {
  if (const std::string text = plan_warning(batch, expected); !text.empty()) context.note(text);
}

void print_records(const Context& context, const RunBatch& batch) {
  show_records(records_of(context, batch.ordered));
}

void print_expectation(const RunBatch& batch, const Expectation& expected) {
  Table table{{{"order", "expected", false, false},
               {"makespan_ms", "makespan", true, false},
               {"total_completion_ms", "total completion", true, false}},
              {}};
  const bool has_range = expected.listed.makespan_range.has_value();
  if (has_range) table.columns.push_back({"makespan_range", "makespan of 9 in 10", true, false});
  const auto add = [&](const std::string& what, const std::optional<ExpectedRun>& run) {
    if (!run) return;
    table.rows.push_back({what, Cell(format_duration(run->makespan), to_ms(run->makespan)),
                          Cell(format_duration(run->total_completion), to_ms(run->total_completion))});
    if (!has_range) return;
    const auto& range = run->makespan_range;
    table.rows.back().emplace_back(
        range ? fmt::format("{} to {}", format_duration(range->p5), format_duration(range->p95)) : "");
  };
  add("as planned, on slots", expected.planned);
  add((batch.plan ? "submitted in the plan's order, under " : "submitted by the dispatching queue, under ") +
          expected.scheduler,
      expected.ordered);
  add("submitted as listed, under " + expected.scheduler, expected.listed);
  std::cout << '\n';
  write_table(std::cout, table);
  if (expected.pace) {
    std::cout << fmt::format("YARN has a job {} after its command was started, and the next one {} later",
                             format_duration(expected.pace->until_accepted),
                             format_duration(expected.pace->between));
    std::cout << (expected.pace->jobs > 0
                      ? fmt::format(" (medians of {} earlier jobs, from whose times each run draws)\n",
                                    expected.pace->jobs)
                      : std::string("\n"));
  }
  if (!batch.plan || batch.energy) return;
  const auto change = expected.change(batch.plan->objective);
  if (!change) return;
  const std::string what = entry_of(batch.plan->objective).name;
  if (*change > 0) {
    std::cout << plan_warning(batch, expected) << '\n';
  } else if (*change < 0) {
    std::cout << fmt::format("in the plan's order the {} is {:.1f} % shorter than as listed\n", what,
                             -100 * *change);
  } else {
    std::cout << fmt::format("the {} is the same in both orders\n", what);
  }
}

void print_dry_run(const Context& context, const RunBatch& batch, const RunRequest& request,
                   const LiveRequest& live, const JobListing& listing,
                   const std::optional<Expectation>& expected, const std::optional<Json>& rent) {
  std::optional<WebServer> server;
  if (request.pools) server.emplace(server_urls(live.resource_manager, 8088), live.ca_file);
  const std::map<std::string, TrackRecord> records = records_of(context, batch.ordered);
  if (context.json) {
    Json document = run_document(batch, request, expected);
    document["pools"] = request.pools ? pools_document(*request.pools, *server) : Json(nullptr);
    if (rent) document["rent"] = *rent;
    document["records"] = Json::object();
    add_records(document, records);
    context.print(document);
    return;
  }
  if (request.pools) print_pools(*request.pools, *server);
  print_submissions(batch, listing);
  if (!batch.not_applied.empty())
    std::cout << fmt::format("not applied, as the cluster's scheduler cannot be told: {}\n",
                             fmt::join(batch.not_applied, ", "));
  if (expected) print_expectation(batch, *expected);
  show_records(records);
  if (rent) print_rent(*rent);
  std::cout << "nothing was submitted\n";
  if (!expected) context.note("with --cluster FILE ('wavewright init' writes one) this says what to expect");
}

}  // namespace wavewright::app
