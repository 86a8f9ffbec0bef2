#include "apps/commands/simulate_why.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/sim/metrics/run_counts.h"
#include "wavewright/store/key.h"

namespace wavewright::app {

namespace {

std::vector<JobIndex> jobs_with(const Workload& workload, std::string Job::* text,
                                const std::string& pattern) {
  std::vector<JobIndex> found;
  for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
    const std::string& own = workload.jobs[job].*text;
    if (own == pattern || matches(own, pattern)) found.push_back(job);
  }
  return found;
}

// Near ids and names; if there are none, some ids.
std::string remedy_for(const Workload& workload, const std::string& pattern) {
  constexpr std::size_t most_near = 3, most_shown = 5;
  std::vector<std::string> ids, all;
  for (const Job& job : workload.jobs) ids.push_back(job.id);
  all = ids;
  for (const Job& job : workload.jobs) {
    if (!job.name.empty()) all.push_back(job.name);
  }
  const std::vector<std::string> near = near_matches(pattern, all, most_near);
  if (!near.empty()) return fmt::format("did you mean '{}'?", fmt::join(near, "' or '"));
  if (ids.size() > most_shown) {
    ids.resize(most_shown);
    return fmt::format("its {} jobs are such as '{}'", workload.jobs.size(), fmt::join(ids, "', '"));
  }
  return fmt::format("its jobs are '{}'", fmt::join(ids, "', '"));
}

void print_remarks(const SimulationResult& result, JobIndex job) {
  for (const Remark& remark : result.remarks) {
    if (remark.job != job) continue;
    std::cout << fmt::format("{}: {} ({})\n", format_duration(remark.at - Time{}),
                             harmless(remark.reason.text), harmless(remark.reason.code));
  }
}

void print_parts(const Explanation& found, const JobOutcome& outcome, const std::string& label) {
  const Duration all = outcome.finish - outcome.submit;
  std::cout << fmt::format("\nwhere the {} of {} went", format_duration(all), harmless(label));
  if (found.map) std::cout << fmt::format("; map {} ended last", *found.map);
  if (found.reduce) std::cout << fmt::format(", reduce {} decided the end", *found.reduce);
  std::cout << "\n\n";
  Table table{
      {{"time_ms", "time", true, false}, {"percent", "%", true, false}, {"what", "for", false, false}}, {}};
  for (const TimePart& part : found.parts) {
    const double percent = 100 * static_cast<double>(to_ms(part.time)) /
                           static_cast<double>(std::max<std::int64_t>(1, to_ms(all)));
    table.rows.push_back({Cell(format_duration(part.time), to_ms(part.time)),
                          Cell(fmt::format("{:.1f}", percent), percent), to_string(part.what)});
  }
  write_table(std::cout, table);
}

void print_failure(const JobFailure& failure, const SimulationResult& result, const std::string& label) {
  const std::size_t times = failure.attempts.size();
  std::cout << fmt::format("\n{} failed at {}: {} {} failed {}, as often as a task may\n\n", harmless(label),
                           format_duration(failure.known - Time{}), name_of(failure.kind), failure.task,
                           times == 1 ? "once" : fmt::format("{} times", times));
  Table table{{{"attempt", "attempt", true, false},
               {"node", "node", false, true},
               {"start_ms", "started", true, false},
               {"end_ms", "failed", true, false}},
              {}};
  const auto instant = [](Time time) { return Cell(format_duration(time - Time{}), to_ms(time)); };
  for (const TaskRecord& each : failure.attempts) {
    table.rows.push_back({count_cell(each.attempt),
                          result.nodes.empty() ? "pool" : result.nodes.at(each.node), instant(each.start),
                          instant(each.end)});
  }
  write_table(std::cout, table);
}

void print_one(const SimulationResult& result, const Explainer& explainer, const JobLabels& labels,
               JobIndex job) {
  const JobOutcome& outcome = result.jobs[job];
  const std::string& label = labels[job];
  if (outcome.rejected) {
    const Reason& reason = result.rejections.at(job);
    std::cout << fmt::format("\n{} was rejected: {} ({})\n", harmless(label), harmless(reason.text),
                             harmless(reason.code));
  }
  print_remarks(result, job);
  if (outcome.failed) print_failure(explainer.failure(job), result, label);
  if (outcome.unfinished)
    std::cout << fmt::format("\n{} was not over when the simulation stopped\n", harmless(label));
  if (is_done(outcome)) print_parts(explainer.explain(job), outcome, label);
}

}  // namespace

std::vector<JobIndex> jobs_named(const Workload& workload, const std::vector<std::string>& patterns) {
  std::vector<JobIndex> jobs;
  std::vector<bool> taken(workload.jobs.size());
  for (const std::string& pattern : patterns) {
    std::vector<JobIndex> found = jobs_with(workload, &Job::id, pattern);
    if (found.empty()) found = jobs_with(workload, &Job::name, pattern);
    if (found.empty())
      throw UsageError("the workload has no job '" + pattern + "'", remedy_for(workload, pattern));
    for (const JobIndex job : found) {
      if (!taken[job]) jobs.push_back(job);
      taken[job] = true;
    }
  }
  return jobs;
}

void print_why(const SimulationResult& result, const Workload& workload, const Cluster& cluster,
               const std::vector<JobIndex>& jobs, const JobListing& listing) {
  constexpr std::size_t shown_at_most = 25;
  const Explainer explainer(result, workload, cluster);
  const JobLabels labels(workload.jobs, listing.ids);
  const std::size_t shown = listing.all ? jobs.size() : std::min(jobs.size(), shown_at_most);
  for (std::size_t i = 0; i < shown; ++i) print_one(result, explainer, labels, jobs[i]);
  if (shown < jobs.size())
    std::cout << fmt::format("\n… {} more; --all-jobs or --json tells of them\n", jobs.size() - shown);
}

}  // namespace wavewright::app
