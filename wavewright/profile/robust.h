// Statistics that a few bad values do not move.
#pragma once

#include <span>
#include <vector>

namespace wavewright {

// The middle, or the mean of the two middles; 0 of nothing.
[[nodiscard]] double median(std::vector<double> values);

// The value that a quarter of them do not exceed; 0 of nothing. O(n).
[[nodiscard]] double soonest_quarter(std::vector<double> values);

// Each value's distance from the median in robust standard deviations: 0.6745·(x − median)/MAD (Iglewicz and
// Hoaglin, who call beyond 3.5 an outlier). The MAD is taken as at least `least_spread`, so that values which
// are all but equal have no outliers. O(n).
[[nodiscard]] std::vector<double> robust_z(std::span<const double> values, double least_spread);
inline constexpr double outlier_z = 3.5;

// Gini's coefficient, from 0 (all equal) to 1; 0 where the sum is 0. O(n log n).
[[nodiscard]] double gini(std::vector<double> values);

// Of ranks (ties share theirs): how well one grows with the other, −1 … 1; 0 where one does not vary.
[[nodiscard]] double rank_correlation(std::span<const double> x, std::span<const double> y);

// Two-sided probability, by the normal approximation with ties corrected, that two samples of one
// distribution differ in ranks so much (Wilcoxon, Mann, Whitney). 1 where one of them has under 4 values.
[[nodiscard]] double rank_sum_p(std::span<const double> a, std::span<const double> b);

}  // namespace wavewright
