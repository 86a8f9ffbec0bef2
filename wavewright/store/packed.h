// A run made ready for the store: all that costs time, done before (and beside) the one who writes.
#pragma once

#include <string>

#include "wavewright/store/store.h"
#include "wavewright/store/table.h"

namespace wavewright {

// Headers, tasks and phases packed. O(attempts · log attempts).
[[nodiscard]] PackedRun pack_run(const JobRun& run);

// The run of a row and its tasks. ExternalError, naming `store`, where they are damaged.
[[nodiscard]] JobRun unpacked(const std::string& store, const Row& row, const std::string& tasks);

// A run without its tasks, settings and counters.
[[nodiscard]] JobRun run_of(const RunHeader& header);

// The text for wavewright_phases.
[[nodiscard]] std::string phases_text_of(const JobRun& run);

}  // namespace wavewright
