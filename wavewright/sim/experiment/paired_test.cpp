#include "wavewright/sim/experiment/paired_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

namespace wavewright {

namespace {

constexpr double outside = 0.05;  // of a 95 % interval

// All values equal: rounding must not make up a deviation.
bool are_equal(std::span<const double> values) {
  for (const double value : values) {
    if (value != values.front()) return false;
  }
  return true;
}

// Differences of decimal values that are equal but for their binary rounding become equal.
void make_equal_if_by_rounding(std::vector<double>& differences, std::span<const double> a,
                               std::span<const double> b) {
  double largest = 0;
  for (const std::span<const double> values : {a, b})
    for (const double value : values) largest = std::max(largest, std::abs(value));
  const auto [least, most] = std::minmax_element(differences.begin(), differences.end());
  constexpr double roundings = 4;
  if (*most - *least <= roundings * std::numeric_limits<double>::epsilon() * largest)
    std::fill(differences.begin(), differences.end(), *least / 2 + *most / 2);
}

double sum_of_squares(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

}  // namespace

SampleStatistics statistics_of(std::span<const double> values) {
  SampleStatistics of;
  of.runs = values.size();
  const auto n = static_cast<double>(values.size());
  for (const double value : values) of.mean += value;
  of.mean = are_equal(values) ? values.front() : of.mean / n;
  if (values.size() < 2) return of;
  const double squares = are_equal(values) ? 0 : sum_of_squares(values, of.mean);
  of.deviation = std::sqrt(squares / (n - 1));
  of.error = of.deviation / std::sqrt(n);
  of.population_error = std::sqrt(squares / n) / std::sqrt(n);
  const boost::math::students_t distribution(n - 1);
  of.half = boost::math::quantile(boost::math::complement(distribution, outside / 2)) * *of.error;
  return of;
}

PairedTest paired_t_test(std::span<const double> a, std::span<const double> b) {
  std::vector<double> differences;
  differences.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  make_equal_if_by_rounding(differences, a, b);
  PairedTest test{statistics_of(differences), std::nullopt, std::nullopt};
  if (!test.difference.error) return test;
  const double error = *test.difference.error, mean = test.difference.mean;
  if (error == 0 && mean == 0) return test;
  if (error == 0) {
    test.t = std::copysign(std::numeric_limits<double>::infinity(), mean);
    test.p = 0;
    return test;
  }
  test.t = mean / error;
  const boost::math::students_t distribution(static_cast<double>(a.size()) - 1);
  test.p = 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(*test.t)));
  return test;
}

}  // namespace wavewright
