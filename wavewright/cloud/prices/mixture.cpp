#include "wavewright/cloud/prices/mixture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/toms748_solve.hpp>

namespace wavewright {

double normal_cumulative(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double normal_quantile(double share) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * share);
}

double Mixture::log_density(double x) const {
  constexpr double log_root_two_pi = 0.91893853320467274178;
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const Gaussian& each : components) {
    if (each.weight <= 0) continue;
    const double z = (x - each.mean) / each.deviation;
    const double log = std::log(each.weight / each.deviation) - z * z / 2 - log_root_two_pi;
    if (log > most) {
      sum = sum * std::exp(most - log) + 1;
      most = log;
    } else {
      sum += std::exp(log - most);
    }
  }
  return most + std::log(sum);
}

double Mixture::cumulative(double x) const {
  double sum = 0;
  for (const Gaussian& each : components)
    sum += each.weight * normal_cumulative((x - each.mean) / each.deviation);
  return std::clamp(sum, 0.0, 1.0);
}

double Mixture::quantile(double share) const {
  constexpr double edge = 1e-12;
  share = std::clamp(share, edge, 1 - edge);
  const double z = normal_quantile(share);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Gaussian& each : components) {
    low = std::min(low, each.mean + z * each.deviation);
    high = std::max(high, each.mean + z * each.deviation);
  }
  if (!(low < high)) return low;
  const auto above = [&](double x) { return cumulative(x) - share; };
  const double at_low = above(low), at_high = above(high);
  if (at_low >= 0) return low;
  if (at_high <= 0) return high;
  constexpr int bits = 40;
  std::uintmax_t most = 100;
  const auto [left, right] = boost::math::tools::toms748_solve(
      above, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(bits), most);
  return left + (right - left) / 2;
}

double Mixture::mean() const {
  double sum = 0;
  for (const Gaussian& each : components) sum += each.weight * each.mean;
  return sum;
}

double Mixture::deviation() const {
  const double middle = mean();
  double sum = 0;
  for (const Gaussian& each : components)
    sum += each.weight * (each.deviation * each.deviation + (each.mean - middle) * (each.mean - middle));
  return std::sqrt(sum);
}

double Mixture::draw(Random& random) const {
  double left = random.unit();
  for (const Gaussian& each : components) {
    left -= each.weight;
    if (left < 0) return random.normal(each.mean, each.deviation);
  }
  return random.normal(components.back().mean, components.back().deviation);
}

}  // namespace wavewright
