#include "apps/commands/test_only.h"

#include <iostream>

#include <fmt/format.h>

#include "apps/commands/live_feedback.h"
#include "apps/commands/profile_lengths.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/outlook/feedback.h"
#include "wavewright/live/outlook/outlook_document.h"

namespace wavewright::app {

namespace {

// The progress that an outlook has, instead of that of masters.
class ToldProgress : public ProgressReader {
 public:
  ToldProgress(const LiveBatch& batch, const Outlook& outlook) {
    for (const LiveJob& job : batch.jobs) {
      const JobOutlook* ahead = outlook.of(job.id);
      if (ahead != nullptr && ahead->progress && !job.applications.empty())
        by_application_[job.applications.back()] = *ahead->progress;
    }
  }
  std::optional<JobProgress> progress(const std::string& application) override {
    const auto found = by_application_.find(application);
    return found == by_application_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, JobProgress> by_application_;
};

Cell interval_cell(const std::optional<Forecast>& at) {
  if (!at) return Cell("not known", nullptr);
  return Cell(
      fmt::format("{} ({} to {})", format_clock(at->p50), format_clock(at->p5), format_clock(at->p95)),
      document_of(at));
}

}  // namespace

bool TestedJob::cannot_be_met() const {
  constexpr double least = 0.05;
  return on_time && *on_time < least;
}

std::vector<TestedJob> test_jobs(const Store& store, LiveBatch batch, const Outlook& outlook,
                                 const std::vector<LiveJob>& added, const TestRequest& request) {
  if (!request.cluster && request.resource_manager == nullptr)
    throw UsageError("no cluster is known to try it on", "name --cluster FILE or --resource-manager URL");
  batch.jobs.insert(batch.jobs.end(), added.begin(), added.end());
  OutlookOptions how;
  if (request.cluster) {
    how.cluster = request.cluster;
    how.policy = own_scheduler(*request.cluster);
  } else {
    FoundCluster found = find_cluster(*request.resource_manager);
    how.policy = own_scheduler(found);
    how.cluster = std::move(found.cluster);
  }
  if (request.slowstart) how.cluster->mode.slowstart = *request.slowstart;
  how.most_at_once = request.most_at_once;
  how.most_waiting = batch.jobs.size();
  how.stop = request.stop;
  ToldProgress told(batch, outlook);
  ProfileLengths profiles(store);
  ProgressFeedback feedback(told, [&](const LiveJob& job) { return profiles.of(job); },
                            {.requests_per_step = 2 * requests_per_reading * batch.jobs.size()});
  const Time now = now_instant();
  (void)feedback.poll(batch, now, {});
  FeedbackNews news;
  const Outlook ahead = feedback.look(batch, how, now, news);
  const std::map<std::string, TrackRecord> records = profiles.records();
  std::vector<TestedJob> tested;
  for (const LiveJob& job : added) {
    TestedJob each{job.id, {}, {}, job.deadline, {}, {}};
    if (const JobOutlook* of = ahead.of(job.id)) {
      each.start = of->start;
      each.end = of->end;
      each.on_time = of->on_time;
    }
    if (const auto record = records.find(job.profile); record != records.end()) each.record = record->second;
    tested.push_back(std::move(each));
  }
  return tested;
}

Json test_document(const std::vector<TestedJob>& jobs) {
  Json document = {{"submitted", 0},
                   {"can_be_met", std::none_of(jobs.begin(), jobs.end(),
                                               [](const TestedJob& job) { return job.cannot_be_met(); })},
                   {"jobs", Json::array()}};
  for (const TestedJob& job : jobs) {
    document["jobs"].push_back({{"id", job.id},
                                {"start", document_of(job.start)},
                                {"end", document_of(job.end)},
                                {"deadline_ms", job.deadline ? Json(to_ms(*job.deadline)) : Json(nullptr)},
                                {"on_time", job.on_time ? Json(*job.on_time) : Json(nullptr)},
                                {"record", job.record ? document_of(*job.record) : Json(nullptr)}});
  }
  return document;
}

void print_tested(const Json& tested) {
  Table table{{{"id", "job", false, true},
               {"start", "would start"},
               {"end", "would end"},
               {"deadline_ms", "deadline", true},
               {"on_time", "in time", true},
               {"record", "such estimates", false, true}},
              {}};
  std::string warnings;
  for (const Json& job : tested.at("jobs")) {
    const auto id = job.at("id").get<std::string>();
    const Json& deadline = job.at("deadline_ms");
    const Json& on_time = job.at("on_time");
    const TrackRecord record =
        job.at("record").is_null() ? TrackRecord{} : record_from_document(job.at("record"));
    const std::string estimates = record_text(record);
    table.rows.push_back(
        {id, interval_cell(forecast_from_document(job.at("start"))),
         interval_cell(forecast_from_document(job.at("end"))),
         deadline.is_null() ? Cell("", nullptr)
                            : Cell(format_clock(at_ms(deadline.get<std::int64_t>())), deadline),
         on_time.is_null() ? Cell("", nullptr)
                           : Cell(fmt::format("{:.0f} %", 100 * on_time.get<double>()), on_time),
         estimates.empty() ? std::string("no runs yet") : estimates});
    if (record.changed)
      warnings += harmless(fmt::format("WARNING: {} has changed: {}", id, change_text(record))) + '\n';
  }
  write_table(std::cout, table);
  std::cout << warnings;
}

std::string refusal_of(const Json& tested) {
  std::string text;
  for (const Json& job : tested.at("jobs")) {
    TestedJob each;
    if (const Json& on_time = job.at("on_time"); !on_time.is_null()) each.on_time = on_time.get<double>();
    const auto end = forecast_from_document(job.at("end"));
    if (!each.cannot_be_met() || !end) continue;
    text +=
        (text.empty() ? "" : "; ") +
        fmt::format("{} is to end by {}, and would end about {} ({} to {})", job.at("id").get<std::string>(),
                    format_clock(at_ms(job.at("deadline_ms").get<std::int64_t>())), format_clock(end->p50),
                    format_clock(end->p5), format_clock(end->p95));
  }
  return text;
}

}  // namespace wavewright::app
