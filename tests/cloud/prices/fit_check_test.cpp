#include "wavewright/cloud/prices/fit_check.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/cloud/prices/real_like.h"
#include "wavewright/cloud/prices/price_model.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

// Two logarithmic Gaussians, far apart; times are one.
PriceHistory two_levels(std::uint64_t seed, int changes) {
  Random random(seed, "levels");
  std::vector<PricePoint> points;
  Time now{};
  for (int i = 0; i < changes; ++i) {
    const double log =
        random.unit() < 0.6 ? random.normal(std::log(0.01), 0.1) : random.normal(std::log(0.03), 0.2);
    points.push_back({now, Money{std::llround(std::exp(log) * 1e4) * 100}});
    now += ms(1000 * (1 + std::llround(random.lognormal(6, 0.5))));
  }
  return {{}, points, now};
}

struct Rejected {
  int price = 0, time = 0, held_price = 0, of = 0;
};

// At 5 %, over many histories.
Rejected rejections(std::size_t components) {
  Rejected count;
  constexpr int histories = 40, changes = 300;
  for (int seed = 1; seed <= histories; ++seed) {
    const PriceHistory prices = two_levels(static_cast<std::uint64_t>(seed), changes);
    FitCheckOptions how;
    how.model.components = components;
    how.drawn = 59;
    how.seed = static_cast<std::uint64_t>(seed);
    const FitCheck check = check_fit(prices, fit_price_model(prices, how.model).model, how);
    constexpr double level = 0.05;
    count.price += check.price.rejected(level) ? 1 : 0;
    count.time += check.time.rejected(level) ? 1 : 0;
    count.held_price += check.held_price.rejected(level) ? 1 : 0;
    ++count.of;
  }
  return count;
}

TEST(FitCheck, RejectsAWrongModel) {
  const Rejected one = rejections(1);
  EXPECT_GE(one.price, 0.95 * one.of);
  EXPECT_GE(one.held_price, 0.6 * one.of);
  EXPECT_LE(one.time, 0.2 * one.of);  // one component is right for the times
}

// 5 % of 40 is 2; more than 7 come with a probability of 0.1 %.
TEST(FitCheck, KeepsARightModel) {
  const Rejected two = rejections(2);
  EXPECT_LE(two.price, 7);
  EXPECT_LE(two.time, 7);
  EXPECT_LE(two.held_price, 7);
}

TEST(FitCheck, ReportsWhatItMeasured) {
  const PriceHistory prices = two_levels(5, 200);
  const PriceModel model = fit_price_model(prices).model;
  FitCheckOptions how;
  how.drawn = 19;
  const FitCheck check = check_fit(prices, model, how);
  const PriceHistory changes = prices.without_repeats();
  std::vector<std::int64_t> values;
  for (const PricePoint& point : changes.points()) values.push_back(point.per_hour.micro_usd);
  EXPECT_EQ(check.price.distance, distance_of(model.price, values));
  EXPECT_EQ(check.price.drawn, 19);
  EXPECT_EQ(check.price.values, static_cast<Count>(values.size()));
  EXPECT_NEAR(static_cast<double>(check.held_price.values), 0.3 * static_cast<double>(values.size()), 1);
  EXPECT_GE(check.price.p, 1 / 20.0);
  for (const double share : {0.0, 0.99}) {
    how.held_back = share;
    EXPECT_THROW((void)check_fit(prices, model, how), UsageError);
  }
}

// By hand: of values 100, 100, 300 in steps of 100 under a uniform-like margin.
TEST(Margin, DistanceCountsWholeSteps) {
  Margin margin{
      .scale = MixtureScale::linear, .mixture = {{{1, 200, 100}}}, .step = 100, .least = 100, .most = 300};
  const auto cumulative = [](double x) { return normal_cumulative((x - 200) / 100); };
  const double by_hand = std::max({cumulative(50), std::abs(cumulative(150) - 2 / 3.0),
                                   std::abs(cumulative(250) - 2 / 3.0), 1 - cumulative(350)});
  EXPECT_NEAR(distance_of(margin, std::vector<std::int64_t>{100, 300, 100}), by_hand, 1e-12);
  EXPECT_EQ(margin.value_at(cumulative(120), margin.mixture), 100);
  EXPECT_EQ(margin.value_at(0.9999999, margin.mixture), 300);  // not above what was seen
  EXPECT_NEAR(margin.place_of(200, 0.5), 0.5, 1e-9);
  EXPECT_NEAR(margin.place_of(100, 0), cumulative(50), 1e-9);
}

TEST(Margin, StepsAndScales) {
  const MarginFit fit =
      fit_margin(std::vector<std::int64_t>{300, 1'500, 900}, {.components = 1, .coarsest_step = 100});
  EXPECT_EQ(fit.margin.step, 100);
  EXPECT_EQ(fit.margin.least, 300);
  EXPECT_NEAR(fit.margin.mixture.components[0].mean, std::log(300.0 * 1'500 * 900) / 3, 1e-9);
  EXPECT_THROW((void)fit_margin(std::vector<std::int64_t>{0, 5}, {}), UsageError);
  EXPECT_NO_THROW((void)fit_margin(std::vector<std::int64_t>{0, 5}, {.scale = MixtureScale::linear}));
  EXPECT_EQ(parse_mixture_scale("linear"), MixtureScale::linear);
  EXPECT_THROW((void)parse_mixture_scale("lin"), UsageError);
}

}  // namespace
}  // namespace wavewright
