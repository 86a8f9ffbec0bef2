#include "wavewright/cloud/instances/lease_price.h"

#include "tests/property.h"
#include "wavewright/cluster/presence.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

constexpr std::int64_t hour = 3'600'000;

TEST(LeasePrice, OnDemandByHand) {
  const Money price{70'000};
  EXPECT_EQ(on_demand_bill(price, ms(hour), Billing::per_second), price);
  EXPECT_EQ(on_demand_bill(price, ms(1), Billing::per_second).micro_usd, 1'167);       // 60 s: 1166.67
  EXPECT_EQ(on_demand_bill(price, ms(90'001), Billing::per_second).micro_usd, 1'769);  // 91 s: 1769.4
  EXPECT_EQ(on_demand_bill(price, ms(0), Billing::per_started_hour), price);
  EXPECT_EQ(on_demand_bill(price, ms(hour), Billing::per_started_hour), price);
  EXPECT_EQ(on_demand_bill(price, ms(hour + 1), Billing::per_started_hour).micro_usd, 140'000);
}

PriceHistory random_prices(Random& random) {
  std::vector<PricePoint> points;
  std::int64_t now = 0;
  for (std::int64_t i = random.integer(1, 15); i > 0; --i, now += random.integer(1, 2 * hour))
    points.push_back({at_ms(now), Money{random.integer(0, 200'000)}});
  return {{}, points, at_ms(now)};
}

// The simulator's bill for a lease of a minute or more, whose rules are the same.
TEST(LeasePrice, SpotIsTheBillOfASimulatedLease) {
  holds_always(
      [](std::uint64_t seed) {
        Random random(seed, "lease");
        const PriceHistory prices = random_prices(random);
        NodeGroup group;
        group.spot = spot_rows(prices, Time{});
        const Time joined = at_ms(random.integer(0, 10 * hour));
        const Time left = joined + ms(random.integer(60'000, 5 * hour));
        const bool revoked = random.below(2) == 0;
        for (const Billing billing : {Billing::per_second, Billing::per_started_hour}) {
          group.billing = billing;
          RC_ASSERT(spot_bill(prices, joined, left, revoked, billing) ==
                    bill(group, true, joined, left, revoked));
        }
        const Money bid{random.integer(0, 200'000)};
        RC_ASSERT(outbid_from(prices, bid, joined) == outbid_from(group, bid, joined));
      },
      500);
}

// Hour by hour, and at once for a time of ages.
TEST(LeasePrice, EachStartedHourIsPaidAtThePriceAtItsStart) {
  holds_always(
      [](std::uint64_t seed) {
        Random random(seed, "hours");
        const PriceHistory prices = random_prices(random);
        const std::int64_t joined = random.integer(0, 10 * hour);
        const std::int64_t length =
            random.below(3) == 0 ? random.integer(0, 5) * hour : random.integer(0, 9 * hour);
        const bool revoked = random.below(2) == 0;
        Money sum;
        for (std::int64_t before = 0; before < std::max<std::int64_t>(length, 60'000); before += hour)
          if (!revoked || before + hour <= length) sum += prices.at(at_ms(joined + before));
        RC_ASSERT(spot_bill(prices, at_ms(joined), at_ms(joined + length), revoked,
                            Billing::per_started_hour) == sum);
      },
      500);
  constexpr std::int64_t ages = 80'000'000;
  EXPECT_EQ(on_demand_bill({70'000}, ms(ages * hour), Billing::per_started_hour).micro_usd, ages * 70'000);
}

TEST(LeasePrice, AShortSpotLeasePaysAMinute) {
  const PriceHistory prices({}, {{at_ms(0), {60'000}}, {at_ms(30'000), {120'000}}}, at_ms(hour));
  EXPECT_EQ(spot_bill(prices, at_ms(0), at_ms(10), false, Billing::per_second).micro_usd, 500 + 1'000);
  EXPECT_EQ(spot_bill(prices, at_ms(0), at_ms(10), false, Billing::per_started_hour).micro_usd, 60'000);
  EXPECT_EQ(spot_bill(prices, at_ms(0), at_ms(10), true, Billing::per_started_hour).micro_usd, 0);
}

}  // namespace
}  // namespace wavewright
