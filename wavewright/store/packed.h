// Prepares a run for the store: all expensive work, done outside the writing thread.
#pragma once

#include <string>

#include "wavewright/store/store.h"
#include "wavewright/store/table.h"

namespace wavewright {

// Packs header, tasks and phases. Throws InputError if the run plans a number of tasks that cannot be.
// O(attempts · log attempts).
[[nodiscard]] PackedRun pack_run(const JobRun& run);

// The run of a row and its tasks. Throws ExternalError with `store` if they are damaged.
[[nodiscard]] JobRun unpacked(const std::string& store, const Row& row, const std::string& tasks);

inline constexpr const char* damaged_remedy = "'wavewright store check' names all such runs and what to do";

// A run without tasks, settings and counters.
[[nodiscard]] JobRun run_of(const RunHeader& header);

[[nodiscard]] std::string phases_text_of(const JobRun& run);

}  // namespace wavewright
