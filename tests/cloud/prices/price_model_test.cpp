#include "wavewright/cloud/prices/price_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/cloud/prices/real_like.h"
#include "tests/property.h"
#include "wavewright/cloud/prices/price_chain.h"
#include "wavewright/cloud/prices/price_risk.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

constexpr std::int64_t day = 86'400'000;

// Four components of each mixture: enough for these prices, and quicker than a choice.
PriceModel model_of(const PriceHistory& history) {
  PriceModelOptions how;
  how.components = 4;
  return fit_price_model(history, how).model;
}

TEST(PriceChain, StatesAndTheRowsOfACopula) {
  EXPECT_EQ(state_ends(10), (std::vector{1.0}));
  const std::vector<double> ends = state_ends(400);
  // Four quarters, the uppermost halved while 16 of 400 changes fall into its upper half.
  EXPECT_EQ(ends, (std::vector{0.25, 0.5, 0.75, 0.875, 0.9375, 1.0}));
  for (const double correlation : {0.0, 0.7, -0.5}) {
    const auto rows = copula_rows(ends, correlation);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_NEAR(std::accumulate(rows[i].begin(), rows[i].end(), 0.0), 1, 1e-12);
      if (correlation != 0) continue;
      for (std::size_t j = 0; j < rows.size(); ++j)
        EXPECT_NEAR(rows[i][j], ends[j] - (j > 0 ? ends[j - 1] : 0), 1e-9);
    }
  }
  // P(both above the median) of a Gaussian copula is 1/4 + asin(correlation)/(2π) [Sheppard].
  const auto halves = copula_rows({0.5, 1}, 0.7);
  EXPECT_NEAR(halves[1][1] / 2, 0.25 + std::asin(0.7) / (2 * M_PI), 2e-3);
}

// By counting with a fine step: the row of a state is the share of changes that go from it.
TEST(PriceChain, RowsFollowTheHistory) {
  std::vector<PricePoint> points;
  for (int i = 0; i < 1'200; ++i)
    points.push_back({at_ms(i * 60'000), {i % 3 == 0 ? 10'000 : i % 3 == 1 ? 20'000 : 40'000}});
  const PriceHistory cycle({}, points, at_ms(1'200 * 60'000));
  const PriceModel model = fit_price_model(cycle).model;
  const PriceHistory drawn = generate_prices(model, {.changes = 3'000});
  // 10,000 is followed by 20,000, that by 40,000, and that by 10,000, but for what the prior allows. A high
  // price may be off by a step of 100: a component is as narrow as a step at the middle price.
  std::size_t right = 0;
  const auto level = [&](std::size_t i) { return (drawn.points()[i].per_hour.micro_usd + 5'000) / 10'000; };
  for (std::size_t i = 1; i < drawn.points().size(); ++i)
    right += level(i) == (level(i - 1) == 4 ? 1 : 2 * level(i - 1)) ? 1U : 0U;
  EXPECT_GT(static_cast<double>(right), 0.95 * static_cast<double>(drawn.points().size()));
  for (std::size_t i = 0; i < drawn.points().size(); ++i)
    EXPECT_NEAR(static_cast<double>(drawn.points()[i].per_hour.micro_usd),
                10'000.0 * static_cast<double>(level(i)), 200);
}

TEST(PriceModel, SameSeedSameHistory) {
  const PriceModel model = model_of(regime_prices(1, 20));
  const GenerateOptions how = {.begin = at_ms(5), .length = ms(10 * day), .seed = 3};
  EXPECT_EQ(generate_prices(model, how), generate_prices(model, how));
  EXPECT_NE(generate_prices(model, how),
            generate_prices(model, {.begin = at_ms(5), .length = ms(10 * day), .seed = 4}));
  EXPECT_NE(generate_prices(model, how),
            generate_prices(model, {.begin = at_ms(5), .length = ms(10 * day), .seed = 3, .number = 1}));
  const PriceHistory drawn = generate_prices(model, how);
  EXPECT_EQ(drawn.begin(), at_ms(5));
  EXPECT_EQ(drawn.end(), at_ms(5 + 10 * day));
  EXPECT_EQ(drawn, drawn.without_repeats());
}

TEST(PriceModel, RefusesShortHistoriesAndEndlessOnes) {
  EXPECT_THROW((void)fit_price_model(PriceHistory({}, {{at_ms(0), {1}}, {at_ms(1), {2}}}, at_ms(5))),
               UsageError);
  const PriceModel model = model_of(regime_prices(1, 20));
  EXPECT_THROW((void)generate_prices(model, {}), UsageError);
}

// Real-like histories, none of the model's family: fitted to the first half, held against the second.
struct Rates {
  double held = 0, mean = 0;
};

// By bid, over the same drawn histories.
std::vector<Rates> rates_of(const PriceModel& model, const PriceHistory& held, const std::vector<Money>& bids,
                            bool independent) {
  constexpr std::uint64_t histories = 20;
  std::vector<Rates> rates;
  for (const Money bid : bids) rates.push_back({risk_at(held, bid).revocations_per_day(), 0});
  for (std::uint64_t i = 0; i < histories; ++i) {
    const PriceHistory drawn = generate_prices(
        model, {.length = held.length(), .independent = independent, .seed = 11, .number = i});
    for (std::size_t b = 0; b < bids.size(); ++b)
      rates[b].mean += risk_at(drawn, bids[b]).revocations_per_day() / histories;
  }
  return rates;
}

struct Agreement {
  int bids = 0, within = 0, independent_within = 0;
  double log_error = 0, independent_log_error = 0;  // sums of |log(mean / held back)|
};

// The bids are the prices that hold for these shares of the time. A rate is within if it is neither less than
// 2/3 nor more than 3/2 of the rate held back.
Agreement agreement(PriceHistory (*prices)(std::uint64_t, int)) {
  Agreement found;
  constexpr int days = 120;
  for (const std::uint64_t seed : {21u, 22u, 23u, 24u}) {
    const PriceHistory all = prices(seed, days);
    const PriceHistory first = all.between(all.begin(), at_ms(days / 2 * day));
    const PriceHistory held = all.between(at_ms(days / 2 * day), all.end());
    const PriceModel model = model_of(first);
    const std::vector<Money> bids = bids_at(first, std::vector{0.3, 0.5, 0.75, 0.9, 0.95});
    const std::vector<Rates> chained = rates_of(model, held, bids, false);
    const std::vector<Rates> alone = rates_of(model, held, bids, true);
    for (std::size_t b = 0; b < bids.size(); ++b) {
      const double error = std::abs(std::log(chained[b].mean / chained[b].held));
      const double alone_error = std::abs(std::log(alone[b].mean / alone[b].held));
      ++found.bids;
      found.within += error < std::log(1.5) ? 1 : 0;
      found.independent_within += alone_error < std::log(1.5) ? 1 : 0;
      found.log_error += error;
      found.independent_log_error += alone_error;
    }
  }
  ::testing::Test::RecordProperty("bids", found.bids);
  ::testing::Test::RecordProperty("within", found.within);
  ::testing::Test::RecordProperty("independent_within", found.independent_within);
  return found;
}

TEST(PriceModel, KeepsTheRateOfRevocationsOfRegimes) {
  const Agreement found = agreement(regime_prices);
  EXPECT_GE(found.within, 0.75 * found.bids) << found.within << " of " << found.bids;
  EXPECT_EQ(found.independent_within, 0);
  EXPECT_LT(found.log_error, found.independent_log_error / 5);
}

TEST(PriceModel, KeepsTheRateOfRevocationsOfAnAuction) {
  const Agreement found = agreement(auction_prices);
  EXPECT_GE(found.within, 0.75 * found.bids) << found.within << " of " << found.bids;
  EXPECT_EQ(found.independent_within, 0);
  EXPECT_LT(found.log_error, found.independent_log_error / 4);
}

TEST(PriceModel, KeepsTheRateOfRevocationsOfAStickyFloor) {
  const Agreement found = agreement(floor_prices);
  EXPECT_GE(found.within, 0.9 * found.bids) << found.within << " of " << found.bids;
  // Independent draws leave the floor less often and cross the bids above it more often.
  EXPECT_LT(found.log_error, found.independent_log_error / 2);
}

// The rate of the history that the model was fitted to, which no change of regime blurs.
TEST(PriceModel, DrawsTheRatesThatItWasFittedTo) {
  for (auto* prices : {regime_prices, floor_prices, auction_prices}) {
    const PriceHistory seen = prices(31, 100);
    const PriceModel model = model_of(seen);
    const std::vector<Money> bids = bids_at(seen, std::vector{0.5, 0.9, 0.95});
    for (const Rates& rates : rates_of(model, seen, bids, false))
      EXPECT_NEAR(rates.mean / rates.held, 1, 0.3);
  }
}

TEST(PriceModel, KeepsDistributionMeanTimeAndNeighbours) {
  const PriceHistory seen = regime_prices(41, 150);
  const PriceModel model = model_of(seen);
  const PriceHistory drawn = generate_prices(model, {.length = ms(1'500 * day)});
  // Shares of the time at or below a price. A chain of one step misses hidden regimes: the share of the
  // scarce one is nine points too high here, the worst of the five.
  for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9}) {
    const Money price = seen.quantile(share);
    EXPECT_NEAR(risk_at(drawn, price).share_available(), risk_at(seen, price).share_available(), 0.1)
        << share;
  }
  const auto changes_a_day = [](const PriceHistory& prices) {
    return static_cast<double>(prices.points().size()) / (static_cast<double>(to_ms(prices.length())) / day);
  };
  EXPECT_NEAR(changes_a_day(drawn) / changes_a_day(seen), 1, 0.05);
  const PriceModel again = model_of(generate_prices(model, {.length = seen.length(), .seed = 2}));
  EXPECT_NEAR(again.chain.correlation, model.chain.correlation, 0.03);
  const PriceModel alone = model_of(generate_prices(model, {.length = seen.length(), .independent = true}));
  EXPECT_NEAR(alone.chain.correlation, 0, 0.1);
}

}  // namespace
}  // namespace wavewright
