#include "apps/commands/live_view.h"

#include <iostream>

#include <fmt/format.h>

#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/when.h"
#include "wavewright/live/client_processes.h"
#include "wavewright/live/live_document.h"

namespace wavewright::app {

namespace {

Cell clock_cell(const std::optional<Time>& at) {
  return at ? Cell(format_clock(*at), to_ms(*at)) : Cell("", nullptr);
}

Cell length_cell(const std::optional<Time>& from, const std::optional<Time>& to) {
  if (!from || !to || *to < *from) return Cell("", nullptr);
  return Cell(format_duration(*to - *from), to_ms(*to - *from));
}

}  // namespace

LiveBatch find_batch(const BatchStore& batches, const std::string& name) {
  const std::vector<std::string> names = batches.names();
  if (name.empty() && names.empty())
    throw UsageError("no batch was run yet", "run one with 'wavewright run FILE'");
  std::optional<LiveBatch> batch = batches.read(name.empty() ? names.front() : name);
  if (!batch) throw UsageError(fmt::format("there is no batch '{}'", name), suggestion(name, names));
  return std::move(*batch);
}

std::string states_text(const LiveBatch& batch) {
  std::string text;
  for (const LiveState state :
       {LiveState::done, LiveState::failed, LiveState::cancelled, LiveState::unknown, LiveState::running,
        LiveState::accepted, LiveState::submitting, LiveState::waiting, LiveState::held}) {
    const auto count = std::count_if(batch.jobs.begin(), batch.jobs.end(),
                                     [&](const LiveJob& job) { return job.state == state; });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(state));
  }
  if (text.empty()) text = "no jobs";
  return text;
}

std::optional<Duration> makespan_of(const LiveBatch& batch) {
  std::optional<Time> last;
  for (const LiveJob& job : batch.jobs) {
    if (!has_ended(job.state)) return std::nullopt;
    if (!job.applications.empty()) last = std::max(last, job.ended_at);
  }
  return last ? std::optional(*last - batch.began) : std::nullopt;
}

void print_live(const LiveBatch& batch) {
  std::cout << fmt::format("batch {}, since {}: {}\n", harmless(batch.name), format_instant(batch.began),
                           states_text(batch));
  Table table{{{"id", "job", false, true},
               {"state", "state"},
               {"submitted_ms", "submitted", true},
               {"waited_ms", "waited", true},
               {"ran_ms", "ran", true},
               {"ended_ms", "ended", true},
               {"expected_end_ms", "expected", true},
               {"application", "application", false, false, true},
               {"reason", "reason", false, true}},
              {}};
  const Time now = now_instant();
  for (const LiveJob& job : batch.jobs) {
    std::string application = job.applications.empty() ? "" : job.applications.back();
    if (job.applications.size() > 1) application += fmt::format(" and {} more", job.applications.size() - 1);
    table.rows.push_back({job.id, std::string(to_string(job.state)), clock_cell(job.submitting_since),
                          length_cell(job.accepted_at, job.started_at),
                          length_cell(job.started_at, job.ended_at), clock_cell(job.ended_at),
                          clock_cell(job.expected_end), application,
                          has_ended(job.state) ? job.reason : why_it_waits(batch, job, now)});
  }
  write_table(std::cout, table);
}

Json live_document(const LiveBatch& batch) {
  Json document = {{"run", batch.name}, {"began_ms", to_ms(batch.began)}, {"jobs", Json::array()}};
  const auto makespan = makespan_of(batch);
  document["makespan_ms"] = makespan ? Json(to_ms(*makespan)) : Json(nullptr);
  for (const LiveJob& job : batch.jobs) document["jobs"].push_back(job_document(job));
  return document;
}

}  // namespace wavewright::app
