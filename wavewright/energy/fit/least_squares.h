// Linear least squares with coefficients that are not negative, and confidence intervals.
//
//     y = x · c + error,  Σ weight · error² least,  c ≥ 0        (Lawson and Hanson's active sets)
//
// The intervals are those of the fit without the limit at 0, cut off there: a true c ≥ 0 is in one as often
// as in the other. Neighbours in time err alike. With their correlation r, n rows count as n · (1 − r)/(1 +
// r), in the variance and in the degrees of freedom of Student's t.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wavewright {

struct RegressionRow {
  std::vector<double> x;  // equally many in all rows
  double y = 0;
  double weight = 1;
  std::size_t series = 0;  // rows of one series that follow each other are neighbours in time
};

struct FittedValue {
  double value = 0;
  double low = 0, high = 0;  // of the interval
  double error = 0;          // standard error
};

struct Regression {
  static constexpr double level = 0.95;
  std::vector<FittedValue> coefficients;
  double r_squared = 0;    // 1 − squared error / squares about the mean; 0 where y does not vary
  double deviation = 0;    // of a row of weight 1
  double correlation = 0;  // of neighbours' errors; 0 where it is negative
  double effective = 0;    // rows that count
};

// Columns that are 0, or follow from those before them, in ascending order: no fit can tell their
// coefficients. O(rows · columns²).
[[nodiscard]] std::vector<std::size_t> dependent_columns(std::span<const RegressionRow> rows);

// None where a column is dependent, or fewer rows than columns + 2. O(rows · columns² + columns⁴).
[[nodiscard]] std::optional<Regression> fit_not_negative(std::span<const RegressionRow> rows);

}  // namespace wavewright
