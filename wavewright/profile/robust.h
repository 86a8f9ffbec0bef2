// Robust statistics: a few bad values hardly change them.
#pragma once

#include <span>
#include <vector>

namespace wavewright {

// The middle value, or the mean of the two middle ones; 0 if empty.
[[nodiscard]] double median(std::vector<double> values);

// The lower quartile; 0 if empty. O(n).
[[nodiscard]] double soonest_quarter(std::vector<double> values);

// Each value's distance from the median in robust deviations: 0.6745·(x − median)/MAD (Iglewicz and Hoaglin).
// The MAD is at least `least_spread`, so that nearly equal values have no outliers. O(n).
[[nodiscard]] std::vector<double> robust_z(std::span<const double> values, double least_spread);
inline constexpr double outlier_z = 3.5;

// Gini coefficient, from 0 (all equal) to 1; 0 if the sum is 0. O(n log n).
[[nodiscard]] double gini(std::vector<double> values);

// Spearman's rank correlation with ties, −1 … 1; 0 if one side does not vary.
[[nodiscard]] double rank_correlation(std::span<const double> x, std::span<const double> y);

// Two-sided p-value of the rank-sum test (Wilcoxon, Mann, Whitney), by the normal approximation with ties
// corrected. 1 if a sample has fewer than 4 values.
[[nodiscard]] double rank_sum_p(std::span<const double> a, std::span<const double> b);

}  // namespace wavewright
