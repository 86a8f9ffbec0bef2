// Queries for runs: filters, newest first, a page at a time.
#pragma once

#include <functional>

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"
#include "wavewright/store/table.h"

namespace wavewright {

// What is read of each run besides its row.
enum class Beside : std::uint8_t { nothing, tasks, phases };

// Calls `each` for every run that matches, newest first, with its row and (`beside`) its tasks or phases;
// empty where they are missing. Reads pages, so that memory does not grow with the runs. A filter's condition
// on name, user or queue with a `*` is first looked up among the distinct values.
void select_runs(const Database& database, const RunFilter& filter, Beside beside,
                 const std::function<void(const Row& run, const std::string& text)>& each);

}  // namespace wavewright
