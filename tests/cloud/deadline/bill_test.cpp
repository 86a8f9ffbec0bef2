// Bills of machines that the deadline policies rent, against a sum of its own over the leases.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/property.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

struct Price {
  std::int64_t from = 0;  // ms
  std::int64_t micro_usd = 0;
};

// The rules of docs/use/deadlines.md, spelt out: micro-dollars for a machine from `joined` to `left`.
std::int64_t by_rule(const std::vector<Price>& prices, bool hourly, std::int64_t joined, std::int64_t left,
                     bool revoked) {
  const auto price_at = [&](std::int64_t at) {
    std::int64_t price = prices.front().micro_usd;
    for (const Price& each : prices) price = each.from <= at ? each.micro_usd : price;
    return price;
  };
  constexpr std::int64_t hour = 3'600'000;
  std::int64_t sum = 0;
  if (hourly) {
    const std::int64_t whole = (left - joined) / hour;
    const bool begun = (left - joined) % hour != 0 && !revoked;
    for (std::int64_t k = 0; k < whole + (begun ? 1 : 0); ++k) sum += price_at(joined + k * hour);
    return sum;
  }
  std::int64_t end = joined;
  while (end < left) end += 1000;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const std::int64_t to = i + 1 < prices.size() ? std::min(end, prices[i + 1].from) : end;
    const std::int64_t paid = std::max<std::int64_t>(0, to - std::max(joined, prices[i].from));
    sum += (prices[i].micro_usd * paid + hour / 2) / hour;
  }
  return sum;
}

Cluster cloud(const std::vector<Price>& spot, bool hourly) {
  std::string prices;
  for (const Price& each : spot)
    prices += fmt::format("[{}, {:.6f}], ", each.from, static_cast<double>(each.micro_usd) / 1e6);
  return parse_cluster(fmt::format(R"(
[[nodes]]
map_slots = 1
reduce_slots = 1
[[nodes]]
count = 6
class = "rented"
map_slots = 2
reduce_slots = 1
price_per_hour = 0.5
rent = true
boot_ms = 7000
billing = "{}"
spot = [{}]
)",
                                   hourly ? "hour" : "second", prices),
                       "cloud.toml");
}

Workload any_jobs() {
  Workload workload;
  const int jobs = *rc::gen::inRange(1, 6);
  std::int64_t at = 0;
  for (int i = 0; i < jobs; ++i) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::format("J{}", i);
    job.submit = at_ms(at);
    const auto maps = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
    job.maps.assign(maps, ms(*rc::gen::inRange(1, 900'000)));
    job.reduces.assign(static_cast<std::size_t>(*rc::gen::inRange(0, 3)), ms(50'000));
    job.deadline = at_ms(at + *rc::gen::inRange(1'000, 4'000'000));
    at += *rc::gen::inRange(0, 2'000'000);
  }
  return workload;
}

std::uint64_t tasks_of(const Workload& workload) {
  std::uint64_t tasks = 0;
  for (const Job& job : workload.jobs) tasks += job.maps.size() + job.reduces.size();
  return tasks;
}

TEST(Bills, AreExactToTheMicroDollar) {
  std::size_t leases = 0, revoked = 0;
  holds_always(
      [&] {
        std::vector<Price> spot = {{0, *rc::gen::inRange(1, 500'000)}};
        while (spot.size() < 12)
          spot.push_back({spot.back().from + *rc::gen::inRange(1, 1'500'000), *rc::gen::inRange(1, 700'000)});
        spot.push_back({spot.back().from + 1, 1});  // cheap in the end, so that every run ends
        const bool hourly = *rc::gen::arbitrary<bool>();
        const std::string market = *rc::gen::element<std::string>("on-demand", "spot", "hybrid");
        const std::string name = *rc::gen::element<std::string>("edf", "ndasa", "mdasa");
        Policy policy =
            make_policy(name + "(machines=" + market + ")", {}, PolicyRegistry(deadline_policies()));
        const Workload workload = any_jobs();
        const SimulationResult result = simulate_cluster(workload, policy, {cloud(spot, hourly)});
        // No machine on demand goes back with maps that reduces still read: nothing runs twice.
        if (market == "on-demand") RC_ASSERT(result.starts == tasks_of(workload));
        Money sum;
        for (const Lease& lease : result.leases) {
          if (!lease.joined) {
            RC_ASSERT(lease.cost == Money{});
            continue;
          }
          const std::int64_t left =
              to_ms(lease.left.value_or(std::max(Time{} + result.makespan, *lease.joined)));
          const std::vector<Price> on_demand = {{0, 500'000}};
          const std::int64_t cost =
              by_rule(lease.bid ? spot : on_demand, hourly, to_ms(*lease.joined), left, lease.revoked());
          RC_ASSERT(lease.cost.micro_usd == cost);
          sum += Money{cost};
          ++leases;
          revoked += lease.revoked() ? 1 : 0;
        }
        RC_ASSERT(totals_of(result).cost == sum);
      },
      600);
  EXPECT_GT(leases, 100U);
  EXPECT_GT(revoked, 5U);
}

}  // namespace
}  // namespace wavewright
