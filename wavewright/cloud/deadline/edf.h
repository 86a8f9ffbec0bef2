// Earliest deadline first: the plain rule, and a strong rival of the deadline schedulers of CLOUD. Jobs begin
// when they arrive; equal deadlines go by arrival.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

[[nodiscard]] std::unique_ptr<Allocator> make_edf(const DeadlineOptions& options);

}  // namespace wavewright
