// Applies a record of each type to the run.
#pragma once

#include "wavewright/history/hadoop1/record.h"
#include "wavewright/history/run_builder.h"

namespace wavewright::hadoop1 {

enum class Applied { yes, unknown_record, bad_counters };

// `bad_counters`: everything but the record's counters was applied.
[[nodiscard]] Applied apply(const Record& record, RunBuilder& builder);

}  // namespace wavewright::hadoop1
