// `why` of a live job: the facts from store and cluster, and the answer as JSON; for the command and the HTTP
// API.
#pragma once

#include <optional>
#include <string>

#include "apps/context.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/outlook/why.h"

namespace wavewright::app {

// The words of YARN about a job; absent without an application or an answer. `resource_manager` may be null.
// `tls_failure` gets the problem and its remedy if TLS with it failed; null = nobody wants it.
[[nodiscard]] std::optional<YarnWords> words_about(const LiveJob& job, const WebServer* resource_manager,
                                                   std::string* tls_failure = nullptr);

[[nodiscard]] Json why_document(const LiveBatch& batch, const LiveJob& job, const Why& why,
                                const TrackRecord* record);

}  // namespace wavewright::app
