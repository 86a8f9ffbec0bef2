// `wavewright queue` as tables.
#pragma once

#include "wavewright/dispatch/queue_outcome.h"

namespace wavewright::app {

// Writes the first jobs (all of them with `all`) and the totals to standard output.
void print(const QueueOutcome& outcome, bool all);

}  // namespace wavewright::app
