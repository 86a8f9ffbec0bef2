// Runs that a prediction leaves out, as JSON.
#pragma once

#include "wavewright/predict/run_choice.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// An object with a number for each reason.
[[nodiscard]] Json left_out_counts_document(const LeftOutCounts& counts);
// A list of `id` and `why`, newest first.
[[nodiscard]] Json left_out_document(const RunChoice& choice);

}  // namespace wavewright
