// Weighted max-min fair shares.
#pragma once

#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

struct Claim {
  Share share;
  Count demand = 0;
};
// The share of each claim: by weight, at least its minimum, at most its demand. What one leaves goes to the
// others. The sum is `capacity` if the demands allow it; only minima can exceed it. O(160 · claims).
[[nodiscard]] std::vector<double> fair_shares(const std::vector<Claim>& claims, Count capacity);

}  // namespace wavewright
