#include "apps/commands/live_view.h"

#include <iostream>

#include <fmt/format.h>

#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/when.h"
#include "wavewright/live/batch/live_document.h"
#include "wavewright/live/submission/client_processes.h"

namespace wavewright::app {

Cell clock_cell(const std::optional<Time>& at) {
  return at ? Cell(format_clock(*at), to_ms(*at)) : Cell("", nullptr);
}

namespace {

Cell length_cell(const std::optional<Time>& from, const std::optional<Time>& to) {
  if (!from || !to || *to < *from) return Cell("", nullptr);
  return Cell(format_duration(*to - *from), to_ms(*to - *from));
}

// `6/12 maps`, then `2/4 reduces`.
Cell progress_cell(const JobOutlook* outlook) {
  if (outlook == nullptr || !outlook->progress) return Cell("", nullptr);
  const JobProgress& progress = *outlook->progress;
  const bool maps = progress.maps.done < progress.maps.total || progress.reduces.total == 0;
  const StageProgress& stage = maps ? progress.maps : progress.reduces;
  const double share =
      stage.total == 0 ? 1 : static_cast<double>(stage.done) / static_cast<double>(stage.total);
  return Cell(fmt::format("{}/{} {}", stage.done, stage.total, maps ? "maps" : "reduces"), share);
}

Cell end_cell(const JobOutlook* outlook, Time Forecast::* at) {
  return clock_cell(outlook != nullptr && outlook->end ? std::optional((*outlook->end).*at) : std::nullopt);
}

// Where forecasts come from, and how good those of each profile have been.
void print_source(const Outlook& outlook) {
  if (outlook.jobs.empty()) return;
  std::cout << fmt::format("ends as of {}: {}\n", format_clock(outlook.at), outlook.model);
  print_records(outlook);
}

// Promised deadlines of jobs that have not ended.
void print_promises(const LiveBatch& batch) {
  std::string text;
  for (const LiveJob& job : batch.jobs) {
    if (!job.promise || has_ended(job.state)) continue;
    text += fmt::format("{}{} by {}{}", text.empty() ? "" : ", ", job.id, format_instant(*job.deadline),
                        job.promise->at_risk ? " (AT RISK)" : "");
  }
  if (!text.empty()) std::cout << harmless("promised: " + text) << '\n';
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

const LiveJob& find_job(const LiveBatch& batch, const std::string& id) {
  const auto job =
      std::find_if(batch.jobs.begin(), batch.jobs.end(), [&](const LiveJob& each) { return each.id == id; });
  if (job != batch.jobs.end()) return *job;
  std::vector<std::string> ids;
  ids.reserve(batch.jobs.size());
  for (const LiveJob& each : batch.jobs) ids.push_back(each.id);
  throw UsageError(fmt::format("batch {} has no job '{}'", batch.name, id),
                   ids.empty() ? "it has none yet" : suggestion(id, ids));
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

std::string event_line(const std::string& when, const LiveEvent& event) {
  std::string line =
      fmt::format("{}  {}{}", when, event.job.empty() ? "" : event.job + "  ", event_word(event));
  if (!event.detail.empty()) line += ": " + event.detail;
  return harmless(line);
}

void print_live(const LiveBatch& batch, const Outlook& outlook) {
  std::cout << fmt::format("batch {}, since {}: {}\n", harmless(batch.name), format_instant(batch.began),
                           states_text(batch));
  Table table{{{"id", "job", false, true},
               {"state", "state"},
               {"submitted_ms", "submitted", true},
               {"waited_ms", "waited", true},
               {"ran_ms", "ran", true},
               {"ended_ms", "ended", true},
               {"expected_end_ms", "expected", true},
               {"progress", "progress", true},
               {"p50_ms", "ends", true},
               {"p95_ms", "95 % by", true},
               {"application", "application", false, false, true},
               {"reason", "reason", false, true}},
              {}};
  const Time now = now_instant();
  for (const LiveJob& job : batch.jobs) {
    const JobOutlook* ahead = has_ended(job.state) ? nullptr : outlook.of(job.id);
    std::string application = job.applications.empty() ? "" : job.applications.back();
    if (job.applications.size() > 1) application += fmt::format(" and {} more", job.applications.size() - 1);
    table.rows.push_back({job.id, std::string(to_string(job.state)), clock_cell(job.submitting_since),
                          length_cell(job.accepted_at, job.started_at),
                          length_cell(job.started_at, job.ended_at), clock_cell(job.ended_at),
                          clock_cell(job.expected_end), progress_cell(ahead), end_cell(ahead, &Forecast::p50),
                          end_cell(ahead, &Forecast::p95), application,
                          has_ended(job.state) ? job.reason : why_it_waits(batch, job, now)});
  }
  write_table(std::cout, table);
  print_promises(batch);
  print_source(outlook);
}

void print_starts(const LiveBatch& batch, const Outlook& outlook) {
  std::cout << fmt::format("batch {}, since {}\n", harmless(batch.name), format_instant(batch.began));
  const auto interval = [](const std::optional<Forecast>& at) {
    if (!at) return Cell("", nullptr);
    return Cell(
        fmt::format("{} ({} to {})", format_clock(at->p50), format_clock(at->p5), format_clock(at->p95)),
        to_ms(at->p50));
  };
  Table table{{{"id", "job", false, true},
               {"state", "state"},
               {"start", "starts"},
               {"end", "ends"},
               {"expected_end_ms", "expected", true},
               {"record", "such estimates", false, true},
               {"reason", "reason", false, true}},
              {}};
  const Time now = now_instant();
  for (const LiveJob& job : batch.jobs) {
    const JobOutlook* ahead = outlook.of(job.id);
    const TrackRecord* record = outlook.record_of(job);
    table.rows.push_back(
        {job.id, std::string(to_string(job.state)), interval(ahead == nullptr ? std::nullopt : ahead->start),
         interval(ahead == nullptr ? std::nullopt : ahead->end), clock_cell(job.expected_end),
         record == nullptr ? std::string() : record_text(*record), why_it_waits(batch, job, now)});
  }
  write_table(std::cout, table);
  print_source(outlook);
}

void print_records(const Outlook& outlook) {
  std::string records;
  for (const auto& [profile, record] : outlook.records) {
    if (const std::string text = record_text(record); !text.empty())
      records += fmt::format("{}{} {}", records.empty() ? "" : "; ", profile, text);
  }
  if (!records.empty()) std::cout << harmless("such estimates: " + records) << '\n';
  for (const auto& [profile, record] : outlook.records) {
    if (record.changed)
      std::cout << harmless(fmt::format("WARNING: {} has changed: {}", profile, change_text(record))) << '\n';
  }
}

Json live_document(const LiveBatch& batch, const Outlook& outlook) {
  Json document = {{"run", batch.name}, {"began_ms", to_ms(batch.began)}, {"jobs", Json::array()}};
  const auto makespan = makespan_of(batch);
  document["makespan_ms"] = makespan ? Json(to_ms(*makespan)) : Json(nullptr);
  for (const LiveJob& job : batch.jobs) document["jobs"].push_back(job_document(job, outlook));
  document["forecast_at_ms"] = outlook.model.empty() ? Json(nullptr) : Json(to_ms(outlook.at));
  document["forecast_model"] = outlook.model.empty() ? Json(nullptr) : Json(outlook.model);
  return document;
}

}  // namespace wavewright::app
