// Plans for little energy: never above EFH, never below the bound, and as the simulator executes them.
#include "wavewright/energy/plan/plan_energy.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/small_jobs.h"
#include "tests/temporary_folder.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/energy_plan_policy.h"
#include "wavewright/energy/plan/openings.h"
#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

const PolicyRegistry& registry() {
  static const PolicyRegistry all = [] {
    PolicyRegistry made = standard_policies();
    for (PolicyEntry& entry : energy_policies()) made.add(std::move(entry));
    return made;
  }();
  return all;
}

PlannedEnergy planned(const Workload& workload, const Cluster& cluster, std::uint64_t evaluations = 0) {
  return plan_energy({&workload, cluster, 1, evaluations, TaskOrder::longest_first, &registry()}, Stop());
}

std::optional<EnergyValue> value_by(const std::string& spec, const Workload& workload,
                                    const Cluster& cluster) {
  Policy policy = make_policy_on(spec, cluster, registry());
  return evaluate_energy(workload, cluster, policy, 1);
}

double joules(const EnergyValue& value) {
  return to_joules(value.energy.total());
}

// Two machines that are always on; a map takes twice as long on the slow one, and 40 % of the energy.
Cluster two_speeds() {
  return parse_cluster(R"(
[classes.fast]
power_idle_w = 5
power_map_w = 100
[classes.slow]
power_idle_w = 5
power_map_w = 20
[[nodes]]
class = "fast"
map_slots = 2
[[nodes]]
class = "slow"
speed = 0.5
map_slots = 2
)",
                       "test");
}

// States of frequency scaling as classes: the slow one, unless the deadline asks for the fast one.
TEST(PlanEnergy, TakesTheSlowStateWhereTheDeadlineAllows) {
  Workload workload{{job_of("A", {100'000, 100'000, 100'000, 100'000}, {})}};
  workload.jobs[0].deadline = at_ms(400'000);
  const PlannedEnergy slow = planned(workload, two_speeds());
  EXPECT_DOUBLE_EQ(joules(slow.value), 4 * 200 * 20 + 10 * 400);
  EXPECT_EQ(slow.value.tardy, 0U);
  workload.jobs[0].deadline = at_ms(200'000);
  const PlannedEnergy both = planned(workload, two_speeds());
  EXPECT_DOUBLE_EQ(joules(both.value), 2 * 200 * 20 + 2 * 100 * 100 + 10 * 200);
  EXPECT_EQ(both.value.tardy, 0U);
  workload.jobs[0].deadline = at_ms(100'000);
  const PlannedEnergy late = planned(workload, two_speeds());
  EXPECT_EQ(late.value.tardy, 1U);
  EXPECT_EQ(late.value.tardiness, ms(100'000));
  EXPECT_TRUE(late.bound) << "each map alone could be in time";
  EXPECT_TRUE(late.none_in_time) << "the exact search knows that all together cannot";
  EXPECT_FALSE(late.floor());
  EXPECT_FALSE(late.gap());
  EXPECT_FALSE(late.misses_schedule_in_time());
}

// The longest map would be late on the slow machines, the others are not. No other policy is in time.
TEST(PlanEnergy, UsesAClassOnWhichOnlySomeMapsAreInTime) {
  const Cluster cluster = parse_cluster(R"(
[classes.fast]
power_idle_w = 60
power_map_w = 40
power_reduce_w = 10
[classes.slow]
power_idle_w = 20
power_map_w = 10
power_reduce_w = 10
[[nodes]]
class = "fast"
map_slots = 1
reduce_slots = 2
[[nodes]]
class = "slow"
count = 2
speed = 0.4
map_slots = 4
reduce_slots = 2
)",
                                        "test");
  Workload workload{{job_of("A", {20'000, 13'000, 68'000, 22'000, 25'000, 9'000, 35'000}, {6'000, 5'000})}};
  workload.jobs[0].deadline = at_ms(140'000);
  const PlannedEnergy plan = planned(workload, cluster);
  EXPECT_EQ(plan.value.tardy, 0U);
  EXPECT_TRUE(plan.proved_optimal());
  for (const EnergyRival& rival : plan.rivals) EXPECT_TRUE(!rival.value || rival.value->tardy > 0);
}

// A small machine that is always on, and a large one that may be switched on.
Cluster one_for_rent() {
  return parse_cluster(R"(
[classes.small]
power_idle_w = 2
power_map_w = 8
[classes.large]
power_idle_w = 100
power_map_w = 8
wake_j = 500
[[nodes]]
class = "small"
map_slots = 1
reduce_slots = 1
[[nodes]]
class = "large"
map_slots = 4
rent = true
boot_ms = 10000
)",
                       "test");
}

TEST(PlanEnergy, SwitchesAMachineOnOnlyWhereADeadlineNeedsIt) {
  Workload workload{{job_of("A", {60'000, 60'000, 60'000, 60'000}, {})}};
  const PlannedEnergy off = planned(workload, one_for_rent());
  EXPECT_DOUBLE_EQ(joules(off.value), 4 * 60 * 8 + 2 * 240);
  EXPECT_EQ(off.value.energy.wake, 0);
  workload.jobs[0].deadline = at_ms(90'000);
  const PlannedEnergy on = planned(workload, one_for_rent());
  EXPECT_EQ(on.value.tardy, 0U);
  EXPECT_EQ(on.value.energy.wake, 500'000'000);
  // 3 maps on the large one from 10 s to 70 s. It leaves a moment later.
  EXPECT_NEAR(joules(on.value), 4 * 60 * 8 + 2 * 70 + 500 + 60 * 100, 1);
  EXPECT_GE(on.value.energy.total(), on.bound->energy);
}

// One fast slot is always on, and does so much of the work by the deadline. The rest takes ten times as long
// on machines for rent, which idle at 100 W.
TEST(PlanEnergy, RentsMachinesForNoLongerThanTheDeadlineNeeds) {
  for (const int count : {5, 8}) {
    const Cluster cluster = parse_cluster(fmt::format(R"(
[classes.fast]
power_idle_w = 0
power_map_w = 100
[classes.slow]
power_idle_w = 100
power_map_w = 20
wake_j = 3000
[[nodes]]
class = "fast"
speed = 10
map_slots = 1
[[nodes]]
class = "slow"
count = {}
map_slots = 2
rent = true
boot_ms = 30000
)",
                                                      count),
                                          "test");
    Workload workload;
    std::int64_t work = 0;
    for (int i = 0; i < 8; ++i) {
      std::vector<int> maps;
      for (int map = 0; map < 40; ++map) work += maps.emplace_back(80'000 + 1'000 * ((map * 7 + i * 3) % 41));
      workload.jobs.push_back(job_of(fmt::format("J{}", i).c_str(), maps, {}, i * 20'000));
    }
    for (const int tenths : {9, 8, 7}) {
      for (Job& job : workload.jobs) job.deadline = at_ms(work / 100 * tenths);
      const PlannedEnergy plan = planned(workload, cluster, 60);
      ASSERT_TRUE(plan.in_time());
      EXPECT_LE(plan.gap().value(), 0.03) << count << " machines, " << tenths;
    }
  }
}

// Each of three drafts closes the large machine at the deadline, then by halves.
TEST(Openings, EndAtTheEarliestInstantWithWhichAllJobsAreInTime) {
  const Cluster cluster = one_for_rent();
  Workload workload{{job_of("A", {60'000, 60'000, 60'000, 60'000}, {})}};
  // The closings of the large machine that are tried. A draft is in time if it closes at `enough` or later.
  std::vector<std::int64_t> in_time;
  const auto tried = [&](std::int64_t enough, bool may_go_on = true) {
    in_time.clear();
    int drafts_tried = 0;
    const LeastEnergy least = least_energy(workload, cluster);
    const EnergyBound bound = energy_bound(least, cluster).value();
    const Drafts drafts(workload, cluster, least, bound, TaskOrder::longest_first);
    try_openings(
        drafts, workload,
        [&](const Draft& draft) -> std::optional<EnergyValue> {
          ++drafts_tried;
          const std::int64_t closes = draft.until[0][0][draft.machines.at(0).node_class];
          EnergyValue value;
          value.tardy = closes < enough ? 1U : 0U;
          if (value.tardy == 0) in_time.push_back(closes);
          return value;
        },
        [&] { return may_go_on; });
    return drafts_tried;
  };
  EXPECT_EQ(tried(0), 0) << "without deadlines";
  workload.jobs[0].deadline = at_ms(640'000);
  EXPECT_EQ(tried(0), 3 * 7);
  EXPECT_EQ(in_time.back(), 10'000) << "640 s, halved six times";
  EXPECT_EQ(tried(700'000), 3) << "late at the deadline already";
  EXPECT_EQ(tried(0, false), 0);
  (void)tried(100'000);
  ASSERT_FALSE(in_time.empty());
  // 320, 160, late at 80, 120, 100, late at 90.
  EXPECT_EQ(*std::min_element(in_time.begin(), in_time.end()), 100'000);
}

// Maps that ended on a machine for rent would run again if it left before reduces have read them.
TEST(PlanEnergy, KeepsAMachineOnWhileReducesReadItsMaps) {
  Workload workload{{job_of("A", {60'000, 60'000}, {50'000})}};
  workload.jobs[0].deadline = at_ms(125'000);
  const PlannedEnergy plan = planned(workload, one_for_rent());
  EXPECT_EQ(plan.value.tardy, 0U);
  EXPECT_EQ(plan.value.makespan, ms(120'000));
  EXPECT_NEAR(joules(plan.value), 2 * 60 * 8 + 2 * 120 + 500 + 60 * 100, 1);
}

// ---- random worlds

Cluster any_cluster() {
  Cluster cluster = *rc::gen::arbitrary<bool>() ? worlds::some_cluster() : worlds::some_faulty_cluster();
  cluster.faults.task_failure = 0;
  cluster.nodes.front().task_failure = 0;
  cluster.faults.blacklist_after = 0;
  for (NodeGroup& group : cluster.nodes) {
    group.power_idle_w = 1 + *rc::gen::inRange(0, 60);
    group.power_busy_w = group.power_idle_w + *rc::gen::inRange(0, 60);
  }
  if (*rc::gen::arbitrary<bool>()) {
    worlds::offer_machines(cluster);
    cluster.nodes.back().power_idle_w = *rc::gen::inRange(0, 60);
    cluster.nodes.back().power_busy_w = 60;
    cluster.classes[cluster.nodes.back().node_class].wake_j = *rc::gen::element(0.0, 0.4);
  }
  cluster.classes["fast"].label = "gpu";
  return cluster;
}

Workload any_workload() {
  Workload workload = worlds::some_dependent_workload();
  for (Job& job : workload.jobs) {
    job.task_failure = 0;
    if (*rc::gen::inRange(0, 3) == 0)
      job.classes["fast"] = {*rc::gen::element(0.7, 3.0), *rc::gen::inRange(1, 3),
                             *rc::gen::element(0.8, 1.41)};
    if (*rc::gen::inRange(0, 4) == 0) job.deadline = job.submit + ms(*rc::gen::inRange(1, 400));
  }
  return workload;
}

TEST(PlanEnergy, IsNeverAboveEfhNorBelowTheBound) {
  int plans = 0, below = 0, late = 0;
  holds_always(
      [&] {
        const Workload workload = any_workload();
        const Cluster cluster = any_cluster();
        const PlannedEnergy plan = worlds::unless_stuck(
            [&] { return planned(workload, cluster, *rc::gen::inRange<std::uint64_t>(1, 40)); });
        if (const auto gap = plan.gap()) RC_ASSERT(*gap >= 0);
        for (const char* const spec : {"efh", "efh(adaptive=no)", "fifo"}) {
          const std::optional<EnergyValue> other = value_by(spec, workload, cluster);
          if (!other) continue;
          RC_ASSERT(!other->better_than(plan.value));
          if (other->tardiness <= plan.value.tardiness)
            RC_ASSERT(plan.value.energy.total() <= other->energy.total());
          below += plan.value.energy.total() < other->energy.total() ? 1 : 0;
        }
        ++plans;
        late += plan.value.tardy > 0 ? 1 : 0;
      },
      200);
  ASSERT_GT(plans, rare(150));
  EXPECT_GT(below, rare(100));
  EXPECT_GT(late, rare(7));
}

// On equal terms: every job must end by EFH's end, and in half of the worlds all jobs are there at the start,
// so that EFH knows of them as the plan does. EFH's schedule is a candidate, whatever its parameters are.
TEST(PlanEnergy, TakesNoMoreThanEfhByItsEnd) {
  int plans = 0, at_once = 0, below = 0;
  holds_always(
      [&] {
        Workload workload = any_workload();
        const bool known = *rc::gen::arbitrary<bool>();
        for (Job& job : workload.jobs) {
          job.deadline.reset();
          if (known) job.submit = Time{};
        }
        const Cluster cluster = any_cluster();
        const auto spec = *rc::gen::element<std::string>("efh", "efh(threshold=7ms)", "efh(adaptive=no)",
                                                         "efh(threshold=20ms, oversize=wait)");
        const std::optional<EnergyValue> efh = value_by(spec, workload, cluster);
        if (!efh) RC_DISCARD("EFH cannot do it");
        for (Job& job : workload.jobs) job.deadline = Time{} + efh->makespan;
        EnergyProblem problem{
            &workload,  cluster, 1, *rc::gen::inRange<std::uint64_t>(1, 20), TaskOrder::longest_first,
            &registry()};
        problem.candidates = {spec};
        problem.exact_steps = 0;
        const PlannedEnergy plan = plan_energy(problem, Stop());
        RC_ASSERT(plan.in_time());
        RC_ASSERT(plan.value.makespan <= efh->makespan);
        RC_ASSERT(plan.value.energy.total() <= efh->energy.total());
        ++plans;
        at_once += known ? 1 : 0;
        below += plan.value.energy.total() < efh->energy.total() ? 1 : 0;
      },
      120);
  ASSERT_GT(plans, rare(100));
  EXPECT_GT(at_once, rare(30));
  EXPECT_GT(below, rare(8));
}

// Lengths of a job's maps differ, so that some are in time on slow nodes and some are not.
Workload skewed_workload() {
  Workload workload;
  for (int job = 0, jobs = *rc::gen::inRange(1, 4); job < jobs; ++job) {
    std::vector<int> maps(*rc::gen::inRange<std::size_t>(2, 12));
    for (int& map : maps) map = *rc::gen::inRange(1, 10) * (1 << *rc::gen::inRange(0, 5));
    workload.jobs.push_back(job_of(("J" + std::to_string(job)).c_str(), maps, {*rc::gen::inRange(1, 20)}));
  }
  return workload;
}

// The schedule with all classes open to all jobs tells a deadline that can be kept.
TEST(PlanEnergy, OpensAllClassesWhereThatIsInTime) {
  int plans = 0, below = 0;
  holds_always(
      [&] {
        Workload workload = skewed_workload();
        Cluster cluster = two_speeds();
        for (NodeGroup& group : cluster.nodes) {
          group.count = *rc::gen::inRange(1, 4);
          group.slots.reduce_slots = 1;
        }
        cluster.nodes.back().speed = *rc::gen::element(0.2, 0.4, 0.6);
        EnergyPlan open;
        for (const Job& job : workload.jobs) open.order.push_back(job.id);
        open.task_order = TaskOrder::longest_first;
        const auto value_of_open = [&] {
          Policy policy{make_energy_plan_policy(open), nullptr};
          return evaluate_energy(workload, cluster, policy, 1);
        };
        const std::optional<EnergyValue> free = value_of_open();
        RC_ASSERT(free.has_value());
        for (Job& job : workload.jobs) job.deadline = Time{} + free->makespan * 21 / 20;
        const PlannedEnergy plan = planned(workload, cluster, 80);
        RC_ASSERT(!value_of_open()->better_than(plan.value));
        RC_ASSERT(plan.in_time());
        ++plans;
        below += plan.value.energy.total() < free->energy.total() ? 1 : 0;
      },
      100);
  EXPECT_GE(plans, rare(100));
  EXPECT_GT(below, rare(10));
}

// Longest first leaves a long end of one slot here; as listed, four maps fit into two slots.
// A draft closes the class of the map while the reduce has its slot: the run would never end, and the machine
// for rent stays on.
TEST(PlanEnergy, ADraftThatNeverEndsIsNoFault) {
  const Cluster cluster = parse_cluster(R"(
[mode]
kind = "slots"
slowstart = 0.0
[classes.cpu]
power_idle_w = 0
power_busy_w = 100
[classes.gpu]
power_idle_w = 10
power_off_w = 10
[[nodes]]
class = "cpu"
reduce_slots = 1
[[nodes]]
class = "gpu"
map_slots = 1
rent = true
)",
                                        "test");
  const Workload workload{{job_of("A", {1'000}, {1'000})}};
  const PlannedEnergy plan = planned(workload, cluster);
  EXPECT_GT(plan.value.energy.total(), 0);
  EXPECT_LT(plan.value.makespan, ms(2'100));
}

TEST(PlanEnergy, PowersThatCannotBeCountedAreRefused) {
  Cluster cluster = two_speeds();
  for (auto& [name, of] : cluster.classes) of.idle_w = of.map_w = 1e9;
  Workload workload{{job_of("A", {1}, {})}};
  workload.jobs[0].maps = {ms(100'000'000'000)};
  EXPECT_THROW((void)planned(workload, cluster), TooMuchEnergy);
}

// On the machine that is always on the job takes 25 s. With a deadline between that and 15 s, its maps seemed
// to have no place on the one for rent.
TEST(PlanEnergy, ADeadlineThatCannotBeKeptClosesNoClass) {
  const Cluster cluster = parse_cluster(R"(
[classes.cpu]
power_idle_w = 100
power_map_w = 10
[classes.gpu]
power_idle_w = 50
power_map_w = 40
[[nodes]]
class = "cpu"
map_slots = 2
reduce_slots = 1
[[nodes]]
class = "gpu"
map_slots = 1
speed = 2
rent = true
boot_ms = 1000
)",
                                        "test");
  Workload workload{{job_of("A", {10'000, 10'000, 10'000}, {5'000})}};
  for (const std::int64_t deadline : {100, 5'000, 9'000, 9'999, 11'000, 12'000, 14'000}) {
    workload.jobs[0].deadline = at_ms(deadline);
    const PlannedEnergy plan = planned(workload, cluster);
    EXPECT_EQ(plan.value.makespan, ms(15'000)) << deadline;
    EXPECT_DOUBLE_EQ(joules(plan.value), 2'350.1) << deadline;
    EXPECT_EQ(plan.value.tardiness, ms(15'000 - deadline));
  }
}

TEST(PlanEnergy, MayTakeTheTasksAsListed) {
  const Workload workload{{job_of("A", {19'000}, {}), job_of("B", {10'000, 14'000, 7'000, 6'000}, {})}};
  const Cluster cluster = parse_cluster(R"(
[classes.slow]
power_idle_w = 20
power_map_w = 3
[classes.fast]
power_idle_w = 5
power_map_w = 3
[[nodes]]
class = "slow"
speed = 0.5
map_slots = 1
[[nodes]]
class = "fast"
map_slots = 2
)",
                                        "test");
  EnergyProblem problem{&workload, cluster, 1, 100, TaskOrder::longest_first, &registry()};
  problem.exact_steps = 0;
  const PlannedEnergy longest = plan_energy(problem, Stop());
  EXPECT_EQ(longest.plan.task_order, TaskOrder::longest_first);
  problem.choose_order = true;
  const PlannedEnergy either = plan_energy(problem, Stop());
  EXPECT_EQ(either.plan.task_order, TaskOrder::as_listed);
  EXPECT_LT(either.value.energy.total(), longest.value.energy.total());
}

// Whoever reads the file gets the same schedule, to the microjoule.
TEST(PlanEnergy, TheFileOfAPlanGivesItsEnergy) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "plan.json";
  int own = 0, with_machines = 0;
  holds_always(
      [&] {
        const Workload workload = any_workload();
        const Cluster cluster = any_cluster();
        const PlannedEnergy plan = worlds::unless_stuck([&] { return planned(workload, cluster, 20); });
        std::ofstream(file) << energy_plan_to_json(plan.plan).dump();
        RC_ASSERT(holds_energy_plan(file));
        RC_ASSERT(read_energy_plan(file) == plan.plan);
        const std::optional<EnergyValue> value = value_by("energy-plan(" + file + ")", workload, cluster);
        RC_ASSERT(value.has_value());
        RC_ASSERT(value->energy == plan.value.energy);
        RC_ASSERT(value->makespan == plan.value.makespan);
        own += plan.plan.policy.empty() ? 1 : 0;
        with_machines += plan.plan.machines.empty() ? 0 : 1;
      },
      120);
  EXPECT_GE(own, rare(20));
  EXPECT_GE(with_machines, rare(3));
}

TEST(PlanEnergy, EqualSeedsGiveEqualPlans) {
  const Workload workload{
      {job_of("A", {50'000, 60'000, 70'000}, {20'000}), job_of("B", {30'000, 90'000}, {}, 10'000)}};
  const PlannedEnergy a = planned(workload, one_for_rent(), 60), b = planned(workload, one_for_rent(), 60);
  EXPECT_EQ(a.plan, b.plan);
  EXPECT_EQ(a.value.energy, b.value.energy);
}

TEST(PlanEnergy, SaysWhatItCannotPlan) {
  const Workload workload{{job_of("A", {1'000}, {1'000})}};
  const auto complaint = [&](const std::string& cluster) -> std::string {
    try {
      (void)planned(workload, parse_cluster(cluster, "test"), 5);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint("[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n"), testing::HasSubstr("no powers"));
  EXPECT_THAT(complaint("[mode]\nkind = \"containers\"\n[[nodes]]\nmemory_mb = 9000\nvcores = "
                        "9\npower_idle_w = 3\npower_busy_w = 3\n"),
              testing::AllOf(testing::HasSubstr("cluster of slots"), testing::HasSubstr("map_slots")));
  EXPECT_THAT(complaint("[[nodes]]\nmap_slots = 1\npower_idle_w = 3\npower_busy_w = 3\n"),
              testing::HasSubstr("no plan does"));
}

}  // namespace
}  // namespace wavewright
