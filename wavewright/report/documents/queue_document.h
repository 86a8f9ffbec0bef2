// The queue document: each job's way through a dispatching queue, and the totals beside those of the same
// jobs dispatched as they came (docs/formats/schemas/queue.schema.json).
#pragma once

#include "wavewright/dispatch/queue_outcome.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json queue_document(const QueueOutcome& outcome);

}  // namespace wavewright
