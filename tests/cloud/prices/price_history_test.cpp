#include "wavewright/cloud/prices/price_history.h"

#include "tests/property.h"
#include "wavewright/cloud/prices/price_risk.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

PriceHistory history(std::vector<std::pair<std::int64_t, std::int64_t>> points, std::int64_t end) {
  std::vector<PricePoint> rows;
  for (const auto& [from, price] : points) rows.push_back({at_ms(from), Money{price}});
  return {{"t", "z", "p"}, rows, at_ms(end)};
}

PriceHistory random_history(std::uint64_t seed) {
  Random random(seed, "test");
  std::vector<std::pair<std::int64_t, std::int64_t>> points;
  std::int64_t now = random.integer(0, 5);
  const std::int64_t count = random.integer(1, 12);
  for (std::int64_t i = 0; i < count; ++i, now += random.integer(1, 9))
    points.emplace_back(now, random.integer(0, 4));
  return history(points, now + random.integer(0, 5));
}

TEST(PriceHistory, HoldsEachPriceUntilTheNext) {
  const PriceHistory prices = history({{10, 5}, {20, 7}, {50, 6}}, 60);
  EXPECT_EQ(prices.at(at_ms(0)).micro_usd, 5);
  EXPECT_EQ(prices.at(at_ms(19)).micro_usd, 5);
  EXPECT_EQ(prices.at(at_ms(20)).micro_usd, 7);
  EXPECT_EQ(prices.at(at_ms(99)).micro_usd, 6);
  EXPECT_DOUBLE_EQ(prices.mean_micro_usd(), (10 * 5 + 30 * 7 + 10 * 6) / 50.0);
  EXPECT_EQ(prices.quantile(0.2).micro_usd, 5);
  EXPECT_EQ(prices.quantile(0.21).micro_usd, 6);
  EXPECT_EQ(prices.quantile(0.4).micro_usd, 6);
  EXPECT_EQ(prices.quantile(0.5).micro_usd, 7);
  EXPECT_EQ(prices.between(at_ms(15), at_ms(30)), history({{15, 5}, {20, 7}}, 30));
}

TEST(PriceHistory, RefusesWhatIsNone) {
  EXPECT_THROW(history({}, 5), UsageError);
  EXPECT_THROW(history({{5, 1}, {5, 2}}, 9), UsageError);
  EXPECT_THROW(history({{5, -1}}, 9), UsageError);
  EXPECT_THROW(history({{5, 1}}, 4), UsageError);
  EXPECT_THROW((void)history({{5, 1}}, 9).between(at_ms(7), at_ms(7)), UsageError);
}

TEST(PriceHistory, SpotRowsGiveThePricesOfASimulation) {
  const PriceHistory prices = history({{10, 8'100}, {20, 70'000}, {50, 6}}, 60);
  const std::vector<SpotPrice> rows = spot_rows(prices, at_ms(30));
  EXPECT_EQ(rows, (std::vector<SpotPrice>{{at_ms(0), 0.07}, {at_ms(20), 6e-6}}));
  EXPECT_EQ(history_of(spot_rows(prices, Time{}), {"t", "z", "p"}, at_ms(60)), prices);
  holds_always([](std::uint64_t seed) {
    const PriceHistory any = random_history(seed);
    const Time origin = any.begin() + ms(static_cast<std::int64_t>(seed % 20));
    const PriceHistory back = history_of(spot_rows(any, origin), any.market(), at_ms(1'000));
    for (std::int64_t t = 0; t < 200; ++t) RC_ASSERT(back.at(at_ms(t)) == any.at(origin + ms(t)));
  });
}

TEST(PriceHistory, StepsLeaveOutRepeatsAndGaps) {
  const PriceHistory prices = history({{0, 5}, {10, 5}, {25, 7}, {125, 6}, {140, 7}, {145, 8}}, 200);
  const std::vector<PriceStep> steps = price_steps(prices, ms(50));
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].lasted, ms(25));        // the repeat is no change
  EXPECT_EQ(steps[1].lasted, std::nullopt);  // 100 ms without a row
  EXPECT_EQ(steps[2].lasted, ms(15));
  EXPECT_EQ(steps[3].lasted, ms(5));
  EXPECT_EQ(steps[4].lasted, std::nullopt);  // its end is not seen
  EXPECT_EQ(steps[2].per_hour.micro_usd, 6);
}

// Walks through every millisecond.
TEST(PriceRisk, IsWhatAWalkThroughTheHistoryCounts) {
  holds_always([](std::uint64_t seed) {
    const PriceHistory prices = random_history(seed);
    const Money bid{static_cast<std::int64_t>(seed % 6)};
    const BidRisk risk = risk_at(prices, bid);
    Count revocations = 0;
    std::int64_t there = 0, paid = 0;
    for (Time t = prices.begin(); t < prices.end(); t += ms(1)) {
      const bool now = prices.at(t) <= bid;
      there += now ? 1 : 0;
      paid += now ? prices.at(t).micro_usd : 0;
      if (t > prices.begin() && prices.at(t - ms(1)) <= bid && !now) ++revocations;
    }
    // A last price that holds for no time is still a change.
    if (prices.length() > Duration{} && prices.points().back().from == prices.end() &&
        prices.at(prices.end()) > bid && prices.at(prices.end() - ms(1)) <= bid)
      ++revocations;
    RC_ASSERT(risk.revocations == revocations);
    RC_ASSERT(to_ms(risk.available) == there);
    RC_ASSERT(std::abs(risk.price_micro_usd -
                       (there > 0 ? static_cast<double>(paid) / static_cast<double>(there) : 0)) < 1e-9);
  });
}

TEST(PriceRisk, RatesAndTheirInterval) {
  constexpr std::int64_t day = 86'400'000;
  BidRisk risk{.bid = Money{5}, .revocations = 10, .observed = ms(20 * day), .available = ms(10 * day)};
  EXPECT_DOUBLE_EQ(risk.revocations_per_day(), 0.5);
  EXPECT_DOUBLE_EQ(risk.share_available(), 0.5);
  EXPECT_EQ(risk.mean_time_to_revocation(), ms(day));
  // Garwood's table: 10 events, 4.795 to 18.390.
  EXPECT_NEAR(risk.per_day_interval().low * 20, 4.795, 0.001);
  EXPECT_NEAR(risk.per_day_interval().high * 20, 18.390, 0.001);
  risk.revocations = 0;
  EXPECT_EQ(risk.per_day_interval().low, 0);
  EXPECT_NEAR(risk.per_day_interval().high * 20, 3.689, 0.001);
  EXPECT_EQ(risk.mean_time_to_revocation(), std::nullopt);
}

TEST(PriceRisk, BidsAtSharesOfTheTime) {
  const PriceHistory prices = history({{0, 5}, {50, 9}, {90, 6}}, 100);
  EXPECT_EQ(bids_at(prices, std::vector{0.99, 0.5, 0.4}), (std::vector<Money>{{5}, {9}}));
}

}  // namespace
}  // namespace wavewright
