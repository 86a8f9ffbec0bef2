// Machines that a policy rents while a simulation runs: they boot, join, are revoked, and are billed.
#include <gmock/gmock.h>

#include "tests/sim/one_machine_a_job.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright {
namespace {

using Leases = RentsOneMachineAJob;
INSTANTIATE_TEST_SUITE_P(BothEngines, Leases,
                         ::testing::Values(&simulate_cluster, &simulate_cluster_reference),
                         [](const auto& each) { return each.index == 0 ? "Fast" : "Reference"; });

TEST_P(Leases, BootJoinWorkAndAreBilledBySecond) {
  const Outcome run = Leases::run(cloud(), {job_of("A", {4'500}, {})});
  // The map waits for the machine, which joins at 10 s; given back when the job ends at 14.5 s.
  EXPECT_EQ(run.result.jobs[0].finish, at_ms(14'500));
  ASSERT_EQ(run.result.leases.size(), 1U);
  const Lease& lease = run.result.leases[0];
  EXPECT_EQ(lease.requested, at_ms(0));
  EXPECT_EQ(lease.joined, at_ms(10'000));
  EXPECT_FALSE(lease.revoked());
  EXPECT_EQ(lease.cost.micro_usd, 5'000);  // 4.5 s, 5 started seconds
  ASSERT_EQ(run.told.size(), 1U);
  EXPECT_EQ(run.told[0].what, Event::What::node_up);
  EXPECT_EQ(run.told[0].lease, 0U);
  EXPECT_EQ(run.offers[0].machines, 2);
  EXPECT_EQ(run.offers[0].machine.map_slots, 1);
  EXPECT_EQ(run.offers[0].machine.reduce_slots, 0);
  EXPECT_EQ(run.offers[0].boot, ms(10'000));
  EXPECT_EQ(run.offers[0].on_demand_per_hour.micro_usd, 3'600'000);
}

TEST_P(Leases, AreBilledByStartedHourWhereTheGroupSaysSo) {
  const Outcome run = Leases::run(cloud("billing = \"hour\"\n"), {job_of("A", {3'601'000}, {})});
  EXPECT_EQ(run.result.leases.at(0).cost.micro_usd, 2 * 3'600'000);
}

TEST_P(Leases, EachJobHasAMachineOfItsOwnAndTheSecondIsGivenBack) {
  const Outcome run = Leases::run(cloud(), {job_of("A", {5'000}, {}), job_of("B", {9'000}, {})});
  EXPECT_EQ(run.result.jobs[0].finish, at_ms(15'000));
  EXPECT_EQ(run.result.jobs[1].finish, at_ms(19'000));
  ASSERT_EQ(run.result.leases.size(), 2U);
  EXPECT_NE(run.result.leases[0].node, run.result.leases[1].node);
  EXPECT_EQ(run.result.leases[0].left, at_ms(15'001));  // at the next instant after the job's end
  EXPECT_EQ(run.offers[1].machines, 1);                 // the first job has the other one
}

// The price passes the bid at 12 s: the map that runs since 10 s is lost with its machine, at 2 s of work.
TEST_P(Leases, AreRevokedWhenThePricePassesTheBid) {
  const Cluster cluster = cloud("spot = [[0, 1.8], [12000, 7.2], [20000, 1.8]]\n");
  const std::vector<Job> jobs = {job_of("A", {5'000}, {}), job_of("B", {5'000}, {}, 15'000)};
  const Outcome run = Leases::run(cluster, jobs, from_usd(3.6));
  const Lease& first = run.result.leases.at(0);
  EXPECT_TRUE(first.revoked());
  EXPECT_EQ(first.left, at_ms(12'000));
  EXPECT_EQ(first.cost.micro_usd, 1'000);  // 2 s at 0.5 mUSD
  EXPECT_EQ(run.result.jobs[0].lost_attempts, 1U);
  // B's machine joins at 25 s, when the price is low again, and does the work of both.
  EXPECT_EQ(run.result.jobs[0].finish, at_ms(30'000));
  EXPECT_EQ(run.told.at(1).what, Event::What::node_down);
}

// A request that boots while the price is above the bid never joins and costs nothing.
TEST_P(Leases, NeverJoinWhileThePriceIsAboveTheBid) {
  const Cluster cluster = cloud("spot = [[0, 1.8], [5000, 7.2], [12000, 1.8]]\n");
  const Outcome run =
      Leases::run(cluster, {job_of("A", {1'000}, {}), job_of("B", {1'000}, {}, 6'000)}, from_usd(3.6));
  EXPECT_TRUE(run.result.leases[0].revoked());
  EXPECT_FALSE(run.result.leases[0].joined);
  EXPECT_EQ(run.result.leases[0].cost, Money{});
  EXPECT_EQ(run.result.jobs[0].finish, at_ms(17'000));  // on B's machine
}

// Billed by started hours, the hour that a revocation cuts short is free; one that its owner ends is not.
TEST_P(Leases, PayNothingForTheHourThatARevocationCutsShort) {
  const std::string hourly = "billing = \"hour\"\nspot = [[0, 1.8], [3700000, 7.2], [3710000, 1.8]]\n";
  const std::vector<Job> jobs = {job_of("A", {5'000'000}, {}), job_of("B", {1'000}, {}, 3'720'000)};
  const Outcome run = Leases::run(cloud(hourly), jobs, from_usd(3.6));
  const Lease &revoked = run.result.leases.at(0), &given_back = run.result.leases.at(1);
  EXPECT_TRUE(revoked.revoked());
  EXPECT_EQ(revoked.left, at_ms(3'700'000));  // it joined at 10 s: one whole hour, and 90 s of the next
  EXPECT_EQ(revoked.cost.micro_usd, 1'800'000);
  // B's machine does A's work again, then its own: 5,001 s, two started hours.
  EXPECT_EQ(run.result.jobs[1].finish, at_ms(8'731'000));
  EXPECT_FALSE(given_back.revoked());
  EXPECT_EQ(given_back.cost.micro_usd, 3'600'000);
}

// A bid is the most that its owner pays: it holds at that very price.
TEST_P(Leases, HoldWhileThePriceIsTheBidItself) {
  const Cluster cluster = cloud("spot = [[0, 1.8], [5000, 3.6]]\n");
  const Outcome run = Leases::run(cluster, {job_of("A", {20'000}, {})}, from_usd(3.6));
  EXPECT_FALSE(run.result.leases.at(0).revoked());
  EXPECT_EQ(run.result.jobs[0].finish, at_ms(30'000));
  EXPECT_EQ(run.result.leases.at(0).cost.micro_usd, 20'000);
}

// 1 mUSD a second. The machine joins at 10 s, works 4.5 s, and goes back at 14.501 s.
TEST_P(Leases, ArePaidForALeastTimeAndFromTheRequestWhereTheTermsSaySo) {
  const std::vector<Job> jobs = {job_of("A", {4'500}, {}), job_of("B", {1}, {}, 15'000)};
  const auto first_of = [&](const std::string& terms) {
    return Leases::run(cloud(terms), jobs).result.leases.at(0);
  };
  EXPECT_EQ(first_of("").cost.micro_usd, 5'000);
  EXPECT_EQ(first_of("least_billed_ms = 60000\n").cost.micro_usd, 60'000);
  EXPECT_EQ(first_of("least_billed_ms = 2000\n").cost.micro_usd, 5'000);
  EXPECT_EQ(first_of("boot_billed = true\n").cost.micro_usd, 15'000);
  EXPECT_EQ(first_of("boot_billed = true\n").billed_from, at_ms(0));
  EXPECT_EQ(first_of("boot_billed = true\n").joined, at_ms(10'000));
  EXPECT_EQ(first_of("boot_billed = true\nbilling = \"hour\"\n").cost.micro_usd, 3'600'000);
  EXPECT_EQ(first_of("").ended_by, LeaseEnd::policy);
  // The run ends as B does: its machine is still rented then.
  EXPECT_EQ(Leases::run(cloud(), jobs).result.leases.at(1).ended_by, LeaseEnd::end_of_run);
}

// A paid boot is a machine of the market already: it is taken at the instant at which the price passes the
// bid.
TEST_P(Leases, AreTakenWhileTheyBootIfTheBootIsBilled) {
  const std::string prices = "spot = [[0, 1.8], [5000, 7.2], [7000, 1.8]]\n";
  const std::vector<Job> jobs = {job_of("A", {1'000}, {}), job_of("B", {1'000}, {}, 6'000),
                                 job_of("C", {1'000}, {}, 8'000)};
  const Outcome billed = Leases::run(cloud("boot_billed = true\n" + prices), jobs, from_usd(3.6));
  const std::vector<Lease>& leases = billed.result.leases;
  EXPECT_EQ(leases.at(0).left, at_ms(5'000));
  EXPECT_EQ(leases[0].joined, std::nullopt);
  EXPECT_EQ(leases[0].ended_by, LeaseEnd::market);
  EXPECT_EQ(leases[0].cost.micro_usd, 2'500);  // 5 s at 0.5 mUSD
  // B's bid is below the price at its request.
  EXPECT_EQ(leases.at(1).left, at_ms(6'001));
  EXPECT_EQ(leases[1].billed_from, std::nullopt);
  EXPECT_EQ(leases[1].cost, Money{});
  EXPECT_EQ(leases.at(2).joined, at_ms(18'000));
  // Without: the price is low again when A's machine and B's would join.
  const Outcome without = Leases::run(cloud(prices), {jobs[0], jobs[1]}, from_usd(3.6));
  EXPECT_EQ(without.result.leases.at(0).joined, at_ms(10'000));
  EXPECT_EQ(without.result.leases[0].billed_from, at_ms(10'000));
}

TEST_P(Leases, PayForTheInterruptedHourWhereItIsCharged) {
  const std::string hourly =
      "billing = \"hour\"\ninterrupted_hour = \"charged\"\nspot = [[0, 1.8], [3700000, 7.2], [3710000, "
      "1.8]]\n";
  const std::vector<Job> jobs = {job_of("A", {5'000'000}, {}), job_of("B", {1'000}, {}, 3'720'000)};
  const Outcome run = Leases::run(cloud(hourly), jobs, from_usd(3.6));
  EXPECT_TRUE(run.result.leases.at(0).revoked());
  EXPECT_EQ(run.result.leases[0].cost.micro_usd, 3'600'000);
}

TEST_P(Leases, CountAsCapacityAndCostOnlyWhileTheyAreThere) {
  const Cluster cluster = cloud("power_idle_w = 100\npower_busy_w = 150\n");
  const Outcome run = Leases::run(cluster, {job_of("A", {4'000}, {})});
  const auto usage = usage_by_node(run.result, cluster);
  EXPECT_DOUBLE_EQ(usage.at(1).energy_j, 4 * 150);  // from when it joined, at 10 s, to the end
  EXPECT_EQ(usage.at(2).energy_j, 0);
  EXPECT_EQ(usage.at(0).cost_usd, 0);
  EXPECT_DOUBLE_EQ(usage.at(1).cost_usd, 0.004);
  EXPECT_EQ(usage.at(2).cost_usd, 0);
  double cost = 0, energy = 0;
  for (const IntervalUsage& each : usage_by_interval(run.result, cluster, ms(3'000))) {
    cost += each.cost_usd;
    energy += each.energy_j;
  }
  EXPECT_DOUBLE_EQ(cost, 0.004);
  EXPECT_DOUBLE_EQ(energy, 4 * 150);
}

TEST_P(Leases, BeyondTheMachinesThatAreLeftAreStoppedByName) {
  try {
    (void)Leases::run(cloud(), {job_of("A", {4}, {}), job_of("B", {4}, {}), job_of("C", {4}, {})});
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("'one-machine-a-job' rented 1 machines of class 'rented', of which 0"));
  }
}

TEST_P(Leases, ABidNeedsASpotMarket) {
  try {
    (void)Leases::run(cloud(), {job_of("A", {4}, {})}, from_usd(1));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("has no spot market"));
  }
}

std::string refusal_of(const std::string& row) {
  try {
    (void)parse_cluster("[[nodes]]\nmap_slots = 1\n" + row, "cloud.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RentedMachines, HaveTermsThatFitTheirBilling) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal_of("boot_billed = true\n"),
              HasSubstr("nodes[1]: boot_billed for machines that no policy"));
  EXPECT_THAT(refusal_of("least_billed_ms = 5\n"), HasSubstr("least_billed_ms for machines that no policy"));
  EXPECT_THAT(refusal_of("rent = true\ninterrupted_hour = \"free\"\n"),
              HasSubstr("where seconds are billed"));
  EXPECT_THAT(refusal_of("rent = true\nleast_billed_ms = -1\n"), HasSubstr("least_billed_ms"));
  const Cluster cluster = cloud(
      "billing = \"hour\"\nleast_billed_ms = 60000\nboot_billed = true\ninterrupted_hour = \"charged\"\n");
  EXPECT_EQ(cluster.nodes[1].terms, (BillingTerms{ms(60'000), true, true}));
  EXPECT_EQ(parse_cluster(to_toml(cluster), "again.toml").nodes[1].terms, cluster.nodes[1].terms);
}

TEST(RentedMachines, DoNotStayByThemselves) {
  EXPECT_THROW((void)cloud("join_ms = 5\n"), std::exception);
  const Cluster cluster = cloud("billing = \"hour\"\nspot = [[0, 1.8]]\n");
  EXPECT_EQ(to_toml(parse_cluster(to_toml(cluster), "again.toml")), to_toml(cluster));
}

}  // namespace
}  // namespace wavewright
