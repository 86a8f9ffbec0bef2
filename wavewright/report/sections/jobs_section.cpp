// The table of jobs: start and end of each in every schedule, and the change.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

std::string schedule_cells(const ScheduleView& view, std::size_t job) {
  const JobOutcome& outcome = view.result->jobs[job];
  if (outcome.rejected) return "<td class=\"n first\" colspan=\"3\" data-v=\"-1\">rejected</td>";
  return time_cell(view.first_start[job], "n first") + time_cell(outcome.maps_done) +
         time_cell(outcome.finish);
}

// The change as text and as a bar from a middle line, to the left (sooner) or right (later).
std::string change_cell(std::optional<Duration> change, Duration largest) {
  if (!change) return "<td class=\"n first\" data-v=\"0\">–</td>";
  const bool sooner = *change < Duration{};
  const double share = largest == Duration{} ? 0
                                             : static_cast<double>(std::abs(change->count())) /
                                                   static_cast<double>(largest.count());
  return fmt::format(
      R"(<td class="n first change" data-v="{}"><i class="{}" style="width:{}%"></i><span>{}</span></td>)",
      change->count(), sooner ? "sooner" : "later", number(share * 50), change_text(*change));
}

Duration largest_change(const Analysis& analysis) {
  Duration largest{};
  for (std::size_t job = 0; job < analysis.jobs().size() && analysis.compares(); ++job) {
    const auto change = finish_change(analysis.subject(), analysis.schedules.front(), job);
    if (change) largest = std::max(largest, Duration(std::abs(change->count())));
  }
  return largest;
}

// All jobs, or those with the largest changes, in submission order.
std::vector<std::size_t> listed_jobs(const Analysis& analysis) {
  std::vector<std::size_t> jobs(analysis.jobs().size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  if (jobs.size() <= job_table_limit) return jobs;
  const auto size_of_change = [&](std::size_t job) {
    const auto change = finish_change(analysis.subject(), analysis.schedules.front(), job);
    return change ? std::abs(change->count()) : 0;
  };
  std::stable_sort(jobs.begin(), jobs.end(),
                   [&](std::size_t a, std::size_t b) { return size_of_change(a) > size_of_change(b); });
  jobs.resize(job_table_limit);
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

// The first two schedules have three columns each, further ones their finish only.
constexpr std::size_t told_in_full = 2;

std::string finish_cell(const ScheduleView& view, std::size_t job) {
  const JobOutcome& outcome = view.result->jobs[job];
  if (outcome.rejected) return "<td class=\"n first\" data-v=\"-1\">rejected</td>";
  return time_cell(outcome.finish, "n first");
}

std::string table_head(const Analysis& analysis) {
  std::string upper = "<tr class=\"group\"><td colspan=\"3\"></td>",
              lower =
                  "<tr><th scope=\"col\">Job</th><th scope=\"col\">Id</th><th scope=\"col\" "
                  "class=\"n\">Submitted</th>";
  const std::size_t full = std::min(told_in_full, analysis.schedules.size());
  for (std::size_t i = 0; i < full; ++i) {
    upper += fmt::format(
        "<th scope=\"colgroup\" colspan=\"3\" class=\"first\"><i class=\"swatch line {}\"></i>{}</th>",
        schedule_class(i), escape(capitalised(analysis.schedules[i].label)));
    lower +=
        "<th scope=\"col\" class=\"n first\">First start</th><th scope=\"col\" class=\"n\">Maps done</th>"
        "<th scope=\"col\" class=\"n\">Finish</th>";
  }
  if (analysis.compares()) {
    upper += "<td class=\"first\"></td>";
    lower += "<th scope=\"col\" class=\"n first\">Finish changes by</th>";
  }
  for (std::size_t i = full; i < analysis.schedules.size(); ++i) {
    upper += fmt::format("<th scope=\"colgroup\" class=\"first\"><i class=\"swatch line {}\"></i>{}</th>",
                         schedule_class(i), escape(capitalised(analysis.schedules[i].label)));
    lower += "<th scope=\"col\" class=\"n first\">Finish</th>";
  }
  return "<thead>" + upper + "</tr>" + lower + "</tr></thead>";
}

}  // namespace

std::string jobs_section(const Analysis& analysis) {
  if (analysis.schedules.empty() || analysis.jobs().empty()) return "";
  const std::vector<std::size_t> jobs = listed_jobs(analysis);
  const Duration largest = largest_change(analysis);
  std::string rows;
  for (const std::size_t job : jobs) {
    rows += fmt::format("<tr data-j=\"{}\">", job) + job_cells(analysis.jobs(), job);
    rows += time_cell(analysis.schedules.front().result->jobs[job].submit);
    for (std::size_t i = 0; i < std::min(told_in_full, analysis.schedules.size()); ++i)
      rows += schedule_cells(analysis.schedules[i], job);
    if (analysis.compares())
      rows += change_cell(finish_change(analysis.subject(), analysis.schedules.front(), job), largest);
    for (std::size_t i = told_in_full; i < analysis.schedules.size(); ++i)
      rows += finish_cell(analysis.schedules[i], job);
    rows += "</tr>\n";
  }
  const Count all = static_cast<Count>(analysis.jobs().size()), shown = static_cast<Count>(jobs.size());
  std::string introduction =
      "Times from the beginning of the batch.<span class=\"hint\"> A heading sorts.</span>";
  if (shown < all) {
    introduction +=
        fmt::format(" The {} that change most of {}; <code>wavewright simulate --json</code> lists all.",
                    counted(shown, "job"), count_text(all));
  }
  return section("jobs", "Job by job", introduction,
                 long_table("job-table", "Jobs", "name or id", table_head(analysis), rows));
}

std::string script_data(Duration horizon, const std::vector<ReportJob>& jobs,
                        const std::vector<ScheduleView>& schedules, std::string_view more) {
  std::string names, labels, times;
  for (const ReportJob& job : jobs) {
    names += fmt::format("{}[{},{},{},{}]", names.empty() ? "" : ",", json_string(shortened(job.id, 60)),
                         json_string(shortened(job.name, 60)), json_string(shortened(job.user, 60)),
                         json_string(shortened(job.queue, 60)));
  }
  for (const ScheduleView& view : schedules) {
    std::string outcomes;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      const JobOutcome& outcome = view.result->jobs[job];
      const std::optional<Time>& start = view.first_start[job];
      outcomes += fmt::format("{}[{},{}]", outcomes.empty() ? "" : ",", start ? to_ms(*start) : -1,
                              outcome.rejected     ? -1
                              : outcome.unfinished ? -2
                                                   : to_ms(outcome.finish));
    }
    if (!labels.empty()) labels += ",";
    labels += json_string(capitalised(view.label));
    times += fmt::format("{}[{}]", times.empty() ? "" : ",", outcomes);
  }
  return fmt::format("{{\"horizon_ms\":{},\"jobs\":[{}],\"schedules\":[{}],\"times_ms\":[{}]{}}}",
                     horizon.count(), names, labels, times, more);
}

}  // namespace wavewright::report
