// Machines that a policy rents while a simulation runs: they boot, join, are revoked, and are billed.
#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

#include <gmock/gmock.h>

namespace wavewright {
namespace {

// Rents one machine of class `rented` for each job that arrives, and gives it back when the job ends.
class OneMachineAJob final : public Allocator {
 public:
  explicit OneMachineAJob(std::optional<Money> bid = std::nullopt) : bid_(bid) {}
  [[nodiscard]] std::string name() const override { return "one-machine-a-job"; }
  [[nodiscard]] Features needs() const override { return Feature::rank | Feature::leases; }
  [[nodiscard]] EventSet subscribes() const override {
    return Event::What::arrived | Event::What::finished | Event::What::node_up | Event::What::node_down;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what == Event::What::arrived) {
      offers.push_back(view.lease_offer(1));
      leases_.push_back(decisions.rent({.node_class = 1, .machines = 1, .bid = bid_}));
      decisions.admit(event.job, root_group);
    } else if (event.what == Event::What::finished) {
      decisions.give_back(leases_[event.job]);
    } else {
      told.push_back(event);
    }
  }
  std::vector<LeaseOffer> offers;
  std::vector<Event> told;

 private:
  std::optional<Money> bid_;
  std::vector<LeaseId> leases_;
};

// One small node that stays, and two machines to rent: they boot for 10 s and cost 3.6 USD an hour, 1 mUSD a
// second.
Cluster cloud(const std::string& more = "") {
  return parse_cluster(R"(
[[nodes]]
map_slots = 0
reduce_slots = 1
[[nodes]]
count = 2
class = "rented"
map_slots = 1
reduce_slots = 0
price_per_hour = 3.6
rent = true
boot_ms = 10000
)" + more,
                       "cloud.toml");
}

struct Outcome {
  SimulationResult result;
  std::vector<Event> told;
  std::vector<LeaseOffer> offers;
};
class Leases : public ::testing::TestWithParam<decltype(&simulate_cluster)> {
 protected:
  static Outcome run(const Cluster& cluster, const std::vector<Job>& jobs,
                     std::optional<Money> bid = std::nullopt) {
    auto own = std::make_unique<OneMachineAJob>(bid);
    OneMachineAJob* const policy = own.get();
    Policy whole{std::move(own), nullptr};
    SimulationResult result = GetParam()({jobs}, whole, {cluster, 1, true});
    return {std::move(result), policy->told, policy->offers};
  }
};
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
  EXPECT_FALSE(lease.revoked);
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
  EXPECT_TRUE(first.revoked);
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
  EXPECT_TRUE(run.result.leases[0].revoked);
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
  EXPECT_TRUE(revoked.revoked);
  EXPECT_EQ(revoked.left, at_ms(3'700'000));  // it joined at 10 s: one whole hour, and 90 s of the next
  EXPECT_EQ(revoked.cost.micro_usd, 1'800'000);
  // B's machine does A's work again, then its own: 5,001 s, two started hours.
  EXPECT_EQ(run.result.jobs[1].finish, at_ms(8'731'000));
  EXPECT_FALSE(given_back.revoked);
  EXPECT_EQ(given_back.cost.micro_usd, 3'600'000);
}

// A bid is the most that its owner pays: it holds at that very price.
TEST_P(Leases, HoldWhileThePriceIsTheBidItself) {
  const Cluster cluster = cloud("spot = [[0, 1.8], [5000, 3.6]]\n");
  const Outcome run = Leases::run(cluster, {job_of("A", {20'000}, {})}, from_usd(3.6));
  EXPECT_FALSE(run.result.leases.at(0).revoked);
  EXPECT_EQ(run.result.jobs[0].finish, at_ms(30'000));
  EXPECT_EQ(run.result.leases.at(0).cost.micro_usd, 20'000);
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

TEST(RentedMachines, DoNotStayByThemselves) {
  EXPECT_THROW((void)cloud("join_ms = 5\n"), std::exception);
  const Cluster cluster = cloud("billing = \"hour\"\nspot = [[0, 1.8]]\n");
  EXPECT_EQ(to_toml(parse_cluster(to_toml(cluster), "again.toml")), to_toml(cluster));
}

}  // namespace
}  // namespace wavewright
