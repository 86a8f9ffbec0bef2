// Queries for runs by filters: newest first, page by page.
#pragma once

#include <functional>

#include "wavewright/store/database.h"
#include "wavewright/store/store.h"
#include "wavewright/store/table.h"

namespace wavewright {

// Data read for each run in addition to its row.
enum class Beside : std::uint8_t { nothing, tasks, phases };

// Calls `each` for every matching run, newest first, with its row and (`beside`) its tasks or phases, empty
// if missing. With phases, a row lacks user, queue and source. Reads pages, so that memory does not grow with
// the runs. A condition with `*` on name, user or queue is first resolved among the distinct values.
void select_runs(const Database& database, const RunFilter& filter, Beside beside,
                 const std::function<void(const Row& run, const std::string& text)>& each);

}  // namespace wavewright
