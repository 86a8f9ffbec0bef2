// Progress and forecasts of jobs as JSON: as commands and the HTTP API show them, and as a store keeps them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "wavewright/live/outlook/outlook.h"

namespace wavewright {

[[nodiscard]] nlohmann::ordered_json document_of(const std::optional<JobProgress>& progress);
[[nodiscard]] nlohmann::ordered_json document_of(const std::optional<Forecast>& forecast);
[[nodiscard]] nlohmann::ordered_json document_of(const TrackRecord& record);
// Read such documents. Throw as nlohmann::json does.
[[nodiscard]] TrackRecord record_from_document(const nlohmann::ordered_json& document);
[[nodiscard]] std::optional<Forecast> forecast_from_document(const nlohmann::ordered_json& document);
// The fields `progress` and `forecast` of a job's document; null where nothing is known. `outlook` may be
// null.
void add_outlook(nlohmann::ordered_json& job, const JobOutlook* outlook);

// Reads progress, forecast and record from a job's document. Throws as nlohmann::json does.
void take_outlook(const nlohmann::ordered_json& document, const LiveJob& job, Outlook& outlook);

[[nodiscard]] std::string outlook_text(const Outlook& outlook);
// Throws InputError with `source` for a text that `outlook_text` did not write.
[[nodiscard]] Outlook parse_outlook(const std::string& text, const std::string& source);

}  // namespace wavewright
