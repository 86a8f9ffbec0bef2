// Jobs and events of a live batch as JSON, as commands and the HTTP API show them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/outlook.h"

namespace wavewright {

// `outlook`: what is known of its progress and end, and of the estimates of its profile.
[[nodiscard]] nlohmann::ordered_json job_document(const LiveJob& job, const Outlook& outlook = {});
[[nodiscard]] nlohmann::ordered_json event_document(const LiveEvent& event);

// The job or event of such a document, with what the document holds of it; what it tells of progress and end
// goes into `outlook`, unless that is null. Throw InputError with `source` if it is none.
[[nodiscard]] LiveJob job_from_document(const nlohmann::ordered_json& document, const std::string& source,
                                        Outlook* outlook = nullptr);
[[nodiscard]] LiveEvent event_from_document(const nlohmann::ordered_json& document,
                                            const std::string& source);

// What happened, in lower case: `accepted`. O(length).
[[nodiscard]] std::string event_word(const LiveEvent& event);

}  // namespace wavewright
