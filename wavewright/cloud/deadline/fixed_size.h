// A cluster of one size, rented when the first job arrives and kept to the end; the earliest deadline goes
// first. A rival of the policies that rent by need.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

// `size`: machines.
[[nodiscard]] std::unique_ptr<Allocator> make_fixed_size(const DeadlineOptions& options, Count size);

}  // namespace wavewright
