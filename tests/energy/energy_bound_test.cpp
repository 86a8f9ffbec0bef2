// The bound on energy against every schedule of small worlds, and against simulated runs.
#include "wavewright/energy/plan/energy_bound.h"

#include <algorithm>
#include <array>
#include <limits>

#include <gmock/gmock.h>

#include "tests/energy/every_schedule.h"
#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/lively.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/energy/plan/slot_capacity.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright {
namespace {

constexpr double mega = 1e6;

MicroJoules bound_of(const Workload& workload, const Cluster& cluster) {
  return energy_bound(workload, cluster)->energy;
}

// The worked example of the header.
TEST(EnergyBound, OfThreeMapsOnTwoMachines) {
  const Cluster cluster = parse_cluster(R"(
[classes.a]
power_idle_w = 50
power_map_w = 20
[classes.b]
power_idle_w = 50
power_map_w = 20
[[nodes]]
class = "a"
map_slots = 1
[[nodes]]
class = "b"
speed = 2
map_slots = 1
)",
                                        "test");
  const Workload workload{{job_of("A", {100'000, 100'000, 100'000}, {})}};
  const std::optional<EnergyBound> bound = energy_bound(workload, cluster);
  ASSERT_TRUE(bound);
  EXPECT_LE(bound->energy, MicroJoules{14'000'000'000});
  EXPECT_GT(bound->energy, MicroJoules{13'990'000'000});
  EXPECT_NEAR(bound->rents[0][0], 26'667, 200);
  EXPECT_NEAR(bound->rents[1][0], 73'333, 200);
}

TEST(EnergyBound, MachinesForRentPayOnlyWhileTheyAreOn) {
  const auto with = [&](const std::string& rent) {
    return parse_cluster(R"(
[classes.small]
power_idle_w = 1
[classes.big]
power_idle_w = 102
power_map_w = 10
power_off_w = 2
[[nodes]]
class = "small"
map_slots = 1
[[nodes]]
class = "big"
map_slots = 4
speed = 2
)" + rent,
                         "test");
  };
  Workload workload{{job_of("A", {10'000, 10'000}, {})}};
  workload.jobs[0].deadline = at_ms(9'000);  // only the fast machine is in time
  // On for 10 s of slot time out of four slots: 2.5 s. Its surplus is 100 W. 3 W flow until 5 s at least.
  const double rented = 2 * 5 * 10 + 2.5 * 100 + 3 * 5;
  EXPECT_NEAR(static_cast<double>(bound_of(workload, with("rent = true\n"))) / mega, rented, 0.1);
  const double on = 2 * 5 * 10 + (102 + 1) * 5;
  EXPECT_NEAR(static_cast<double>(bound_of(workload, with(""))) / mega, on, 0.5);
}

// The slot of A is always there and idles for nothing. A machine of B idles at 90 W. What is added goes on
// with class B. In kJ.
double with_free_slot(const std::string& added, const Workload& workload) {
  const Cluster cluster = parse_cluster(R"(
[classes.a]
power_idle_w = 0
power_map_w = 10
[[nodes]]
class = "a"
map_slots = 1
[classes.b]
power_idle_w = 90
power_map_w = 10
)" + added,
                                        "test");
  return static_cast<double>(bound_of(workload, cluster)) / 1e9;
}

const std::string machine_b = "[[nodes]]\nclass = \"b\"\nmap_slots = 1\nrent = true\n";

// The second worked example of the header: two of four maps must run on the machine for rent.
TEST(EnergyBound, DeadlinesMakeTimeScarce) {
  const auto by = [](std::int64_t deadline, const std::string& added) {
    Workload workload{{job_of("A", {100'000, 100'000, 100'000, 100'000}, {})}};
    workload.jobs[0].deadline = at_ms(deadline);
    return with_free_slot(added, workload);
  };
  EXPECT_NEAR(by(400'000, machine_b), 4, 0.001);
  EXPECT_NEAR(by(300'000, machine_b), 4 + 9, 0.001);
  EXPECT_NEAR(by(200'000, machine_b), 4 + 18, 0.001);
  // A wake-up of 4 kJ for two maps in 200 s.
  EXPECT_NEAR(by(200'000, "wake_j = 4000\n" + machine_b), 4 + 18 + 4, 0.001);
  // Half of what two machines can do: half of their wake-ups.
  EXPECT_NEAR(by(200'000, "wake_j = 4000\n" + machine_b + "count = 2\n"), 4 + 18 + 4, 0.001);
  // A boot of 50 s leaves 250 s for one map: it takes that part of the wake-up.
  EXPECT_NEAR(by(300'000, "wake_j = 4000\n" + machine_b + "boot_ms = 50000\n"), 4 + 9 + 4 * 100.0 / 250,
              0.001);
}

// Jobs that come late must run late: 100 s of three slots are left for three maps.
TEST(EnergyBound, KnowsWhenJobsCome) {
  Workload workload{{job_of("A", {100'000}, {}), job_of("B", {100'000, 100'000, 100'000}, {}, 900'000)}};
  for (Job& job : workload.jobs) job.deadline = at_ms(1'000'000);
  EXPECT_NEAR(with_free_slot(machine_b + "count = 2\n", workload), 4 + 18, 0.001);
}

// By 300 s A does three of six maps. B does three, or two after a boot of 100 s. Then one is left for C,
// which idles at more.
TEST(EnergyBound, KnowsThatMachinesBoot) {
  Workload workload{{job_of("A", std::vector<int>(6, 100'000), {})}};
  workload.jobs[0].deadline = at_ms(300'000);
  const std::string machine_c =
      "[classes.c]\npower_idle_w = 200\npower_map_w = 10\n"
      "[[nodes]]\nclass = \"c\"\nmap_slots = 1\nrent = true\n";
  EXPECT_NEAR(with_free_slot(machine_b + machine_c, workload), 6 + 3 * 9, 0.001);
  EXPECT_NEAR(with_free_slot(machine_b + "boot_ms = 100000\n" + machine_c, workload), 6 + 2 * 9 + 20, 0.001);
}

TaskStage stage_between(double from, double to) {
  TaskStage stage;
  stage.from = from;
  stage.to = to;
  return stage;
}

// Two stages with deadlines, and one without, which asks for no window.
TEST(SlotCapacity, IsTheTimeOfSlotsBetweenReleasesAndDeadlines) {
  const Cluster cluster = parse_cluster(R"(
[[nodes]]
class = "here"
count = 2
map_slots = 3
reduce_slots = 1
[[nodes]]
class = "asleep"
map_slots = 4
rent = true
boot_ms = 10000
)",
                                        "test");
  constexpr double never = std::numeric_limits<double>::infinity();
  LeastEnergy least;
  least.stages = {stage_between(0, 40'000), stage_between(20'000, 60'000)};
  const SlotCapacity capacity(least, cluster);
  // From 0 until 40 s and until 60 s, from 20 s until 40 s and until 60 s.
  ASSERT_EQ(capacity.windows(), 4U);
  EXPECT_EQ(capacity.windows_of(0), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(capacity.windows_of(1), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(capacity.of(0, 0, 0), 2 * 3 * 40'000);
  EXPECT_EQ(capacity.of(0, 1, 0), 2 * 1 * 40'000);
  EXPECT_EQ(capacity.of(1, 0, 0), 4 * 30'000) << "it boots for 10 s";
  EXPECT_EQ(capacity.of(1, 0, 2), 4 * 20'000);
  EXPECT_EQ(capacity.horizon(0), 60'000);
  EXPECT_EQ(capacity.horizon(1), 50'000);
  least.stages.push_back(stage_between(0, never));
  const SlotCapacity with_another(least, cluster);
  EXPECT_EQ(with_another.windows(), 4U);
  EXPECT_TRUE(with_another.windows_of(2).empty());
  EXPECT_EQ(with_another.horizon(0), never);
  least.stages = {stage_between(0, never)};
  EXPECT_EQ(SlotCapacity(least, cluster).windows(), 0U);
}

// Two maps of 10 s at once: on one slot, under one power of the node, and by a curve. Idle 1 W.
TEST(EnergyBound, TasksThatRunAtOnceMayShareTheirPower) {
  const auto joules = [](const std::string& of_class, int slots, int parallelism) {
    const Cluster cluster =
        parse_cluster("[classes.a]\npower_idle_w = 1\n" + of_class +
                          fmt::format("\n[[nodes]]\nclass = \"a\"\nmap_slots = {}\n", slots),
                      "test");
    Workload workload{{job_of("A", {10'000, 10'000}, {})}};
    workload.jobs[0].classes["a"].parallelism = parallelism;
    return static_cast<double>(bound_of(workload, cluster)) / mega;
  };
  EXPECT_NEAR(joules("power_map_w = 20", 1, 2), 20 * 10 + 10, 0.1);
  EXPECT_NEAR(joules("power_map_w = 20\ndrawn_by = \"node\"", 2, 1), 20 * 10 + 10, 0.1);
  EXPECT_NEAR(joules("power_curve_w = [11, 13]", 2, 1), 12 * 10 + 10, 0.1);
  EXPECT_NEAR(joules("power_map_w = 20", 2, 1), 2 * 20 * 10 + 10, 0.1);
}

TEST(EnergyBound, IsNoneWhereNoScheduleIsInTimeAndForContainers) {
  Cluster cluster = parse_cluster("[[nodes]]\npower_idle_w = 1\npower_busy_w = 1\nmap_slots = 1\n", "test");
  Workload workload{{job_of("A", {10'000}, {})}};
  workload.jobs[0].deadline = at_ms(10'000);
  EXPECT_TRUE(energy_bound(workload, cluster));
  workload.jobs[0].deadline = at_ms(9'999);
  EXPECT_FALSE(energy_bound(workload, cluster));
  cluster.mode.kind = ClusterMode::Kind::containers;
  EXPECT_FALSE(energy_bound(Workload{}, cluster));
}

// ---- every schedule of small worlds

TEST(EnergyBound, IsBelowEveryScheduleOfSmallWorlds) {
  double ratio = 0;
  int worlds = 0, rented = 0;
  holds_always(
      [&] {
        const SmallWorld small = some_small_world();
        const EverySchedule all(small);
        const std::optional<EnergyBound> bound = energy_bound(small.workload, small.cluster);
        if (!all.best) RC_DISCARD("no schedule");
        RC_ASSERT(bound.has_value());
        RC_ASSERT(bound->energy <= *all.best);
        if (*all.best == 0) return;
        ratio += static_cast<double>(bound->energy) / static_cast<double>(*all.best);
        ++worlds;
        rented += std::any_of(small.cluster.nodes.begin(), small.cluster.nodes.end(),
                              [](const NodeGroup& group) { return group.rent; });
      },
      400);
  ASSERT_GT(worlds, sized(250));
  EXPECT_GT(rented, rare(50));
  EXPECT_GT(ratio / worlds, 0.75);  // not only valid
  RecordProperty("mean_ratio", std::to_string(ratio / worlds));
}

// ---- simulated runs: failures, stragglers, reads from afar, shared slots, leases

Cluster any_cluster() {
  Cluster cluster = worlds::some_faulty_cluster();
  worlds::offer_machines(cluster);
  if (*rc::gen::arbitrary<bool>()) worlds::connect(cluster);
  for (NodeGroup& group : cluster.nodes) {
    group.power_idle_w = 4 + *rc::gen::inRange(0, 100);
    group.power_busy_w = group.power_idle_w + *rc::gen::inRange(0, 100) / 3.0;
  }
  for (const char* const name : {"default", "fast", "rented"}) {
    NodeClass& of = cluster.classes[name];
    of.off_w = *rc::gen::element(0.0, 3.5);
    of.wake_j = *rc::gen::element(0.0, 0.5);
    of.drawn_by = *rc::gen::element(DrawnBy::task, DrawnBy::node);
    if (*rc::gen::arbitrary<bool>()) of.map_w = *rc::gen::inRange(0, 50);
    if (*rc::gen::inRange(0, 3) == 0) of.curve_w = {100.5, 140, 151.25};
  }
  return cluster;
}

TEST(EnergyBound, IsBelowEveryRunThatDoesAllJobsInTime) {
  int runs = 0, with_leases = 0;
  holds_always(
      [&] {
        Workload workload = worlds::some_dependent_workload();
        const Cluster cluster = any_cluster();
        worlds::weigh(workload);
        for (Job& job : workload.jobs) {
          if (*rc::gen::arbitrary<bool>())
            job.classes["fast"] = {2, *rc::gen::inRange(1, 3), *rc::gen::element(1.0, 1.41),
                                   *rc::gen::element<std::optional<double>>(std::nullopt, 7.5)};
        }
        Policy policy{std::make_unique<Lively>(Lively::On::nodes), nullptr};
        const SimulationResult result =
            worlds::unless_stuck([&] { return simulate_cluster(workload, policy, {cluster, 1, true}); });
        for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
          const JobOutcome& outcome = result.jobs[i];
          if (!outcome.has_finished() || outcome.failed) RC_DISCARD("not done");
          // A deadline that was met, perhaps just so.
          if (*rc::gen::arbitrary<bool>())
            workload.jobs[i].deadline = outcome.finish + ms(*rc::gen::element(0, 0, 7, 50));
        }
        const MicroJoules energy = energy_of_run(result, cluster, &workload)->all.total();
        const std::optional<EnergyBound> bound = energy_bound(workload, cluster);
        RC_ASSERT(bound.has_value());
        RC_ASSERT(bound->energy <= energy);
        ++runs;
        with_leases += result.leases.empty() ? 0 : 1;
      },
      200);
  ASSERT_GT(runs, rare(100));
  EXPECT_GT(with_leases, rare(7));
}

}  // namespace
}  // namespace wavewright
