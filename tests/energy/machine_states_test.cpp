// States of frequency scaling as classes for rent: a machine is on in one of them at a time.
#include "wavewright/energy/plan/machine_states.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/paths.h"
#include "tests/property.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/energy_plan_policy.h"
#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

const PolicyRegistry& policies() {
  static const PolicyRegistry all = [] {
    PolicyRegistry made = standard_policies();
    for (PolicyEntry& entry : energy_policies()) made.add(std::move(entry));
    return made;
  }();
  return all;
}

Cluster with_states(int machines, double slow_power = 20) {
  return parse_cluster(fmt::format(R"(
[classes.fast]
power_idle_w = 10
power_map_w = 100
[classes.slow]
power_idle_w = 10
power_map_w = {}
[[nodes]]
class = "here"
power_idle_w = 1
power_busy_w = 1
reduce_slots = 1
[[nodes]]
class = "fast"
count = {}
map_slots = 1
rent = true
[[nodes]]
class = "slow"
count = {}
speed = 0.5
map_slots = 1
rent = true
)",
                                   slow_power, machines, machines),
                       "test");
}

PlannedEnergy planned(const Workload& workload, const Cluster& cluster, std::vector<StateClasses> states) {
  EnergyProblem problem{&workload, cluster, 1, 60, TaskOrder::longest_first, &policies()};
  problem.states = std::move(states);
  return plan_energy(problem, Stop());
}

// Machines that are on at once, at most.
std::size_t most_on(const Workload& workload, const Cluster& cluster, const EnergyPlan& plan) {
  Policy policy{make_energy_plan_policy(plan), nullptr};
  const SimulationResult result = simulate_on(workload, policy, {.cluster = cluster, .trace = true});
  std::size_t most = 0;
  for (const auto& lease : result.leases) {
    const auto on = std::count_if(result.leases.begin(), result.leases.end(), [&](const auto& other) {
      return lease.joined && other.joined && *other.joined <= *lease.joined &&
             (!other.left || *lease.joined < *other.left);
    });
    most = std::max(most, static_cast<std::size_t>(on));
  }
  return most;
}

TEST(MachineStates, OneStateAtATime) {
  const Cluster cluster = with_states(1);
  Workload workload{{job_of("A", {50'000, 50'000}, {})}};
  const PlannedEnergy slow = planned(workload, cluster, {{"fast", "slow"}});
  EXPECT_NEAR(to_joules(slow.value.energy.total()), 2 * 100 * (20 + 10) + 200, 1);
  workload.jobs[0].deadline = at_ms(110'000);
  const PlannedEnergy fast = planned(workload, cluster, {{"fast", "slow"}});
  EXPECT_EQ(fast.value.tardy, 0U);
  EXPECT_NEAR(to_joules(fast.value.energy.total()), 2 * 50 * (100 + 10) + 100, 1);
  // Two machines could be in different states.
  const PlannedEnergy both = planned(workload, cluster, {});
  EXPECT_EQ(both.value.tardy, 0U);
  EXPECT_LT(both.value.energy.total(), fast.value.energy.total());
  EXPECT_EQ(most_on(workload, cluster, both.plan), 2U);
}

TEST(MachineStates, AreNeverMoreThanTheMachines) {
  int mixed = 0;
  holds_always(
      [&] {
        const int machines = *rc::gen::inRange(1, 5);
        const Cluster cluster = with_states(machines, *rc::gen::inRange(5, 60));
        Workload workload;
        for (const char* const id : {"A", "B", "C"}) {
          const int maps = *rc::gen::inRange(1, 6);
          Job job = job_of(id, std::vector<int>(static_cast<std::size_t>(maps), *rc::gen::inRange(1, 90)), {},
                           *rc::gen::inRange(0, 200));
          if (*rc::gen::arbitrary<bool>()) job.deadline = job.submit + ms(*rc::gen::inRange(50, 600));
          workload.jobs.push_back(job);
        }
        const PlannedEnergy plan = planned(workload, cluster, {{"fast", "slow"}});
        Count all = 0;
        for (const PlannedMachines& of : plan.plan.machines) all += of.most;
        RC_ASSERT(all <= machines);
        RC_ASSERT(most_on(workload, cluster, plan.plan) <= static_cast<std::size_t>(machines));
        mixed += plan.plan.machines.size() == 2 ? 1 : 0;
      },
      200);
  EXPECT_GE(mixed, rare(1));
}

TEST(MachineStates, TheExampleIsPlannedAndSimulated) {
  const Cluster cluster = read_cluster(source_dir() + "/examples/energy/states.toml");
  Workload workload{{job_of("A", std::vector<int>(40, 60'000), {30'000})}};
  const std::vector<StateClasses> states{{"fast", "middle", "slow"}};
  const auto speed = [&](int deadline_s) {
    workload.jobs[0].deadline = at_ms(1000 * deadline_s);
    const PlannedEnergy plan = planned(workload, cluster, states);
    EXPECT_EQ(plan.value.tardy, 0U);
    return plan.value.energy.work;
  };
  EXPECT_LT(speed(3'600), speed(230)) << "with time, in slower states";
}

// EFH with all machines on has each machine once.
TEST(MachineStates, InTheFirstOneMachinesAreNoLongerThereInAnother) {
  const auto classes = [](const std::vector<StateClasses>& states) {
    std::vector<std::string> left;
    for (const NodeGroup& group : in_first_states(with_states(2), states).nodes)
      left.push_back(group.node_class);
    return left;
  };
  EXPECT_THAT(classes({{"fast", "slow"}}), testing::ElementsAre("here", "fast"));
  EXPECT_THAT(classes({{"slow", "fast"}}), testing::ElementsAre("here", "slow"));
  EXPECT_THAT(classes({{"fast"}, {"slow"}}), testing::ElementsAre("here", "fast", "slow")) << "two sets";
  EXPECT_THAT(classes({}), testing::ElementsAre("here", "fast", "slow"));
  EXPECT_THAT(classes({{}}), testing::ElementsAre("here", "fast", "slow"));
}

TEST(MachineStates, SaysWhatIsWrong) {
  const Workload workload{{job_of("A", {1'000}, {})}};
  const auto complaint = [&](const std::vector<StateClasses>& states) -> std::string {
    try {
      (void)planned(workload, with_states(2), states);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(complaint({{"fast", "slwo"}}), HasSubstr("no node has the class 'slwo'"));
  EXPECT_THAT(complaint({{"fast", "here"}}), HasSubstr("'here' is a state of machines, but is not for rent"));
  EXPECT_THAT(complaint({{"fast", "fast"}}), HasSubstr("a state twice"));
  EXPECT_EQ(complaint({{"fast", "slow"}}), "");
  Cluster uneven = with_states(2);
  uneven.nodes.back().count = 3;
  EXPECT_THROW(check_states({{"fast", "slow"}}, uneven), UsageError);
}

}  // namespace
}  // namespace wavewright
