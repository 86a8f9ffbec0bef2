// Linear programs by hand, and small random ones against all their vertices.
#include "wavewright/core/linear_program.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(LinearProgram, OfTwoVariablesByHand) {
  // 3x + 5y with x ≤ 4, 2y ≤ 12 and 3x + 2y ≤ 18 [Wyndor Glass, Hillier & Lieberman]: 36 at (2, 6).
  const LinearProgram program{{3, 5}, {{{1, 0}, 4}, {{0, 2}, 12}, {{3, 2}, 18}}};
  const std::vector<double> best = maximise(program).value();
  EXPECT_NEAR(best[0], 2, 1e-6);
  EXPECT_NEAR(best[1], 6, 1e-6);
}

TEST(LinearProgram, ComesToAnEndWhereManyLimitsAreZero) {
  // It cycles with the plain rule of the highest gain [Beale 1955].
  const LinearProgram program{{0.75, -150, 0.02, -6},
                              {{{0.25, -60, -0.04, 9}, 0}, {{0.5, -90, -0.02, 3}, 0}, {{0, 0, 1, 0}, 1}}};
  const std::vector<double> best = maximise(program).value();
  EXPECT_NEAR(0.75 * best[0] - 150 * best[1] + 0.02 * best[2] - 6 * best[3], 0.05, 1e-6);
}

TEST(LinearProgram, IsNoneWithoutABestAndRefusesLimitsBelowZero) {
  EXPECT_FALSE(maximise({{1, 1}, {{{1, -1}, 1}}}));
  EXPECT_THROW((void)maximise({{1}, {{{1}, -1}}}), std::invalid_argument);
  EXPECT_THROW((void)maximise({{1, 1}, {{{1}, 1}}}), std::invalid_argument);
}

// Solves the square system by Gauss; false if it has no one solution.
bool solved(std::vector<std::vector<double>> rows, std::vector<double>& values) {
  const std::size_t n = rows.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < n; ++row) {
      if (std::abs(rows[row][column]) > std::abs(rows[pivot][column])) pivot = row;
    }
    if (std::abs(rows[pivot][column]) < 1e-9) return false;
    std::swap(rows[column], rows[pivot]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = rows[row][column] / rows[column][column];
      for (std::size_t i = column; i <= n; ++i) rows[row][i] -= factor * rows[column][i];
    }
  }
  values.clear();
  for (std::size_t i = 0; i < n; ++i) values.push_back(rows[i][n] / rows[i][i]);
  return true;
}

// The best vertex of all: each is where as many limits as there are variables meet.
double best_vertex(const LinearProgram& program) {
  const std::size_t n = program.gain.size();
  std::vector<std::vector<double>> limits;
  for (const LinearProgram::Row& row : program.rows) {
    limits.push_back(row.weights);
    limits.back().push_back(row.limit);
  }
  for (std::size_t i = 0; i < n; ++i) {
    limits.emplace_back(n + 1, 0);
    limits.back()[i] = -1;
  }
  std::vector<bool> chosen(limits.size(), false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(n), true);
  double best = 0;
  do {
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (chosen[i]) rows.push_back(limits[i]);
    }
    std::vector<double> values;
    if (!solved(rows, values)) continue;
    bool allowed = true;
    double gain = 0;
    for (const std::vector<double>& limit : limits) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += limit[i] * values[i];
      allowed = allowed && sum <= limit[n] + 1e-7;
    }
    for (std::size_t i = 0; i < n; ++i) gain += program.gain[i] * values[i];
    if (allowed) best = std::max(best, gain);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

TEST(LinearProgram, FindsTheBestVertex) {
  int above_zero = 0;
  holds_always(
      [&] {
        const auto variables = static_cast<std::size_t>(*rc::gen::inRange(1, 5));
        LinearProgram program;
        for (std::size_t i = 0; i < variables; ++i) program.gain.push_back(*rc::gen::inRange(-5, 10));
        for (int n = *rc::gen::inRange(1, 5); n > 0; --n) {
          LinearProgram::Row& row = program.rows.emplace_back();
          for (std::size_t i = 0; i < variables; ++i) row.weights.push_back(*rc::gen::inRange(-4, 8));
          row.limit = *rc::gen::inRange(0, 20);
        }
        // So that there is a best.
        program.rows.push_back({std::vector<double>(variables, 1), 30});
        const std::vector<double> best = maximise(program).value();
        double gain = 0;
        for (std::size_t i = 0; i < variables; ++i) {
          RC_ASSERT(best[i] >= 0);
          gain += program.gain[i] * best[i];
        }
        for (const LinearProgram::Row& row : program.rows) {
          double sum = 0;
          for (std::size_t i = 0; i < variables; ++i) sum += row.weights[i] * best[i];
          RC_ASSERT(sum <= row.limit + 1e-5);
        }
        const double vertex = best_vertex(program);
        RC_ASSERT(std::abs(gain - vertex) <= 1e-4);
        above_zero += vertex > 0;
      },
      400);
  EXPECT_GT(above_zero, rare(100));
}

}  // namespace
}  // namespace wavewright
