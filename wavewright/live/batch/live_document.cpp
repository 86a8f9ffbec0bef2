#include "wavewright/live/batch/live_document.h"

#include <cctype>
#include <utility>

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/or_null.h"
#include "wavewright/live/outlook/outlook_document.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& source, const char* what) {
  throw InputError({source}, std::string("is no ") + what + " of a live batch",
                   "it may come from another version of Wavewright");
}

// An object whose members have different names, as nobody looks: a page of jobs has thousands.
class Fields {
 public:
  explicit Fields(std::size_t count) { all_.reserve(count); }
  void add(const char* name, Json value) { all_.emplace_back(name, std::move(value)); }
  Json take() { return std::move(all_); }

 private:
  Json::object_t all_;
};

Json promise_document(const LiveJob& job) {
  if (!job.promise) return nullptr;
  return {{"confidence", job.promise->confidence},
          {"tasks_from_ms", to_ms(job.promise->tasks_from)},
          {"end_ms", to_ms(job.promise->end)},
          {"at_risk", job.promise->at_risk}};
}

std::optional<DeadlinePromise> promise_in(const Json& document) {
  const Json& told = document.at("promise");
  if (told.is_null()) return std::nullopt;
  return DeadlinePromise{at_ms(told.at("tasks_from_ms").get<std::int64_t>()),
                         at_ms(told.at("end_ms").get<std::int64_t>()),
                         told.at("confidence").get<std::string>(), told.at("at_risk").get<bool>()};
}

}  // namespace

nlohmann::ordered_json job_document(const LiveJob& job, const Outlook& outlook) {
  Fields fields(29);
  fields.add("id", job.id);
  fields.add("name", job.name);
  fields.add("profile", job.profile);
  fields.add("queue", job.queue);
  fields.add("state", to_string(job.state));
  fields.add("reason", job.reason);
  fields.add("attempts", job.attempts);
  fields.add("tag", job.tag);
  fields.add("applications", job.applications);
  fields.add("several_applications", job.many_applications);
  fields.add("after", job.after);
  fields.add("not_before_ms", to_ms(job.not_before));
  fields.add("submitting_ms", or_null(job.submitting_since));
  fields.add("accepted_ms", or_null(job.accepted_at));
  fields.add("started_ms", or_null(job.started_at));
  fields.add("ended_ms", or_null(job.ended_at));
  fields.add("deadline_ms", or_null(job.deadline));
  fields.add("expected_start_ms", or_null(job.expected_start));
  fields.add("expected_end_ms", or_null(job.expected_end));
  fields.add("promise", promise_document(job));
  fields.add("map_drift", or_null(job.map_drift));
  fields.add("reduce_drift", or_null(job.reduce_drift));
  Json document = fields.take();
  add_outlook(document, has_ended(job.state) ? nullptr : outlook.of(job.id));
  const TrackRecord* record = outlook.record_of(job);
  document["record"] = record == nullptr ? Json(nullptr) : document_of(*record);
  return document;
}

nlohmann::ordered_json event_document(const LiveEvent& event) {
  Fields fields(5);
  fields.add("at_ms", to_ms(event.at));
  fields.add("job", event.job);
  fields.add("what", event.what);
  fields.add("detail", event.detail);
  return fields.take();
}

LiveJob job_from_document(const Json& document, const std::string& source, Outlook* outlook) try {
  const auto at = [&](const char* field) {
    const Json& value = document.at(field);
    return value.is_null() ? std::nullopt : std::optional(at_ms(value.get<std::int64_t>()));
  };
  LiveJob job;
  document.at("id").get_to(job.id);
  document.at("name").get_to(job.name);
  document.at("profile").get_to(job.profile);
  document.at("queue").get_to(job.queue);
  const auto factor = [&](const char* field) {
    const Json& value = document.at(field);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
  };
  job.map_drift = factor("map_drift");
  job.reduce_drift = factor("reduce_drift");
  job.state = parse_live_state(document.at("state").get<std::string>(), source);
  document.at("reason").get_to(job.reason);
  document.at("attempts").get_to(job.attempts);
  document.at("tag").get_to(job.tag);
  document.at("applications").get_to(job.applications);
  document.at("several_applications").get_to(job.many_applications);
  document.at("after").get_to(job.after);
  job.not_before = at_ms(document.at("not_before_ms").get<std::int64_t>());
  job.submitting_since = at("submitting_ms");
  job.accepted_at = at("accepted_ms");
  job.started_at = at("started_ms");
  job.ended_at = at("ended_ms");
  job.deadline = at("deadline_ms");
  job.expected_start = at("expected_start_ms");
  job.expected_end = at("expected_end_ms");
  job.promise = promise_in(document);
  Outlook told;
  take_outlook(document, job, outlook == nullptr ? told : *outlook);
  return job;
} catch (const Json::exception&) {
  refuse(source, "job");
}

LiveEvent event_from_document(const Json& document, const std::string& source) try {
  return {at_ms(document.at("at_ms").get<std::int64_t>()), document.at("job").get<std::string>(),
          document.at("what").get<std::string>(), document.at("detail").get<std::string>()};
} catch (const Json::exception&) {
  refuse(source, "event");
}

std::string event_word(const LiveEvent& event) {
  std::string words;
  for (const char c : event.what) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) != 0 && !words.empty()) words += ' ';
    words += static_cast<char>(std::tolower(byte));
  }
  return words;
}

}  // namespace wavewright
