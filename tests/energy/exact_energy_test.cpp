// The exact search against every schedule of small worlds, against every order and assignment, and beside
// plans.
#include "wavewright/energy/plan/exact_energy.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>

#include "tests/energy/every_schedule.h"
#include "tests/property.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

std::optional<ExactEnergy> exact_of(const Workload& workload, const Cluster& cluster,
                                    const ExactLimits& limits = {}) {
  const LeastEnergy least = least_energy(workload, cluster);
  const std::optional<EnergyBound> bound = energy_bound(least, cluster);
  if (!bound) return std::nullopt;
  const std::optional<ExactEnergy> exact = exact_energy(workload, cluster, least, *bound, limits, Stop());
  return exact && exact->in_time ? exact : std::nullopt;
}

// The bound does not tell, but the search does.
bool proves_none_in_time(const Workload& workload, const Cluster& cluster) {
  const LeastEnergy least = least_energy(workload, cluster);
  const std::optional<EnergyBound> bound = energy_bound(least, cluster);
  if (!bound) return false;
  const std::optional<ExactEnergy> exact = exact_energy(workload, cluster, least, *bound, {}, Stop());
  return exact && !exact->in_time;
}

// Machines A and B of the example in energy_bound.h.
Cluster a_and_b() {
  return parse_cluster(R"(
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
}

TEST(ExactEnergy, OfThreeMapsOnTwoMachines) {
  const Workload workload{{job_of("A", {100'000, 100'000, 100'000}, {})}};
  const std::optional<ExactEnergy> exact = exact_of(workload, a_and_b());
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->energy, MicroJoules{14'000'000'000});
  ASSERT_EQ(exact->schedule.size(), 3U);
  const auto on_b = std::count_if(exact->schedule.begin(), exact->schedule.end(),
                                  [](const ExactEnergy::Placed& each) { return each.row == 1; });
  EXPECT_EQ(on_b, 2);
  // Only less than what is known is looked for.
  const std::optional<ExactEnergy> none = exact_of(workload, a_and_b(), {.known = exact->energy});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->energy, exact->energy);
  EXPECT_TRUE(none->schedule.empty());
  EXPECT_FALSE(exact_of(workload, a_and_b(), {.known = {}, .steps = 2})) << "stopped before it was done";
}

// Both machines are free long enough for the work, but one of the maps is late on either.
TEST(ExactEnergy, ProvesThatNoScheduleIsInTime) {
  Workload workload{{job_of("A", {100'000, 100'000, 90'000}, {})}};
  workload.jobs[0].deadline = at_ms(99'000);
  EXPECT_TRUE(proves_none_in_time(workload, a_and_b()));
  workload.jobs[0].deadline = at_ms(100'000);
  EXPECT_FALSE(proves_none_in_time(workload, a_and_b()));
}

TEST(ExactEnergy, RefusesMoreTasksThanItCanTry) {
  const Workload most{{job_of("A", std::vector<int>(most_exact_tasks, 10'000), {})}};
  EXPECT_TRUE(exact_of(most, a_and_b())) << "equal tasks are tried once";
  const Workload more{{job_of("A", std::vector<int>(most_exact_tasks + 1, 10'000), {})}};
  EXPECT_THROW((void)exact_of(more, a_and_b()), UsageError);
}

// A second machine that costs 300 J to wake is waited for where that is cheaper.
TEST(ExactEnergy, WaitsForAMachineThatIsOnRatherThanWakeAnother) {
  const auto with_wake = [](int wake) {
    return parse_cluster(fmt::format(R"(
[classes.asleep]
power_idle_w = 1
power_map_w = 10
wake_j = {}
[[nodes]]
class = "here"
power_idle_w = 20
power_busy_w = 20
reduce_slots = 1
[[nodes]]
class = "asleep"
count = 2
map_slots = 1
rent = true
)",
                                     wake),
                         "test");
  };
  const Workload workload{{job_of("A", {10'000, 10'000}, {})}};
  // One after the other: 20 s, one wake-up. At once: 10 s, two; no machine for rent is there before 1 ms.
  EXPECT_EQ(exact_of(workload, with_wake(300))->energy, MicroJoules{1'000'000} * (20 * 20 + 20 * 11 + 300));
  EXPECT_EQ(exact_of(workload, with_wake(100))->energy,
            MicroJoules{1'000} * (10'001 * 20 + 1'000 * (20 * 11 + 200)));
}

// ---- every schedule in steps

bool is_plain(const Cluster& cluster) {
  for (const NodeGroup& group : cluster.nodes) {
    if (group.rent || cluster.classes.at(group.node_class).drawn_by == DrawnBy::node) return false;
  }
  return true;
}

TEST(ExactEnergy, IsTheLeastOfAllSchedulesOfSmallWorlds) {
  int plain = 0, others = 0;
  holds_always(
      [&] {
        SmallWorld small = some_small_world();
        const bool make_plain = *rc::gen::arbitrary<bool>();
        for (NodeGroup& group : small.cluster.nodes) {
          if (!make_plain) continue;
          group.rent = false;
          small.cluster.classes[group.node_class].drawn_by = DrawnBy::task;
        }
        // The schedules that are shown end in so many steps.
        for (Job& job : small.workload.jobs) {
          if (!job.deadline) job.deadline = at_ms(small_steps * small_step_ms + 1);
        }
        const EverySchedule all(small);
        const std::optional<ExactEnergy> exact = exact_of(small.workload, small.cluster);
        RC_ASSERT(exact.has_value() == all.best.has_value());
        if (!exact) RC_DISCARD("no schedule");
        RC_ASSERT(exact->energy <= *all.best);
        RC_ASSERT(exact->energy >= energy_bound(small.workload, small.cluster)->energy);
        if (is_plain(small.cluster)) RC_ASSERT(exact->energy == *all.best);
        ++(is_plain(small.cluster) ? plain : others);
      },
      400);
  EXPECT_GT(plain, rare(150));
  EXPECT_GT(others, rare(50));
}

// ---- every order and assignment, of more tasks and any lengths

// Each task in turn as early as it may start, on the slot of its row that is free first.
class EveryOrder {
 public:
  EveryOrder(const Workload& workload, const Cluster& cluster)
      : workload_(workload), cluster_(cluster), power_(cluster) {
    for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
      const Job& of = workload.jobs[job];
      for (const Duration map : of.maps) tasks_.push_back({job, Kind::map, to_ms(map)});
      for (const Duration reduce : of.reduces) tasks_.push_back({job, Kind::reduce, to_ms(reduce)});
    }
    for (const NodeGroup& group : cluster.nodes) {
      free_.emplace_back(static_cast<std::size_t>(group.count * group.slots.map_slots), 0);
      free_.emplace_back(static_cast<std::size_t>(group.count * group.slots.reduce_slots), 0);
    }
    done_.resize(tasks_.size());
    ends_.resize(workload.jobs.size());
    place(0, 0, 0);
  }
  std::optional<MicroJoules> best;

 private:
  struct Task {
    JobIndex job;
    Kind kind;
    std::int64_t length;
  };
  struct Ends {
    std::int64_t maps = 0, all = 0;
  };
  [[nodiscard]] bool is_done(JobIndex job, bool maps_only) const {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].job == job && (!maps_only || tasks_[i].kind == Kind::map) && !done_[i]) return false;
    }
    return true;
  }
  [[nodiscard]] std::optional<std::int64_t> release(const Task& task) const {
    const Job& job = workload_.jobs[task.job];
    std::int64_t from = to_ms(job.submit);
    for (JobIndex other = 0; other < workload_.jobs.size(); ++other) {
      if (std::find(job.after.begin(), job.after.end(), workload_.jobs[other].id) == job.after.end())
        continue;
      if (!is_done(other, false)) return std::nullopt;
      from = std::max(from, ends_[other].all);
    }
    if (task.kind == Kind::reduce && !is_done(task.job, true)) return std::nullopt;
    return task.kind == Kind::reduce ? std::max(from, ends_[task.job].maps) : from;
  }
  void place(std::size_t placed, std::int64_t makespan, MicroJoules work) {
    if (placed == tasks_.size()) {
      MicroJoules sum = work;
      for (std::size_t row = 0; row < cluster_.nodes.size(); ++row)
        sum += power_.of_row(row).idle * cluster_.nodes[row].count * makespan;
      if (!best || sum < *best) best = sum;
      return;
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const std::optional<std::int64_t> from = done_[i] ? std::nullopt : release(tasks_[i]);
      if (!from) continue;
      for (std::size_t row = 0; row < cluster_.nodes.size(); ++row)
        on_row(i, row, *from, placed, makespan, work);
    }
  }
  void on_row(std::size_t i, std::size_t row, std::int64_t from, std::size_t placed, std::int64_t makespan,
              MicroJoules work) {
    const Task& task = tasks_[i];
    const Job& job = workload_.jobs[task.job];
    std::vector<std::int64_t>& slots = free_[2 * row + (task.kind == Kind::map ? 0 : 1)];
    if (slots.empty()) return;
    const auto slot = static_cast<std::size_t>(std::min_element(slots.begin(), slots.end()) - slots.begin());
    const auto time =
        std::llround(static_cast<double>(task.length) / cluster_.nodes[row].speed);  // powers of 2
    const std::int64_t was = slots[slot], end = std::max(from, was) + time;
    if (job.deadline && end > to_ms(*job.deadline)) return;
    const Ends before = ends_[task.job];
    slots[slot] = end;
    done_[i] = true;
    ends_[task.job].all = std::max(before.all, end);
    if (task.kind == Kind::map) ends_[task.job].maps = std::max(before.maps, end);
    const auto kind = task.kind == Kind::map ? PoweredKind::map : PoweredKind::reduce;
    place(placed + 1, std::max(makespan, end), work + power_.task(row, kind, 0, &job) * time);
    ends_[task.job] = before;
    done_[i] = false;
    slots[slot] = was;
  }

  const Workload& workload_;
  const Cluster& cluster_;
  PowerModel power_;
  std::vector<Task> tasks_;
  std::vector<std::vector<std::int64_t>> free_;  // maps and reduces of each row
  std::vector<bool> done_;
  std::vector<Ends> ends_;
};

struct PlainWorld {
  Workload workload;
  Cluster cluster;
};

PlainWorld some_plain_world() {
  PlainWorld world;
  const int rows = *rc::gen::inRange(1, 3);
  for (int row = 0; row < rows; ++row) {
    NodeGroup group;
    group.node_class = fmt::format("c{}", row);
    group.count = *rc::gen::inRange(1, 3);
    group.slots = {*rc::gen::inRange(1, 3), 1};
    group.speed = *rc::gen::element(1.0, 2.0);
    group.power_idle_w = *rc::gen::inRange(0, 20);
    group.power_busy_w = group.power_idle_w;
    world.cluster.classes[group.node_class].map_w = *rc::gen::inRange(0, 40);
    world.cluster.classes[group.node_class].reduce_w = *rc::gen::inRange(0, 40);
    world.cluster.nodes.push_back(group);
  }
  int left = *rc::gen::inRange(1, rows == 1 ? 8 : 6);
  for (int number = 0; left > 0; ++number) {
    std::vector<int> maps, reduces;
    for (int n = *rc::gen::inRange(1, 4); n > 0 && left > 0; --n, --left)
      maps.push_back(2 * *rc::gen::inRange(0, 40));
    if (left > 0 && *rc::gen::arbitrary<bool>()) {
      reduces.push_back(2 * *rc::gen::inRange(1, 40));
      --left;
    }
    Job job = job_of(fmt::format("J{}", number).c_str(), maps, reduces, *rc::gen::inRange(0, 60));
    if (number > 0 && *rc::gen::inRange(0, 3) == 0) job.after = {fmt::format("J{}", number - 1)};
    if (*rc::gen::inRange(0, 3) == 0) job.deadline = job.submit + ms(*rc::gen::inRange(20, 200));
    world.workload.jobs.push_back(job);
  }
  return world;
}

// Does the schedule hold, and what does it take?
MicroJoules energy_of_schedule(const PlainWorld& world, const std::vector<ExactEnergy::Placed>& schedule) {
  const PowerModel power(world.cluster);
  std::vector<std::vector<std::int64_t>> used;  // instants of starts and ends, by row and kind
  MicroJoules sum = 0;
  std::int64_t makespan = 0;
  for (const ExactEnergy::Placed& each : schedule) {
    const Job& job = world.workload.jobs[each.job];
    const auto kind = each.kind == Kind::map ? PoweredKind::map : PoweredKind::reduce;
    sum += power.task(each.row, kind, 0, &job) * (each.end - each.start).count();
    makespan = std::max(makespan, to_ms(each.end));
    RC_ASSERT(each.start >= job.submit);
    RC_ASSERT(!job.deadline || each.end <= *job.deadline);
    Count at_once = 0;
    for (const ExactEnergy::Placed& other : schedule) {
      const bool same_pool = other.row == each.row && other.kind == each.kind;
      if (same_pool && other.start <= each.start && each.start < other.end) ++at_once;
      const bool before =
          (other.job == each.job && other.kind == Kind::map && each.kind == Kind::reduce) ||
          std::count(job.after.begin(), job.after.end(), world.workload.jobs[other.job].id) > 0;
      if (before) RC_ASSERT(other.end <= each.start);
    }
    const NodeGroup& group = world.cluster.nodes[each.row];
    RC_ASSERT(at_once <=
              group.count * (each.kind == Kind::map ? group.slots.map_slots : group.slots.reduce_slots));
  }
  for (std::size_t row = 0; row < world.cluster.nodes.size(); ++row)
    sum += power.of_row(row).idle * world.cluster.nodes[row].count * makespan;
  return sum;
}

TEST(ExactEnergy, IsTheLeastOfAllOrdersAndAssignments) {
  int worlds = 0, large = 0;
  double steps = 0;
  holds_always(
      [&] {
        const PlainWorld world = some_plain_world();
        const EveryOrder all(world.workload, world.cluster);
        const std::optional<ExactEnergy> exact = exact_of(world.workload, world.cluster);
        RC_ASSERT(exact.has_value() == all.best.has_value());
        if (!exact) RC_DISCARD("no schedule in time");
        RC_ASSERT(exact->energy == *all.best);
        RC_ASSERT(exact->schedule.size() == world.workload.tasks());
        RC_ASSERT(energy_of_schedule(world, exact->schedule) == exact->energy);
        ++worlds;
        large += world.workload.tasks() >= 5 ? 1 : 0;
        steps += static_cast<double>(exact->steps);
      },
      300);
  EXPECT_GT(worlds, rare(200));
  EXPECT_GT(large, rare(9));
  RecordProperty("mean_steps", std::to_string(steps / worlds));
}

// ---- plans

TEST(ExactEnergy, IsNeverAboveThePlanWhichIsOftenOptimal) {
  static const PolicyRegistry registry = [] {
    PolicyRegistry made = standard_policies();
    for (PolicyEntry& entry : energy_policies()) made.add(std::move(entry));
    return made;
  }();
  int plans = 0, optimal = 0, above_bound = 0;
  holds_always(
      [&] {
        const PlainWorld world = some_plain_world();
        EnergyProblem problem{&world.workload, world.cluster, 1, 60, TaskOrder::longest_first, &registry};
        const PlannedEnergy plan = plan_energy(problem, Stop());
        const std::optional<ExactEnergy> exact = exact_of(world.workload, world.cluster);
        if (!plan.in_time()) RC_DISCARD("late");
        RC_ASSERT(exact.has_value());
        RC_ASSERT(plan.exact.has_value());
        RC_ASSERT(plan.exact->energy == exact->energy);
        RC_ASSERT(plan.value.energy.total() >= exact->energy);
        RC_ASSERT(plan.proved_optimal() == (plan.value.energy.total() == exact->energy));
        RC_ASSERT(plan.floor() == exact->energy);
        ++plans;
        optimal += plan.proved_optimal() ? 1 : 0;
        above_bound += exact->energy > plan.bound->energy ? 1 : 0;
        problem.exact_steps = 0;
        if (plan.exact->energy > plan.bound->energy)
          RC_ASSERT(!plan_energy(problem, Stop()).proved_optimal());
      },
      100);
  EXPECT_GT(plans, rare(70));
  EXPECT_GT(optimal, rare(50));
  EXPECT_GT(above_bound, rare(50));
}

}  // namespace
}  // namespace wavewright
