// TP-FTI: a round at the end of each interval, with the jobs arrived since the last one [ORDER Alg. 1].
#pragma once

#include <memory>

#include "wavewright/dispatch/reorder_policy.h"

namespace wavewright {

// `interval` above 0; the first round is due at `begin + interval`.
[[nodiscard]] std::unique_ptr<ReorderPolicy> make_fixed_interval(Duration interval, Time begin);

}  // namespace wavewright
