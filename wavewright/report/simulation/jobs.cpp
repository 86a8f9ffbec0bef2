// The table of a run's jobs: times, waits, deadlines.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/simulation/figures.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

struct Shown {
  bool queues = false, deadlines = false, incidents = false, places = false;
};

Shown shown_of(const SimulationView& view) {
  Shown shown;
  shown.places = view.places();
  for (std::size_t job = 0; job < view.jobs.size(); ++job) {
    const JobOutcome& outcome = view.result().jobs[job];
    shown.queues = shown.queues || !view.workload().jobs[job].queue.empty();
    shown.deadlines = shown.deadlines || view.workload().jobs[job].deadline;
    shown.incidents =
        shown.incidents || outcome.failed_attempts + outcome.lost_attempts + outcome.killed_attempts > 0;
  }
  return shown;
}

std::string head_of(const Shown& shown) {
  std::string html = "<thead><tr>" + heading("Job", false) + heading("Id", false);
  if (shown.queues) html += heading("Queue", false);
  for (const char* text : {"Submitted", "First start", "Maps done", "Finish", "Waited", "Took"})
    html += heading(text);
  if (shown.deadlines) html += heading("Deadline");
  if (shown.places) html += heading("Local maps");
  if (shown.incidents) html += heading("Failed") + heading("Lost") + heading("Killed");
  return html + "</tr></thead>";
}

std::string span_cell(Duration time) {
  return value_cell(static_cast<double>(time.count()), duration_text(time));
}

std::string deadline_cell(const SimulationView& view, std::size_t job) {
  const std::optional<Time>& deadline = view.workload().jobs[job].deadline;
  if (!deadline) return "<td class=\"n\" data-v=\"-1\">–</td>";
  const JobOutcome& outcome = view.result().jobs[job];
  const bool ended = !outcome.rejected && !outcome.failed && !outcome.unfinished;
  const std::string text = meets_deadline(view, job)     ? std::string("<span class=\"met\">met</span>")
                           : !misses_deadline(view, job) ? std::string()
                           : ended ? fmt::format("<span class=\"missed\">missed by {}</span>",
                                                 duration_text(outcome.finish - *deadline))
                                   : std::string("<span class=\"missed\">missed</span>");
  return value_cell(static_cast<double>(to_ms(*deadline)),
                    fmt::format("{} {}", duration_text(deadline->time_since_epoch()), text));
}

std::string row_of(const SimulationView& view, const Shown& shown, std::size_t job) {
  const JobOutcome& outcome = view.result().jobs[job];
  std::string html = fmt::format("<tr data-j=\"{}\">", job) + job_cells(view.jobs, job);
  if (shown.queues)
    html += fmt::format("<td>{}</td>", isolated(shortened(view.workload().jobs[job].queue, 40)));
  html += time_cell(outcome.submit);
  if (outcome.rejected) {
    const auto reason = view.result().rejections.find(static_cast<JobIndex>(job));
    html += "<td class=\"n\" colspan=\"5\" data-v=\"-1\">rejected";
    if (reason != view.result().rejections.end())
      html += ": " + isolated(shortened(reason->second.text, 120));
    html += "</td>";
  } else if (outcome.unfinished) {  // times as they were when the simulation was stopped
    html += time_cell(view.schedule.first_start[job]);
    html += time_cell(outcome.maps_done < outcome.finish ? std::optional(outcome.maps_done) : std::nullopt);
    html += "<td class=\"n\" data-v=\"-1\">not done</td>";
    html += span_cell(std::max(Duration{}, outcome.start - outcome.submit)) + time_cell(std::nullopt);
  } else {
    html += time_cell(view.schedule.first_start[job]);
    html += time_cell(outcome.maps_done);
    html += outcome.failed ? value_cell(static_cast<double>(to_ms(outcome.finish)),
                                        fmt::format("<span class=\"missed\">failed</span> {}",
                                                    duration_text(outcome.finish.time_since_epoch())))
                           : time_cell(outcome.finish);
    html += span_cell(std::max(Duration{}, outcome.start - outcome.submit));
    html += span_cell(outcome.finish - outcome.submit);
  }
  if (shown.deadlines) html += deadline_cell(view, job);
  if (shown.places) {
    const double maps = outcome.node_local + outcome.rack_local + outcome.off_rack;
    html += maps > 0 ? value_cell(outcome.node_local / maps, percent_text(outcome.node_local / maps))
                     : "<td class=\"n\" data-v=\"-1\">–</td>";
  }
  if (shown.incidents) {
    html += value_cell(outcome.failed_attempts, count_text(outcome.failed_attempts));
    html += value_cell(outcome.lost_attempts, count_text(outcome.lost_attempts));
    html += value_cell(outcome.killed_attempts, count_text(outcome.killed_attempts));
  }
  return html + "</tr>\n";
}

// All jobs, or those that took longest, in submission order.
std::vector<std::size_t> listed(const SimulationView& view) {
  std::vector<std::size_t> jobs(view.jobs.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  if (jobs.size() <= job_table_limit) return jobs;
  const auto time_of = [&](std::size_t job) {
    return view.result().jobs[job].finish - view.result().jobs[job].submit;
  };
  std::stable_sort(jobs.begin(), jobs.end(),
                   [&](std::size_t a, std::size_t b) { return time_of(a) > time_of(b); });
  jobs.resize(job_table_limit);
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

}  // namespace

std::string run_jobs_section(const SimulationView& view) {
  if (view.jobs.empty()) return "";
  const Shown shown = shown_of(view);
  const std::vector<std::size_t> jobs = listed(view);
  std::string rows;
  for (const std::size_t job : jobs) rows += row_of(view, shown, job);
  std::string introduction =
      "Times from the beginning of the batch; a job waited until something of it started."
      "<span class=\"hint\"> A heading sorts.</span>";
  if (jobs.size() < view.jobs.size())
    introduction += fmt::format(
        " The {} that took longest of {}; <code>wavewright simulate --json</code> lists all.",
        counted(static_cast<Count>(jobs.size()), "job"), count_text(static_cast<Count>(view.jobs.size())));
  return section("jobs", "Job by job", introduction,
                 long_table("job-table", "Jobs", "name or id", head_of(shown), rows));
}

}  // namespace wavewright::report
