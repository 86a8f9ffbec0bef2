#include "wavewright/rent/theorem_bounds.h"

#include <algorithm>

namespace wavewright {

namespace {

struct TwoSpeeds {
  double together = 0;  // S(M)
  double apart = 0;     // S(⌊M/n⌋)
  double rents = 0;     // of dominance / of sharing
};

TwoSpeeds two_speeds(const Speeds& speeds, std::size_t jobs) {
  const Count all = speeds.machines();
  const Count share = all / static_cast<Count>(jobs);
  const double together = speeds.at(all);
  const double apart = speeds.at(share);
  const double rents = static_cast<double>(all) / together / (static_cast<double>(share) / apart);
  return {together, apart, rents};
}

double both_ways(double n, double ratio) {
  return std::max(2 * n / (n + 1), ratio);
}

}  // namespace

double ratio_of(double one, double other) {
  if (one == other) return 1;
  return std::max(one, other) / std::min(one, other);
}

double printed_time_bound(const Speeds& speeds, std::size_t jobs) {
  const TwoSpeeds two = two_speeds(speeds, jobs);
  return both_ways(static_cast<double>(jobs), two.apart / two.together);
}

double mended_time_bound(const Speeds& speeds, std::size_t jobs) {
  const TwoSpeeds two = two_speeds(speeds, jobs);
  const double half = (static_cast<double>(jobs) + 1) / 2;
  return std::max(two.together / two.apart, half * two.apart / two.together);
}

double printed_cost_bound(const Speeds& speeds, std::size_t jobs, const RentPrices& prices) {
  const TwoSpeeds two = two_speeds(speeds, jobs);
  const double ratio = two.apart / two.together;
  return prices.rent * both_ways(static_cast<double>(jobs), ratio) + prices.delay * ratio;
}

double mended_cost_bound(const Speeds& speeds, std::size_t jobs) {
  const TwoSpeeds two = two_speeds(speeds, jobs);
  return std::max(two.together / two.apart, two.rents);
}

double printed_one_size_bound(const Speeds& speeds, const RentPrices& prices) {
  double most = 0;
  for (Count n = 1; n <= speeds.machines(); ++n) {
    most = std::max(most, speeds.at(speeds.machines() / n) / speeds.at(speeds.machines()));
  }
  return (prices.rent + prices.delay) * most;
}

double mended_one_size_bound(const Speeds& speeds) {
  const Count all = speeds.machines();
  const Count cheapest = speeds.cheapest(all);
  return static_cast<double>(all) * speeds.at(cheapest) / static_cast<double>(cheapest) / speeds.at(all);
}

}  // namespace wavewright
