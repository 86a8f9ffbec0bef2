#include "wavewright/live/outlook/outlook_document.h"

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/or_null.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

Json stage(const StageProgress& of) {
  return {{"total", of.total}, {"done", of.done}, {"running", of.running}, {"mean_ms", or_null(of.mean)}};
}

std::optional<Time> instant_of(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(at_ms(value.get<std::int64_t>()));
}
std::optional<double> number_of(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

StageProgress stage_of(const Json& value) {
  StageProgress of{value.at("total").get<Count>(), value.at("done").get<Count>(),
                   value.at("running").get<Count>()};
  if (!value.at("mean_ms").is_null()) of.mean = ms(value.at("mean_ms").get<std::int64_t>());
  return of;
}

std::optional<JobProgress> progress_of(const Json& value) {
  if (value.is_null()) return std::nullopt;
  JobProgress progress;
  progress.at = at_ms(value.at("at_ms").get<std::int64_t>());
  progress.started = instant_of(value.at("started_ms"));
  progress.maps_done = instant_of(value.at("maps_done_ms"));
  progress.maps = stage_of(value.at("maps"));
  progress.reduces = stage_of(value.at("reduces"));
  progress.failed_attempts = value.at("failed_attempts").get<Count>();
  return progress;
}

std::optional<Forecast> forecast_of(const Json& value) {
  if (value.is_null()) return std::nullopt;
  const auto at = [&](const char* key) { return at_ms(value.at(key).get<std::int64_t>()); };
  return Forecast{at("p5_ms"), at("p50_ms"), at("p95_ms")};
}

TrackRecord record_of(const Json& value) {
  TrackRecord record;
  record.runs = value.at("runs").get<Count>();
  record.error = value.at("error").get<double>();
  record.live_runs = value.at("live_runs").get<Count>();
  record.live_error = value.at("live_error").get<double>();
  const Json& changed = value.at("changed");
  if (!changed.is_null())
    record.changed = {changed.at("phase").get<std::string>(), changed.at("factor").get<double>(),
                      instant_of(changed.at("when_ms")), changed.at("runs").get<Count>()};
  return record;
}

JobOutlook job_outlook_of(const Json& job) {
  JobOutlook of;
  of.progress = progress_of(job.at("progress"));
  const Json& forecast = job.at("forecast");
  if (forecast.is_null()) return of;
  of.start = forecast_of(forecast.at("start"));
  of.maps_done = forecast_of(forecast.at("maps_done"));
  of.end = forecast_of(forecast.at("end"));
  of.on_time = number_of(forecast.at("on_time"));
  of.map_factor = number_of(forecast.at("map_factor"));
  of.reduce_factor = number_of(forecast.at("reduce_factor"));
  return of;
}

}  // namespace

nlohmann::ordered_json document_of(const std::optional<JobProgress>& progress) {
  if (!progress) return nullptr;
  return {{"at_ms", to_ms(progress->at)},
          {"started_ms", or_null(progress->started)},
          {"maps_done_ms", or_null(progress->maps_done)},
          {"maps", stage(progress->maps)},
          {"reduces", stage(progress->reduces)},
          {"failed_attempts", progress->failed_attempts}};
}

nlohmann::ordered_json document_of(const std::optional<Forecast>& forecast) {
  if (!forecast) return nullptr;
  return {{"p5_ms", to_ms(forecast->p5)}, {"p50_ms", to_ms(forecast->p50)}, {"p95_ms", to_ms(forecast->p95)}};
}

nlohmann::ordered_json document_of(const TrackRecord& record) {
  Json changed = nullptr;
  if (record.changed)
    changed = {{"phase", record.changed->phase},
               {"factor", record.changed->factor},
               {"when_ms", or_null(record.changed->when)},
               {"runs", record.changed->runs}};
  return {{"runs", record.runs},
          {"error", record.error},
          {"live_runs", record.live_runs},
          {"live_error", record.live_error},
          {"changed", std::move(changed)}};
}

TrackRecord record_from_document(const Json& document) {
  return record_of(document);
}

std::optional<Forecast> forecast_from_document(const Json& document) {
  return forecast_of(document);
}

void add_outlook(nlohmann::ordered_json& job, const JobOutlook* outlook) {
  job["progress"] = outlook == nullptr ? Json(nullptr) : document_of(outlook->progress);
  if (outlook == nullptr) {
    job["forecast"] = nullptr;
    return;
  }
  job["forecast"] = {
      {"start", document_of(outlook->start)},       {"maps_done", document_of(outlook->maps_done)},
      {"end", document_of(outlook->end)},           {"on_time", or_null(outlook->on_time)},
      {"map_factor", or_null(outlook->map_factor)}, {"reduce_factor", or_null(outlook->reduce_factor)}};
}

void take_outlook(const nlohmann::ordered_json& document, const LiveJob& job, Outlook& outlook) {
  if (!document.at("progress").is_null() || !document.at("forecast").is_null())
    outlook.jobs[job.id] = job_outlook_of(document);
  if (const Json& record = document.at("record"); !record.is_null())
    outlook.records[job.profile] = record_of(record);
}

std::string outlook_text(const Outlook& outlook) {
  Json document = {{"at_ms", to_ms(outlook.at)},
                   {"model", outlook.model},
                   {"jobs", Json::object()},
                   {"records", Json::object()}};
  for (const auto& [profile, record] : outlook.records) document["records"][profile] = document_of(record);
  for (const auto& [id, job] : outlook.jobs) add_outlook(document["jobs"][id], &job);
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Outlook parse_outlook(const std::string& text, const std::string& source) {
  try {
    const Json document = Json::parse(text);
    Outlook outlook;
    outlook.at = at_ms(document.at("at_ms").get<std::int64_t>());
    outlook.model = document.at("model").get<std::string>();
    for (const auto& [id, job] : document.at("jobs").items()) {
      outlook.jobs[id] = job_outlook_of(job);
    }
    for (const auto& [profile, record] : document.at("records").items())
      outlook.records[profile] = record_of(record);
    return outlook;
  } catch (const Json::exception&) {
    throw InputError({source}, "the outlook of a live batch is damaged",
                     "it is made anew while the batch runs");
  }
}

}  // namespace wavewright
