#include "wavewright/cloud/worlds/world.h"

#include <cmath>

#include "tests/property.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cloud/prices/price_risk.h"
#include "wavewright/cloud/worlds/declared_prices.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

PolicyRegistry policies() {
  PolicyRegistry registry = standard_policies();
  for (PolicyEntry& entry : deadline_policies()) registry.add(std::move(entry));
  return registry;
}

Workload random_trace(std::uint64_t seed, int jobs) {
  Random random(seed, "trace");
  Workload trace;
  for (int i = 0; i < jobs; ++i) {
    Job job;
    job.id = "job" + std::to_string(i);
    job.submit = at_ms(60'000 * i);
    job.maps.assign(static_cast<std::size_t>(random.integer(1, 40)), ms(random.integer(2'000, 60'000)));
    job.reduces.assign(static_cast<std::size_t>(random.integer(0, 4)), ms(random.integer(2'000, 60'000)));
    trace.jobs.push_back(std::move(job));
  }
  return trace;
}

DeclaredPrices some_prices(double correlation = 0) {
  return {.prices = {{0.7, 0.012, 1.3}, {0.3, 0.2, 2}},
          .times = {{1, 1800, 2}},
          .least_usd = 0.008,
          .most_usd = 1,
          .correlation = correlation};
}

WorldOptions some_options() {
  WorldOptions options;
  options.machine.count = 50;
  options.machine.slots = {2, 1};
  options.machine.price_per_hour = 0.07;
  options.machine.boot = ms(60'000);
  options.machine.billing = Billing::per_started_hour;
  options.spot = declared_price_model(some_prices());
  return options;
}

TEST(DeclaredPrices, AreDrawnWithinTheirLimitsAndSharesHold) {
  const PriceHistory drawn =
      generate_prices(declared_price_model(some_prices()), {.changes = 20'000, .seed = 3});
  Count low = 0;
  for (const PricePoint& point : drawn.points()) {
    EXPECT_GE(point.per_hour.micro_usd, 8'000);
    EXPECT_LE(point.per_hour.micro_usd, 1'000'000);
    EXPECT_EQ(point.per_hour.micro_usd % 100, 0);
    low += point.per_hour.micro_usd < 40'000 ? 1 : 0;
  }
  // 0.7 of the first part, 0.01 of the second.
  EXPECT_NEAR(static_cast<double>(low) / static_cast<double>(drawn.points().size()), 0.7, 0.02);
}

TEST(DeclaredPrices, CorrelatedPricesCrossABidLessOften) {
  const auto revocations = [](double correlation) {
    return risk_at(generate_prices(declared_price_model(some_prices(correlation)),
                                   {.length = ms(90 * 86'400'000LL), .seed = 3}),
                   from_usd(0.07))
        .revocations_per_day();
  };
  EXPECT_LT(revocations(0.9), 0.6 * revocations(0));
}

TEST(DeclaredPrices, RefuseNumbersOutOfRange) {
  DeclaredPrices none = some_prices();
  none.prices.clear();
  EXPECT_THROW((void)declared_price_model(none), UsageError);
  DeclaredPrices flat = some_prices();
  flat.times[0].factor = 1;
  EXPECT_THROW((void)declared_price_model(flat), UsageError);
  EXPECT_THROW((void)declared_price_model(some_prices(1)), UsageError);
  DeclaredPrices upside = some_prices();
  upside.most_usd = 0.001;
  EXPECT_THROW((void)declared_price_model(upside), UsageError);
}

TEST(World, SameSeedSameWorldAndPricesDoNotDependOnTheSelection) {
  const Workload trace = random_trace(1, 30);
  WorldOptions options = some_options();
  const World one = make_world(trace, options, 7);
  const World again = make_world(trace, options, 7);
  const World other = make_world(trace, options, 8);
  ASSERT_EQ(one.workload.jobs.size(), 30U);
  EXPECT_EQ(one.cluster.nodes[0].spot, again.cluster.nodes[0].spot);
  EXPECT_NE(one.cluster.nodes[0].spot, other.cluster.nodes[0].spot);
  EXPECT_NE(one.workload.jobs[4].deadline, other.workload.jobs[4].deadline);
  options.jobs.without = {"job3"};
  const World fewer = make_world(trace, options, 7);
  EXPECT_EQ(fewer.workload.jobs.size(), 29U);
  EXPECT_EQ(fewer.cluster.nodes[0].spot, one.cluster.nodes[0].spot);
  EXPECT_EQ(fewer.workload.jobs[3].deadline, one.workload.jobs[4].deadline);
}

TEST(World, BootingIsInTheShortestTimeOrNot) {
  const Workload trace = random_trace(1, 5);
  WorldOptions options = some_options();
  options.least_factor = options.most_factor = 2;
  const Time with = *make_world(trace, options, 1).workload.jobs[0].deadline;
  options.boot_in_shortest = false;
  EXPECT_EQ(with - *make_world(trace, options, 1).workload.jobs[0].deadline, ms(120'000));
}

TEST(World, OutcomesAreThoseOfTheRun) {
  const World world = make_world(random_trace(2, 30), some_options(), 5);
  const WorldOutcome on_demand = run_in(world, "mdasa(machines=on-demand)", policies());
  EXPECT_EQ(on_demand.tardiness.jobs, 30);
  EXPECT_EQ(on_demand.leases.revoked, 0);
  EXPECT_EQ(on_demand.leases.cost.micro_usd % 70'000, 0) << "started hours at 0.07 USD";
  EXPECT_GT(on_demand.leases.cost.micro_usd, 0);
  EXPECT_DOUBLE_EQ(on_demand.tardy_percent(), static_cast<double>(on_demand.tardiness.tardy) / 30 * 100);
  const WorldOutcome spot = run_in(world, "mdasa(machines=spot)", policies());
  EXPECT_LT(spot.leases.cost, on_demand.leases.cost);
  EXPECT_GE(spot.tardiness.tardy, on_demand.tardiness.tardy);
}

}  // namespace
}  // namespace wavewright
