#include "wavewright/energy/fit/least_squares.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace wavewright {

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;  // symmetric

// A pivot of the scaled matrix below this is rounding.
constexpr double no_pivot = 1e-9;

struct Normal {
  Matrix gram;   // Xᵀ W X, scaled to a diagonal of 1 (0 for a column of zeros)
  Vector right;  // Xᵀ W y, likewise
  Vector scale;  // of the columns
};

Normal normal_equations(std::span<const RegressionRow> rows) {
  const std::size_t width = rows.front().x.size();
  Normal of{Matrix(width, Vector(width, 0)), Vector(width, 0), Vector(width, 0)};
  for (const RegressionRow& row : rows) {
    for (std::size_t i = 0; i < width; ++i) {
      of.right[i] += row.weight * row.x[i] * row.y;
      for (std::size_t j = 0; j < width; ++j) of.gram[i][j] += row.weight * row.x[i] * row.x[j];
    }
  }
  for (std::size_t i = 0; i < width; ++i) of.scale[i] = std::sqrt(of.gram[i][i]);
  for (std::size_t i = 0; i < width; ++i) {
    of.right[i] /= of.scale[i] > 0 ? of.scale[i] : 1;
    for (std::size_t j = 0; j < width; ++j)
      of.gram[i][j] /= of.scale[i] > 0 && of.scale[j] > 0 ? of.scale[i] * of.scale[j] : 1;
  }
  return of;
}

// The lower triangle L with L·Lᵀ = gram over the columns `kept`.
Matrix cholesky(const Matrix& gram, const std::vector<std::size_t>& kept) {
  Matrix lower(kept.size(), Vector(kept.size(), 0));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = gram[kept[i]][kept[j]];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? std::sqrt(std::max(sum, 0.0)) : sum / lower[j][j];
    }
  }
  return lower;
}

Vector solved(const Matrix& lower, Vector right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= lower[i][k] * right[k];
    right[i] /= lower[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= lower[k][i] * right[k];
    right[i] /= lower[i][i];
  }
  return right;
}

std::vector<std::size_t> all_columns(std::size_t width) {
  std::vector<std::size_t> all(width);
  for (std::size_t i = 0; i < width; ++i) all[i] = i;
  return all;
}

// Over the columns `kept`, the others 0.
Vector least(const Normal& of, const std::vector<std::size_t>& kept) {
  Vector right;
  for (const std::size_t each : kept) right.push_back(of.right[each]);
  const Vector part = solved(cholesky(of.gram, kept), std::move(right));
  Vector whole(of.right.size(), 0);
  for (std::size_t i = 0; i < kept.size(); ++i) whole[kept[i]] = part[i];
  return whole;
}

// How much the squared error falls with each coefficient.
Vector descent(const Normal& of, const Vector& at) {
  Vector slope = of.right;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = 0; j < at.size(); ++j) slope[i] -= of.gram[i][j] * at[j];
  return slope;
}

// From `at` towards `target`, as far as none is below 0; those that are 0 there leave `kept`.
void step(Vector& at, const Vector& target, std::vector<std::size_t>& kept) {
  double share = 1;
  for (const std::size_t each : kept)
    if (target[each] <= 0) share = std::min(share, at[each] / (at[each] - target[each]));
  for (const std::size_t each : kept) at[each] += share * (target[each] - at[each]);
  std::erase_if(kept, [&](std::size_t each) {
    return target[each] <= 0 && at[each] <= no_pivot * std::abs(target[each]);
  });
}

// Lawson and Hanson, Solving Least Squares Problems, ch. 23.
Vector least_not_negative(const Normal& of) {
  const std::size_t width = of.right.size();
  Vector at(width, 0);
  std::vector<std::size_t> kept;
  double tolerance = 0;
  for (const double each : of.right) tolerance = std::max(tolerance, no_pivot * std::abs(each));
  for (std::size_t rounds = 0; rounds < 3 * width + 3; ++rounds) {
    const Vector slope = descent(of, at);
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < width; ++i) {
      const bool out = std::find(kept.begin(), kept.end(), i) == kept.end();
      if (out && slope[i] > tolerance && (!best || slope[i] > slope[*best])) best = i;
    }
    if (!best) break;
    kept.push_back(*best);
    Vector target = least(of, kept);
    while (std::any_of(kept.begin(), kept.end(), [&](std::size_t each) { return target[each] <= 0; })) {
      step(at, target, kept);
      for (std::size_t i = 0; i < width; ++i)
        if (std::find(kept.begin(), kept.end(), i) == kept.end()) at[i] = 0;
      target = least(of, kept);
    }
    at = std::move(target);
  }
  return at;
}

// The diagonal of gram⁻¹.
Vector inverse_diagonal(const Normal& of) {
  const std::size_t width = of.right.size();
  const Matrix lower = cholesky(of.gram, all_columns(width));
  Vector diagonal;
  for (std::size_t i = 0; i < width; ++i) {
    Vector unit(width, 0);
    unit[i] = 1;
    diagonal.push_back(solved(lower, std::move(unit))[i]);
  }
  return diagonal;
}

Vector errors_of(std::span<const RegressionRow> rows, const Vector& coefficients) {
  Vector errors;
  for (const RegressionRow& row : rows) {
    double error = row.y;
    for (std::size_t i = 0; i < coefficients.size(); ++i) error -= row.x[i] * coefficients[i];
    errors.push_back(error * std::sqrt(row.weight));
  }
  return errors;
}

double sum_of_squares(const Vector& values) {
  double sum = 0;
  for (const double each : values) sum += each * each;
  return sum;
}

double neighbours_correlation(std::span<const RegressionRow> rows, const Vector& errors) {
  double both = 0, square = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].series != rows[i - 1].series) continue;
    both += errors[i] * errors[i - 1];
    square += (errors[i] * errors[i] + errors[i - 1] * errors[i - 1]) / 2;
  }
  constexpr double most = 0.99;
  return square > 0 ? std::clamp(both / square, 0.0, most) : 0;
}

double squares_about_mean(std::span<const RegressionRow> rows) {
  double weight = 0, mean = 0, squares = 0;
  for (const RegressionRow& row : rows) {
    weight += row.weight;
    mean += row.weight * row.y;
  }
  mean /= weight;
  for (const RegressionRow& row : rows) squares += row.weight * (row.y - mean) * (row.y - mean);
  return squares;
}

}  // namespace

std::vector<std::size_t> dependent_columns(std::span<const RegressionRow> rows) {
  std::vector<std::size_t> dependent, kept;
  if (rows.empty()) return dependent;
  const Normal of = normal_equations(rows);
  for (std::size_t i = 0; i < of.right.size(); ++i) {
    kept.push_back(i);
    const double pivot = cholesky(of.gram, kept).back().back();
    if (pivot * pivot > no_pivot) continue;
    kept.pop_back();
    dependent.push_back(i);
  }
  return dependent;
}

std::optional<Regression> fit_not_negative(std::span<const RegressionRow> rows) {
  if (rows.empty() || rows.size() < rows.front().x.size() + 2 || !dependent_columns(rows).empty())
    return std::nullopt;
  const Normal of = normal_equations(rows);
  const std::size_t width = of.right.size();
  const auto unscaled = [&](Vector scaled) {
    for (std::size_t i = 0; i < width; ++i) scaled[i] /= of.scale[i];
    return scaled;
  };
  const Vector free = unscaled(least(of, all_columns(width)));
  const Vector bound = unscaled(least_not_negative(of));
  const Vector errors = errors_of(rows, free);
  const auto n = static_cast<double>(rows.size()), p = static_cast<double>(width);
  Regression fit;
  fit.correlation = neighbours_correlation(rows, errors);
  fit.effective = n * (1 - fit.correlation) / (1 + fit.correlation);
  const double variance = sum_of_squares(errors) / (n - p);
  fit.deviation = std::sqrt(variance);
  const double around = squares_about_mean(rows);
  fit.r_squared = around > 0 ? 1 - sum_of_squares(errors_of(rows, bound)) / around : 0;
  const boost::math::students_t student(std::max(1.0, fit.effective - p));
  const double t = boost::math::quantile(boost::math::complement(student, (1 - Regression::level) / 2));
  const Vector inverse = inverse_diagonal(of);
  for (std::size_t i = 0; i < width; ++i) {
    const double error = std::sqrt(variance * inverse[i] * n / fit.effective) / of.scale[i];
    fit.coefficients.push_back(
        {bound[i], std::max(0.0, free[i] - t * error), std::max(0.0, free[i] + t * error), error});
  }
  return fit;
}

}  // namespace wavewright
