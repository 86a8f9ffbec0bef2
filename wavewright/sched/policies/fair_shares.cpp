#include "wavewright/sched/policies/fair_shares.h"

#include <algorithm>

namespace wavewright {

namespace {

double given(const Claim& claim, double level) {
  const double by_weight = level * static_cast<double>(claim.share.weight_thousandths) / 1000;
  return std::min(std::max(by_weight, static_cast<double>(claim.share.minimum)),
                  static_cast<double>(claim.demand));
}

}  // namespace

std::vector<double> fair_shares(const std::vector<Claim>& claims, Count capacity) {
  const auto sum_at = [&](double level) {
    double sum = 0;
    for (const Claim& claim : claims) sum += given(claim, level);
    return sum;
  };
  // Water-filling: doubles the level until the sum reaches the capacity, then bisects.
  double low = 0, high = 1;
  const auto whole = static_cast<double>(capacity);
  constexpr double highest = 1e18;
  while (high < highest && sum_at(high) < whole) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (sum_at(middle) < whole ? low : high) = middle;
  }
  std::vector<double> shares;
  shares.reserve(claims.size());
  for (const Claim& claim : claims) shares.push_back(given(claim, high));
  return shares;
}

}  // namespace wavewright
