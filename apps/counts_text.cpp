#include "apps/counts_text.h"

#include <fmt/format.h>

#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

std::string jobs_not_done(const RunCounts& counts) {
  return report::list_counts(
      {{counts.failed, "failed"}, {counts.rejected, "rejected"}, {counts.unfinished, "not over"}});
}

}  // namespace

std::string counts_text(const RunCounts& counts) {
  std::string text;
  const std::string jobs = jobs_not_done(counts);
  if (!jobs.empty()) text = fmt::format("jobs: {} done, {}\n", report::count_text(counts.done), jobs);
  const std::string attempts = report::list_counts({{counts.failed_attempts, "failed"},
                                                    {counts.lost_attempts, "lost with their node"},
                                                    {counts.killed_attempts, "killed"},
                                                    {counts.second_attempts, "second ones of slow tasks"}});
  if (!attempts.empty()) text += fmt::format("attempts: {}\n", attempts);
  return text;
}

std::string of_jobs_done(const RunCounts& counts) {
  return jobs_not_done(counts).empty() ? "" : " of the jobs done";
}

}  // namespace wavewright::app
