#include "wavewright/live/live_document.h"

#include <nlohmann/json.hpp>

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;

Json instant_or_null(const std::optional<Time>& at) {
  return at ? Json(to_ms(*at)) : Json(nullptr);
}

}  // namespace

nlohmann::ordered_json job_document(const LiveJob& job) {
  return {{"id", job.id},
          {"name", job.name},
          {"state", to_string(job.state)},
          {"reason", job.reason},
          {"attempts", job.attempts},
          {"tag", job.tag},
          {"applications", job.applications},
          {"after", job.after},
          {"not_before_ms", to_ms(job.not_before)},
          {"submitting_ms", instant_or_null(job.submitting_since)},
          {"accepted_ms", instant_or_null(job.accepted_at)},
          {"started_ms", instant_or_null(job.started_at)},
          {"ended_ms", instant_or_null(job.ended_at)},
          {"deadline_ms", instant_or_null(job.deadline)},
          {"expected_start_ms", instant_or_null(job.expected_start)},
          {"expected_end_ms", instant_or_null(job.expected_end)}};
}

nlohmann::ordered_json event_document(const LiveEvent& event) {
  return {{"at_ms", to_ms(event.at)}, {"job", event.job}, {"what", event.what}, {"detail", event.detail}};
}

}  // namespace wavewright
