// Least squares by hand, against a slow search, and the integrals that go into them.
#include "wavewright/energy/fit/least_squares.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "wavewright/core/random.h"
#include "wavewright/energy/fit/busy_time.h"

namespace wavewright {
namespace {

using testing::ElementsAre;

std::vector<RegressionRow> rows_of(const std::vector<std::pair<std::vector<double>, double>>& points) {
  std::vector<RegressionRow> rows;
  for (const auto& [x, y] : points) rows.push_back({x, y, 1, 0});
  return rows;
}

TEST(LeastSquares, FindsTheLineThroughPoints) {
  // y = 3 + 2x with errors 1, -2, 1: their sum and their product with x are 0, so the line stays.
  const auto fit = fit_not_negative(rows_of({{{1, 0}, 4}, {{1, 1}, 3}, {{1, 2}, 8}, {{1, 1}, 5}}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->coefficients[0].value, 3, 1e-12);
  EXPECT_NEAR(fit->coefficients[1].value, 2, 1e-12);
  // Squared error 1 + 4 + 1 + 0 over 2 degrees of freedom; about the mean of 5: 1 + 4 + 9 + 0.
  EXPECT_NEAR(fit->deviation, std::sqrt(3), 1e-12);
  EXPECT_NEAR(fit->r_squared, 1 - 6.0 / 14, 1e-12);
}

TEST(LeastSquares, IntervalsAreThoseOfTheTextbook) {
  // x = 0..4 four times over; errors ±1 that sum up to nothing with 1 and x. Slope's error: s/√Σ(x − 2)².
  std::vector<std::pair<std::vector<double>, double>> points;
  for (const double error : {1.0, -1.0, -1.0, 1.0})
    for (int x = 0; x < 5; ++x) points.push_back({{1, double(x)}, 10 + 4 * x + error});
  std::vector<RegressionRow> rows = rows_of(points);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].series = i;  // no neighbours
  const auto fit = fit_not_negative(rows);
  ASSERT_TRUE(fit);
  const double deviation = std::sqrt(20.0 / 18), error = deviation / std::sqrt(40);
  EXPECT_NEAR(fit->coefficients[1].error, error, 1e-12);
  EXPECT_NEAR(fit->coefficients[1].high - 4, 2.1009 * error, 1e-4) << "Student's t with 18 degrees";
  EXPECT_EQ(fit->correlation, 0);
  EXPECT_NEAR(fit->effective, 20, 1e-12);
}

TEST(LeastSquares, WeightsCountAsRepeatedRows) {
  std::vector<RegressionRow> weighted = rows_of({{{1, 0}, 4}, {{1, 1}, 3}, {{1, 2}, 9}, {{1, 3}, 9}});
  std::vector<RegressionRow> repeated = weighted;
  weighted[2].weight = 3;
  repeated.push_back(repeated[2]);
  repeated.push_back(repeated[2]);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(fit_not_negative(weighted)->coefficients[i].value,
                fit_not_negative(repeated)->coefficients[i].value, 1e-12);
}

TEST(LeastSquares, NeighboursThatErrAlikeWidenTheIntervals) {
  const auto with_errors = [](const std::vector<double>& errors) {
    std::vector<std::pair<std::vector<double>, double>> points;
    for (std::size_t i = 0; i < 40; ++i)
      points.push_back({{1, double(i % 5)}, 50 + double(i % 5) + errors[i % errors.size()]});
    return *fit_not_negative(rows_of(points));
  };
  std::vector<double> slow, fast;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(i < 10 ? 1 : -1);
    fast.push_back(i % 2 == 0 ? 1 : -1);
  }
  EXPECT_GT(with_errors(slow).correlation, 0.7);
  EXPECT_LT(with_errors(slow).effective, 8);
  EXPECT_EQ(with_errors(fast).correlation, 0) << "errors that alternate do not narrow them";
  EXPECT_GT(with_errors(slow).coefficients[1].error, 2 * with_errors(fast).coefficients[1].error);
}

TEST(LeastSquares, ColumnsThatFollowFromOthersAreFound) {
  const auto rows = rows_of({{{1, 2, 3, 0}, 1},
                             {{1, 3, 4, 0}, 2},
                             {{1, 5, 6, 0}, 2},
                             {{1, 5, 6, 0}, 3},
                             {{1, 1, 2, 0}, 3},
                             {{1, 0, 1, 0}, 3}});
  EXPECT_THAT(dependent_columns(rows), ElementsAre(2, 3));
  EXPECT_EQ(fit_not_negative(rows), std::nullopt);
  EXPECT_EQ(fit_not_negative(rows_of({{{1, 0}, 1}, {{1, 1}, 2}, {{1, 2}, 2}})), std::nullopt)
      << "no freedom for an error";
  EXPECT_EQ(fit_not_negative({}), std::nullopt);
}

// Against the best of all subsets of columns whose own least squares are not negative.
double squared_error(const std::vector<RegressionRow>& rows, const std::vector<double>& c) {
  double sum = 0;
  for (const RegressionRow& row : rows) {
    double error = row.y;
    for (std::size_t i = 0; i < c.size(); ++i) error -= row.x[i] * c[i];
    sum += row.weight * error * error;
  }
  return sum;
}

// By gradient steps on one coefficient at a time, cut off at 0: slow, and sure to end at the optimum.
std::vector<double> by_coordinates(const std::vector<RegressionRow>& rows) {
  std::vector<double> c(rows.front().x.size(), 0);
  for (int round = 0; round < 20'000; ++round) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      double slope = 0, square = 0;
      for (const RegressionRow& row : rows) {
        double error = row.y;
        for (std::size_t k = 0; k < c.size(); ++k) error -= row.x[k] * c[k];
        slope += row.weight * row.x[i] * error;
        square += row.weight * row.x[i] * row.x[i];
      }
      c[i] = std::max(0.0, c[i] + slope / square);
    }
  }
  return c;
}

TEST(LeastSquares, CoefficientsAreTheBestThatAreNotNegative) {
  int at_zero = 0;
  holds_always(
      [&] {
        Random random(*rc::gen::arbitrary<std::uint64_t>(), "rows");
        const int width = *rc::gen::inRange(1, 5);
        std::vector<RegressionRow> rows;
        for (int i = 0; i < 12; ++i) {
          RegressionRow row{{1}, random.uniform(-1, 3), random.uniform(0.5, 2), 0};
          for (int k = 1; k < width; ++k) row.x.push_back(random.uniform(0, 3));
          rows.push_back(row);
        }
        const auto fit = fit_not_negative(rows);
        RC_ASSERT(fit.has_value());
        std::vector<double> found;
        for (const FittedValue& each : fit->coefficients) found.push_back(each.value);
        for (const double each : found) RC_ASSERT(each >= 0);
        const std::vector<double> slow = by_coordinates(rows);
        RC_ASSERT(squared_error(rows, found) <= squared_error(rows, slow) * (1 + 1e-9) + 1e-12);
        at_zero += static_cast<int>(std::count(found.begin(), found.end(), 0.0));
      },
      60);
  EXPECT_GT(at_zero, rare(7));
}

TEST(BusyTime, IsTheIntegralOfRunningTasks) {
  const BusyTime busy({{at_ms(10), at_ms(20)}, {at_ms(15), at_ms(30)}, {at_ms(40), at_ms(40)}});
  EXPECT_EQ(busy.within(at_ms(0), at_ms(100)), 25);
  EXPECT_EQ(busy.within(at_ms(12), at_ms(18)), 6 + 3);
  EXPECT_EQ(busy.within(at_ms(30), at_ms(40)), 0);
  EXPECT_EQ(BusyTime({}).within(at_ms(0), at_ms(9)), 0);
}

TEST(BusyTime, EqualsACountMsByMs) {
  holds_always([] {
    std::vector<std::pair<Time, Time>> tasks;
    for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
      const Time start = at_ms(*rc::gen::inRange(0, 30));
      tasks.emplace_back(start, start + ms(*rc::gen::inRange(-2, 12)));
    }
    const int from = *rc::gen::inRange(0, 40), to = from + *rc::gen::inRange(0, 40);
    std::int64_t sum = 0;
    for (int t = from; t < to; ++t)
      for (const auto& [start, end] : tasks) sum += start <= at_ms(t) && at_ms(t) < end ? 1 : 0;
    RC_ASSERT(BusyTime(tasks).within(at_ms(from), at_ms(to)) == sum);
  });
}

}  // namespace
}  // namespace wavewright
