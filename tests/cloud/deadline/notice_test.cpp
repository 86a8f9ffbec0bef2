// What the deadline policies do on the market's notice, and where output of maps is kept.
#include <gtest/gtest.h>

#include "tests/sim/small_jobs.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// Four machines of a map and a reduce slot that boot for a second. The spot price passes a bid of half a
// dollar at 50 s, for good.
Cluster cloud(const std::string& row, const std::string& more = "") {
  return parse_cluster(R"(
[[nodes]]
count = 4
map_slots = 1
reduce_slots = 1
rent = true
boot_ms = 1000
price_per_hour = 1.0
spot = [[0, 0.1], [50000, 0.9]]
)" + row + more,
                       "cloud.toml");
}

SimulationResult run(const Cluster& cluster, const std::vector<Job>& jobs, const std::string& machines) {
  Policy policy = make_policy("edf(machines=" + machines + ")", {}, PolicyRegistry(deadline_policies()));
  return simulate_cluster({jobs}, policy, {cluster, 1, true});
}

Job job_by(const char* id, std::vector<int> maps, std::vector<int> reduces, int deadline) {
  Job job = job_of(id, std::move(maps), std::move(reduces));
  job.deadline = at_ms(deadline);
  return job;
}

// The first map ends within the notice. The second one starts on the machine that was rented at the notice.
TEST(OnNotice, PoliciesRentAnotherMachineAtOnce) {
  const std::vector<Job> jobs = {job_by("A", {100'000, 20'000}, {}, 400'000)};
  const SimulationResult with = run(cloud("notice_ms = 120000\n"), jobs, "hybrid, bid=0.5");
  ASSERT_EQ(with.leases.size(), 2U);
  EXPECT_EQ(with.leases[0].noticed, at_ms(50'000));
  EXPECT_EQ(with.leases[1].requested, at_ms(50'000));
  EXPECT_FALSE(with.leases[1].bid) << "on demand while the price is above the bid";
  EXPECT_EQ(with.jobs[0].lost_attempts, 0U);
  EXPECT_EQ(with.jobs[0].finish, at_ms(101'000));  // beside each other since 51 s
  const SimulationResult without = run(cloud(""), jobs, "hybrid, bid=0.5");
  EXPECT_EQ(without.jobs[0].lost_attempts, 1U);
  EXPECT_GT(without.jobs[0].finish, at_ms(151'000));
}

// A's map ends within the notice, shortly before its machine's paid hour does. The machine is not given back
// then, though nothing needs it: an hour that the market cuts short is free.
TEST(OnNotice, AMachineIsLeftToTheMarket) {
  const std::vector<Job> jobs = {job_by("A", {3'594'000}, {}, 4'000'000),
                                 job_by("B", {7'000'000}, {}, 20'000'000)};
  Cluster cluster = cloud("notice_ms = 120000\nbilling = \"hour\"\n");
  cluster.nodes[0].spot[1].from = at_ms(3'590'000);
  const SimulationResult with = run(cluster, jobs, "hybrid, bid=0.5");
  ASSERT_FALSE(with.leases.empty());
  EXPECT_EQ(with.leases[0].joined, at_ms(1'000));
  EXPECT_EQ(with.leases[0].left, at_ms(3'710'000));
  EXPECT_EQ(with.leases[0].ended_by, LeaseEnd::market);
  EXPECT_EQ(with.leases[0].cost.micro_usd, 100'000);
}

// A machine on which a map ended stays while reduces of its job read it, unless its output is kept elsewhere.
TEST(WhereOutputIsKept, MachinesGoBackWhenTheirMapsAreDone) {
  const std::vector<Job> jobs = {job_by("A", {10'000, 10'000, 200'000}, {10'000}, 215'000)};
  const std::string kept = "[faults]\nlost_map_output = \"kept\"\n";
  const auto first_back = [&](const std::string& more) {
    const SimulationResult result = run(cloud("", more), jobs, "on-demand, idle=1s");
    Time first = Time::max();
    for (const Lease& lease : result.leases) first = std::min(first, lease.left.value_or(Time::max()));
    return first;
  };
  EXPECT_LT(first_back(kept), at_ms(20'000));
  EXPECT_GT(first_back(""), at_ms(200'000));
}

}  // namespace
}  // namespace wavewright
