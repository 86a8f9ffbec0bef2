#include "wavewright/profile/robust.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wavewright {

namespace {

// Ranks from 1; ties get their mean rank. `tied` becomes Σ(t³ − t).
std::vector<double> ranks_of(std::span<const double> values, double* tied = nullptr) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = (static_cast<double>(begin) + static_cast<double>(end) + 1) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = rank;
    const auto ties = static_cast<double>(end - begin);
    if (tied != nullptr) *tied += ties * ties * ties - ties;
  }
  return ranks;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double soonest_quarter(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

std::vector<double> robust_z(std::span<const double> values, double least_spread) {
  const double middle = median({values.begin(), values.end()});
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  const double spread = std::max(median(distances), least_spread);
  std::vector<double> z;
  z.reserve(values.size());
  for (const double value : values) z.push_back(spread > 0 ? 0.6745 * (value - middle) / spread : 0);
  return z;
}

double gini(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double sum = 0;
  double weighted = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    weighted += static_cast<double>(i + 1) * values[i];
  }
  const auto count = static_cast<double>(values.size());
  return sum > 0 ? 2 * weighted / (count * sum) - (count + 1) / count : 0;
}

double rank_correlation(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> a = ranks_of(x);
  const std::vector<double> b = ranks_of(y);
  const double middle = (static_cast<double>(x.size()) + 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - middle) * (b[i] - middle);
    aa += (a[i] - middle) * (a[i] - middle);
    bb += (b[i] - middle) * (b[i] - middle);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

double rank_sum_p(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 4 || b.size() < 4) return 1;
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  double tied = 0;
  const std::vector<double> ranks = ranks_of(all, &tied);
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  const double sum =
      std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(a.size()), 0.0);
  const double expected = n * (n + m + 1) / 2;
  const double variance = n * m / 12 * (n + m + 1 - tied / ((n + m) * (n + m - 1)));
  if (variance <= 0) return 1;
  const double z = std::max(0.0, std::abs(sum - expected) - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

}  // namespace wavewright
