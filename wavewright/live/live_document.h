// Jobs and events of a live batch as JSON, as commands and the HTTP API show them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "wavewright/live/live_batch.h"

namespace wavewright {

[[nodiscard]] nlohmann::ordered_json job_document(const LiveJob& job);
[[nodiscard]] nlohmann::ordered_json event_document(const LiveEvent& event);

// The job or event of such a document, with what the document holds of it. Throw InputError with `source` if
// it is none.
[[nodiscard]] LiveJob job_from_document(const nlohmann::ordered_json& document, const std::string& source);
[[nodiscard]] LiveEvent event_from_document(const nlohmann::ordered_json& document,
                                            const std::string& source);

// What happened, in lower case: `accepted`. O(length).
[[nodiscard]] std::string event_word(const LiveEvent& event);

}  // namespace wavewright
