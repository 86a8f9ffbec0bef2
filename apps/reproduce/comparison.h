// Our measurements beside the paper's values: an entry's result, as `--json` has it.
#pragma once

#include <string>

#include "apps/reproduce/assumptions.h"
#include "apps/reproduce/experiment.h"

namespace wavewright::app {

// `agrees`, `differs`, `borderline`, `cannot tell` or `not compared`; null where the paper gives no value.
//
// A text agrees if it is the same. A number or range: see equivalence(), with the row's or the entry's
// tolerance. What is not replicated is exact and needs none. Throws InputError if a replicated measurement is
// to be compared without a tolerance.
[[nodiscard]] Json verdict_on(const Entry& entry, const EntryRow& row, const Measured& ours);

// In the row's unit.
[[nodiscard]] double tolerance_of(const Entry& entry, const EntryRow& row);

// The document of docs/formats/schemas/reproduce.schema.json for one entry. `{KEY}` in texts is replaced by
// the measurement; throws InputError for an unknown one.
[[nodiscard]] Json result_of(const Entry& entry, const Measurements& measured,
                             const std::vector<Effects>& effects, std::uint64_t seed);

// A number as tables show it, or the text; `–` for null, `10 to 30` for a range.
[[nodiscard]] std::string text_of(const Json& value);

}  // namespace wavewright::app
