// Compares the promises of a live batch with what happened; for `night` and for the end of `run`.
#pragma once

#include <string>

#include "apps/context.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/night_check.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// With first tasks and failed attempts from the histories of the store.
[[nodiscard]] NightCheck night_of(const Store& store, const LiveBatch& batch, Time from);

// Two or three lines: how far off the ends were, and the worst.
[[nodiscard]] std::string night_summary(const NightCheck& night);

}  // namespace wavewright::app
