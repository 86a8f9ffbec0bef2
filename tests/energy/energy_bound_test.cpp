// The bound on energy against every schedule of small worlds, and against simulated runs.
#include "wavewright/energy/plan/energy_bound.h"

#include <algorithm>
#include <array>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/lively.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"
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

constexpr int steps = 12, step_ms = 1'000;

struct Small {
  Workload workload;
  Cluster cluster;
};

// One machine a row. Machines for rent need no time to boot, but join 1 ms after they are asked for: jobs are
// later by that.
Small some_small() {
  Small small;
  const int rows = *rc::gen::inRange(1, 4);
  for (int row = 0; row < rows; ++row) {
    NodeGroup group;
    group.node_class = fmt::format("c{}", row);
    group.slots = {*rc::gen::inRange(row == 0 ? 1 : 0, 3), *rc::gen::inRange(row == 0 ? 1 : 0, 2)};
    group.speed = *rc::gen::element(1.0, 2.0);
    group.rent = row > 0 && *rc::gen::arbitrary<bool>();
    NodeClass& of = small.cluster.classes[group.node_class];
    of.off_w = *rc::gen::inRange(0, 4);
    group.power_idle_w = of.off_w + *rc::gen::inRange(0, 30);
    group.power_busy_w = group.power_idle_w;
    of.wake_j = *rc::gen::inRange(0, 30);
    of.map_w = *rc::gen::inRange(0, 40);
    of.reduce_w = *rc::gen::inRange(0, 40);
    of.drawn_by = *rc::gen::element(DrawnBy::task, DrawnBy::task, DrawnBy::node);
    small.cluster.nodes.push_back(group);
  }
  int tasks = 0;
  for (const char* const id : {"A", "B"}) {
    std::vector<int> maps, reduces;
    for (int n = *rc::gen::inRange(1, 3); n > 0 && tasks < 3; --n, ++tasks)
      maps.push_back(*rc::gen::inRange(1, 3) * 2 * step_ms);
    if (tasks < 3 && *rc::gen::arbitrary<bool>()) {
      reduces.push_back(*rc::gen::inRange(1, 3) * 2 * step_ms);
      ++tasks;
    }
    if (maps.empty()) continue;
    Job job = job_of(id, maps, reduces, *rc::gen::inRange(0, 3) * step_ms + 1);
    if (*rc::gen::arbitrary<bool>()) job.deadline = at_ms(*rc::gen::inRange(3, steps + 1) * step_ms + 1);
    if (*rc::gen::inRange(0, 3) == 0) {
      job.classes["c1"] = {*rc::gen::element(1.0, 2.0), 1, *rc::gen::element(0.5, 2.0),
                           *rc::gen::element<std::optional<double>>(std::nullopt, 3)};
    }
    small.workload.jobs.push_back(job);
  }
  return small;
}

// Tries all rows and starts of all tasks, and the best times to switch machines.
class Enumeration {
 public:
  explicit Enumeration(const Small& small) : small_(small), power_(small.cluster) {
    for (std::size_t job = 0; job < small.workload.jobs.size(); ++job) {
      const Job& of = small.workload.jobs[job];
      for (const Duration map : of.maps) tasks_.push_back({job, 0, static_cast<int>(to_ms(map)) / step_ms});
      for (const Duration reduce : of.reduces)
        tasks_.push_back({job, 1, static_cast<int>(to_ms(reduce)) / step_ms});
    }
    maps_done_.assign(small.workload.jobs.size(), 0);
    rows_.resize(small.cluster.nodes.size());
    place(0, 0);
  }
  std::optional<MicroJoules> best;

 private:
  struct Task {
    std::size_t job;
    std::size_t kind;
    int length;  // at speed 1
  };
  struct Row {
    std::array<std::array<int, 2>, steps> used{};
    std::array<std::array<std::vector<Milliwatts>, 2>, steps> powers;
  };
  [[nodiscard]] int length(const Task& task, std::size_t row) const {
    const NodeGroup& group = small_.cluster.nodes[row];
    const auto& classes = small_.workload.jobs[task.job].classes;
    const auto own = classes.find(group.node_class);
    return static_cast<int>(task.length / (own == classes.end() ? group.speed : own->second.speed));
  }
  void place(std::size_t at, int makespan) {
    if (at == tasks_.size()) return finish(makespan);
    const Task& task = tasks_[at];
    const Job& job = small_.workload.jobs[task.job];
    const int from = task.kind == 0 ? static_cast<int>(to_ms(job.submit)) / step_ms : maps_done_[task.job];
    const int due = job.deadline ? static_cast<int>(to_ms(*job.deadline)) / step_ms : steps;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const SlotPool& slots = small_.cluster.nodes[row].slots;
      const Count most = task.kind == 0 ? slots.map_slots : slots.reduce_slots;
      const int time = length(task, row);
      const Milliwatts power =
          power_.task(row, task.kind == 0 ? PoweredKind::map : PoweredKind::reduce, 0, &job);
      for (int start = from; start + time <= std::min(due, steps); ++start) {
        bool free = true;
        for (int t = start; t < start + time; ++t) free = free && used(row, t, task.kind) < most;
        if (!free) continue;
        const int was = maps_done_[task.job];
        if (task.kind == 0) maps_done_[task.job] = std::max(was, start + time);
        for (int t = start; t < start + time; ++t) {
          ++used(row, t, task.kind);
          powers(row, t, task.kind).push_back(power);
        }
        place(at + 1, std::max(makespan, start + time));
        for (int t = start; t < start + time; ++t) {
          --used(row, t, task.kind);
          powers(row, t, task.kind).pop_back();
        }
        maps_done_[task.job] = was;
      }
    }
  }
  int& used(std::size_t row, int t, std::size_t kind) {
    return rows_[row].used[static_cast<std::size_t>(t)][kind];
  }
  std::vector<Milliwatts>& powers(std::size_t row, int t, std::size_t kind) {
    return rows_[row].powers[static_cast<std::size_t>(t)][kind];
  }
  void finish(int makespan) {
    MicroJoules sum = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const NodePower& power = power_.of_row(row);
      sum += small_.cluster.nodes[row].rent ? switched(row, power, makespan)
                                            : power.idle * (makespan * step_ms + 1);
      for (int t = 0; t < makespan; ++t) {
        Milliwatts all = 0, most = 0;
        for (std::size_t kind = 0; kind < 2; ++kind) {
          for (const Milliwatts each : powers(row, t, kind)) {
            all += each;
            most = std::max(most, each);
          }
        }
        sum += step_ms * (power.drawn_by == DrawnBy::node ? most : all);
      }
    }
    if (!best || sum < *best) best = sum;
  }
  // The least of on and off, step by step.
  MicroJoules switched(std::size_t row, const NodePower& power, int makespan) {
    constexpr MicroJoules never = MicroJoules{1} << 50;
    MicroJoules off = power.off, on = never;  // the first millisecond
    for (int t = 0; t < makespan; ++t) {
      const MicroJoules now_on = std::min(on, off + power.wake) + power.idle * step_ms;
      const bool busy = used(row, t, 0) + used(row, t, 1) > 0;
      off = busy ? never : std::min(on, off) + power.off * step_ms;
      on = now_on;
    }
    return std::min(on, off);
  }

  const Small& small_;
  PowerModel power_;
  std::vector<Task> tasks_;
  std::vector<int> maps_done_;
  std::vector<Row> rows_;
};

TEST(EnergyBound, IsBelowEveryScheduleOfSmallWorlds) {
  double ratio = 0;
  int worlds = 0, rented = 0;
  holds_always(
      [&] {
        const Small small = some_small();
        const Enumeration all(small);
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
