#include "apps/commands/why_document.h"

#include "wavewright/core/error.h"
#include "wavewright/live/outlook/outlook_document.h"

namespace wavewright::app {

std::optional<YarnWords> words_about(const LiveJob& job, const WebServer* resource_manager,
                                     std::string* tls_failure) {
  if (resource_manager == nullptr || has_ended(job.state)) return std::nullopt;
  try {
    return yarn_words(*resource_manager, job.applications.empty() ? "" : job.applications.back());
  } catch (const TlsFailure& error) {
    if (tls_failure != nullptr) *tls_failure = error.what();
    return std::nullopt;
  } catch (const ExternalError&) {  // the rest of the answer is in the store
    return std::nullopt;
  }
}

Json why_document(const LiveBatch& batch, const LiveJob& job, const Why& why, const TrackRecord* record) {
  return {{"run", batch.name},
          {"job", job.id},
          {"state", to_string(job.state)},
          {"code", to_string(why.code)},
          {"sentence", why.sentence},
          {"yarn", why.yarn},
          {"next", why.next},
          {"start", document_of(why.start)},
          {"end", document_of(why.end)},
          {"more_containers", why.more ? Json(*why.more) : Json(nullptr)},
          {"record", record == nullptr ? Json(nullptr) : document_of(*record)}};
}

}  // namespace wavewright::app
