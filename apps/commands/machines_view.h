// What `wavewright machines` shows: machines of the books and budgets of batches, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/cloud/provision/books.h"

namespace wavewright::app {

// The document of every subcommand (docs/formats/schemas/machines.schema.json).
[[nodiscard]] Json machines_document(const Books& books, Time now, bool dry_run,
                                     const std::vector<std::string>& notes);

// For people: a table of machines, and a line for each budget.
void print_machines(const Books& books, Time now);

// Reads `2`, `0.05`: dollars, with at most six decimals. Throws UsageError, which names the flag.
[[nodiscard]] Money parse_usd(const std::string& flag, const std::string& text);

}  // namespace wavewright::app
