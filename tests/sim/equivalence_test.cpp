// Verdicts on printed values, and how often intervals hold the mean.
#include "wavewright/sim/experiment/equivalence.h"

#include <cmath>
#include <functional>
#include <vector>

#include "wavewright/core/random.h"

namespace wavewright {
namespace {

constexpr std::size_t trials = 4000;

std::vector<double> sample(std::size_t count, const std::function<double()>& draw) {
  std::vector<double> values(count);
  for (double& value : values) value = draw();
  return values;
}

// How often the interval of `count` draws holds their mean, of `trials` times.
double coverage(std::size_t count, Scale scale, double mean, const std::function<double()>& draw) {
  std::size_t held = 0;
  for (std::size_t i = 0; i < trials; ++i) {
    const Interval interval = confidence_interval(sample(count, draw), scale).value();
    if (scale == Scale::logarithmic) {
      EXPECT_GT(interval.low, 0);
    }
    if (interval.low <= mean && mean <= interval.high) ++held;
  }
  return static_cast<double>(held) / trials;
}

// Four standard errors of a share that is really 95 %: what chance may take away from it.
const double by_chance = 4 * std::sqrt(0.95 * 0.05 / trials);

TEST(Equivalence, AnIntervalInsideAgreesOutsideDiffersAndAcrossCannotTell) {
  EXPECT_EQ(equivalence(Interval{9, 11}, {10, 10}, 2), Verdict::agrees);
  EXPECT_EQ(equivalence(Interval{13, 15}, {10, 10}, 2), Verdict::differs);
  EXPECT_EQ(equivalence(Interval{5, 7}, {10, 10}, 2), Verdict::differs);
  EXPECT_EQ(equivalence(Interval{9, 13}, {10, 10}, 2), Verdict::cannot_tell);
  EXPECT_EQ(equivalence(Interval{606, 1734}, {1450, 1450}, 290), Verdict::cannot_tell)
      << "it holds the value, and much else";
  EXPECT_EQ(equivalence(std::nullopt, {10, 10}, 2), Verdict::cannot_tell);
  EXPECT_EQ(equivalence(Interval{11, 13}, {10, 10}, 2), Verdict::borderline);
  EXPECT_EQ(equivalence(Interval{7.5, 8.5}, {10, 10}, 2), Verdict::borderline);
  EXPECT_EQ(equivalence(Interval{11, 13.1}, {10, 10}, 2), Verdict::cannot_tell) << "wider than the tolerance";
  EXPECT_EQ(equivalence(Interval{8, 12}, {10, 10}, 2), Verdict::agrees) << "the ends belong to it";
  EXPECT_EQ(equivalence(Interval{10, 10}, {10, 10}, 0), Verdict::agrees);
  EXPECT_EQ(equivalence(Interval{10.1, 10.1}, {10, 10}, 0), Verdict::differs);
}

TEST(Equivalence, ARangeAgreesWithWhatLiesInIt) {
  EXPECT_EQ(equivalence(Interval{12, 28}, {10, 30}, 0), Verdict::agrees);
  EXPECT_EQ(equivalence(Interval{12, 31}, {10, 30}, 0), Verdict::cannot_tell);
  EXPECT_EQ(equivalence(Interval{12, 31}, {10, 30}, 2), Verdict::agrees);
  EXPECT_EQ(equivalence(Interval{0, 7}, {10, 30}, 2), Verdict::differs);
}

TEST(Equivalence, FewEqualRunsTellNothing) {
  const std::vector<double> four(4, 8.0), five(5, 8.0);
  EXPECT_FALSE(where_mean_is(std::span(four).first(1), Scale::linear)) << "one run has no interval";
  EXPECT_FALSE(where_mean_is(four, Scale::linear));
  EXPECT_EQ(where_mean_is(five, Scale::linear), (Interval{8, 8}));
}

TEST(Equivalence, WhatCannotBeNegativeHasNoNegativeInterval) {
  const std::vector<double> orders = {100, 150, 90, 120, 14000};  // Student's t says from below 0
  EXPECT_LT(confidence_interval(orders, Scale::linear)->low, 0);
  const Interval interval = confidence_interval(orders, Scale::logarithmic).value();
  EXPECT_GT(interval.low, 0);
  EXPECT_GT(interval.high, 14000);
  const std::vector<double> close = {99, 100, 101};
  EXPECT_NEAR(confidence_interval(close, Scale::logarithmic)->low,
              confidence_interval(close, Scale::linear)->low, 0.05)
      << "where little varies the scales say the same";
}

TEST(Equivalence, IntervalsHoldTheMeanAsOftenAsTheySay) {
  Random random(1, "coverage");
  for (const std::size_t count : {2U, 5U, 20U}) {
    EXPECT_NEAR(coverage(count, Scale::linear, 3, [&] { return random.normal(3, 2); }), 0.95, by_chance)
        << count;
  }
  for (const std::size_t count : {5U, 20U, 100U}) {
    EXPECT_NEAR(coverage(count, Scale::logarithmic, 100, [&] { return random.normal(100, 10); }), 0.95,
                by_chance)
        << count;
  }
}

TEST(Equivalence, OfSkewedTimesTheLogarithmicIntervalHoldsTheMeanMoreOften) {
  const double sigma = 1;
  const double mean = std::exp(sigma * sigma / 2);
  for (const std::size_t count : {5U, 20U}) {
    Random one(2, "skewed"), other(2, "skewed");
    const double linear = coverage(count, Scale::linear, mean, [&] { return one.lognormal(0, sigma); });
    const double logarithmic =
        coverage(count, Scale::logarithmic, mean, [&] { return other.lognormal(0, sigma); });
    EXPECT_GT(logarithmic, linear) << count;
    EXPECT_GT(logarithmic, 0.85) << count;
  }
}

// Each verdict is wrong at most as often as its level says, however few runs there are.
TEST(Equivalence, NoiseMakesNoAgreement) {
  const double tolerance = 10, deviation = 40;
  for (const std::size_t count : {2U, 5U, 20U, 200U}) {
    Random random(3, "noise", count);
    std::size_t wrong_agrees = 0, wrong_differs = 0;
    for (std::size_t i = 0; i < trials; ++i) {
      // The mean lies on the edge: the worst case of both errors.
      const auto ours =
          where_mean_is(sample(count, [&] { return random.normal(110, deviation); }), Scale::linear);
      if (equivalence(ours, {100 - 1e-6, 100 - 1e-6}, tolerance) == Verdict::agrees) ++wrong_agrees;
      if (equivalence(ours, {100 + 1e-6, 100 + 1e-6}, tolerance) == Verdict::differs) ++wrong_differs;
    }
    // To agree wrongly the interval must miss the mean on one side, to differ wrongly on either side.
    const auto most = [](double level) { return level + 4 * std::sqrt(level * (1 - level) / trials); };
    EXPECT_LE(static_cast<double>(wrong_agrees) / trials, most(0.025)) << count;
    EXPECT_LE(static_cast<double>(wrong_differs) / trials, most(0.05)) << count;
  }
}

TEST(Equivalence, EnoughRunsTell) {
  Random random(4, "enough");
  std::size_t agrees = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    const auto ours = where_mean_is(sample(400, [&] { return random.normal(102, 40); }), Scale::linear);
    if (equivalence(ours, {100, 100}, 10) == Verdict::agrees) ++agrees;
  }
  EXPECT_GT(agrees, 180U);
}

}  // namespace
}  // namespace wavewright
