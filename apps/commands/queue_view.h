// `wavewright queue` as tables.
#pragma once

#include "wavewright/dispatch/queue_outcome.h"

namespace wavewright::app {

// Writes to standard output: the first jobs, or all of them with `all`, and the totals.
void print(const QueueOutcome& outcome, bool all);

}  // namespace wavewright::app
