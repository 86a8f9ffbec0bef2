// The queue document: each job's times in a dispatching queue, and totals compared with dispatch in order of
// arrival (docs/formats/schemas/queue.schema.json).
#pragma once

#include "wavewright/dispatch/queue_outcome.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json queue_document(const QueueOutcome& outcome);

}  // namespace wavewright
