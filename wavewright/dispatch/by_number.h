// PNJ: a round as soon as enough jobs wait [ORDER §4.2, "PNJ-dominated solution"].
//
// In the paper the last jobs of a day would wait forever if fewer than the threshold are left. Here a round
// is also due when a job has waited for `at_latest`.
#pragma once

#include <memory>

#include "wavewright/dispatch/reorder_policy.h"

namespace wavewright {

// `number` from 1; `at_latest` above 0.
[[nodiscard]] std::unique_ptr<ReorderPolicy> make_by_number(std::size_t number, Duration at_latest);

}  // namespace wavewright
