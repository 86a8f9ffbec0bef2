// Jobs and events of a live batch as JSON, as commands and the HTTP API show them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "wavewright/live/live_batch.h"

namespace wavewright {

[[nodiscard]] nlohmann::ordered_json job_document(const LiveJob& job);
[[nodiscard]] nlohmann::ordered_json event_document(const LiveEvent& event);

}  // namespace wavewright
