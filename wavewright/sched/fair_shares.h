// Who gets how much of what is shared by weight.
#pragma once

#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

// What each of some claimants gets: by weight, at least its minimum, at most its demand; what one
// leaves goes to the others. The sum is at most `capacity`, and reaches it where demand does. O(claimants ·
// log).
struct Claim {
  Share share;
  Count demand = 0;
};
[[nodiscard]] std::vector<double> fair_shares(const std::vector<Claim>& claims, Count capacity);

}  // namespace wavewright
