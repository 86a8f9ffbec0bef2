// The energy of a run, against one that is added up millisecond by millisecond from the trace.
#include "wavewright/sim/metrics/energy.h"

#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/lively.h"
#include "wavewright/cluster/presence.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright {
namespace {

NodeClass some_class() {
  NodeClass of;
  const auto maybe = [](int most) {
    return *rc::gen::arbitrary<bool>() ? std::optional<double>(*rc::gen::inRange(0, most)) : std::nullopt;
  };
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      of.curve_w = {100 + 1.5 * *rc::gen::inRange(0, 20), 140, 151.25};
      break;
    case 1:
      of.drawn_by = DrawnBy::node;
      [[fallthrough]];
    default:
      of.map_w = maybe(50);
      of.reduce_w = maybe(50);
      of.master_w = maybe(5);
  }
  of.off_w = *rc::gen::element(0.0, 3.5);
  of.wake_j = *rc::gen::element(0.0, 12.0);
  return of;
}

struct World {
  Workload workload;
  Cluster cluster;
  SimulationResult result;
};

World some_world() {
  World world{worlds::some_dependent_workload(), worlds::some_faulty_cluster(), {}};
  if (*rc::gen::arbitrary<bool>()) worlds::give_out_containers(world.cluster);
  worlds::offer_machines(world.cluster);
  for (NodeGroup& group : world.cluster.nodes) {
    group.power_idle_w = *rc::gen::inRange(0, 100);
    group.power_busy_w = group.power_idle_w + *rc::gen::inRange(0, 100) / 3.0;
  }
  for (const char* name : {"default", "fast", "rented"}) {
    if (*rc::gen::arbitrary<bool>()) world.cluster.classes[name] = some_class();
  }
  world.cluster.carbon = {{at_ms(0), 300}, {at_ms(20), 100.5}, {at_ms(55), 0}};
  for (Job& job : world.workload.jobs) {
    if (*rc::gen::arbitrary<bool>())
      job.classes["fast"] = {2, *rc::gen::inRange(1, 3), *rc::gen::element(1.0, 1.41),
                             *rc::gen::element<std::optional<double>>(std::nullopt, 7.5)};
  }
  const bool containers = world.cluster.mode.kind == ClusterMode::Kind::containers;
  Policy policy{std::make_unique<Lively>(containers ? Lively::On::containers : Lively::On::nodes), nullptr};
  world.result = worlds::unless_stuck(
      [&] { return simulate_cluster(world.workload, policy, {world.cluster, 1, true}); });
  return world;
}

double intensity_at(const Cluster& cluster, Time now) {
  double intensity = 0;
  for (const CarbonIntensity& each : cluster.carbon) {
    if (each.from <= now) intensity = each.grams_per_kwh;
  }
  return intensity;
}

// Which node, and by which rule, at one instant.
class ByTheMillisecond {
 public:
  explicit ByTheMillisecond(const World& world)
      : world_(world), topology_(expand(world.cluster)), model_(world.cluster) {
    for (Time now{}; now < Time{} + world.result.makespan; now += ms(1)) count(now);
  }
  std::vector<EnergyParts> nodes = std::vector<EnergyParts>(1'000);
  std::map<JobIndex, double> jobs;
  double carbon_g = 0;
  std::vector<MicroJoules> at;  // by millisecond

 private:
  [[nodiscard]] bool present(NodeIndex node, Time now) const {
    const NodeGroup& group = world_.cluster.nodes[topology_.group[node]];
    if (!group.rent) return time_there(group, now, now + ms(1)) > Duration{};
    return std::any_of(world_.result.leases.begin(), world_.result.leases.end(), [&](const Lease& lease) {
      return lease.node == node && lease.joined && *lease.joined <= now && (!lease.left || now < *lease.left);
    });
  }
  void count(Time now) {
    MicroJoules sum = 0;
    for (NodeIndex node = 0; node < topology_.size(); ++node) {
      const NodePower& power = model_.of_row(topology_.group[node]);
      const MicroJoules standing = present(node, now) ? power.idle : power.off;
      (present(node, now) ? nodes[node].idle : nodes[node].off) += standing;
      const MicroJoules work = work_of(node, now, power);
      nodes[node].work += work;
      sum += standing + work;
    }
    at.push_back(sum);
    carbon_g += static_cast<double>(sum) / 3.6e12 * intensity_at(world_.cluster, now);
  }
  MicroJoules work_of(NodeIndex node, Time now, const NodePower& power) {
    std::set<std::pair<Kind, std::uint32_t>> slots;
    std::vector<std::pair<JobIndex, Milliwatts>> running;
    for (const TaskRecord& task : world_.result.trace) {
      if (task.node != node || task.start > now || task.end <= now) continue;
      if (!slots.emplace(task.kind, task.slot).second) continue;  // it shares one
      running.emplace_back(task.job, model_.task(topology_.group[node], static_cast<PoweredKind>(task.kind),
                                                 task.memory, &world_.workload.jobs[task.job]));
    }
    if (running.empty()) return 0;
    Milliwatts sum = 0, most = 0;
    for (const auto& [job, watts] : running) {
      sum += watts;
      most = std::max(most, watts);
    }
    const Milliwatts drawn = !power.curve.empty()
                                 ? power.curve[std::min(running.size(), power.curve.size()) - 1]
                             : power.drawn_by == DrawnBy::node ? most
                                                               : sum;
    for (const auto& [job, watts] : running) {
      const bool equal = !power.curve.empty() || sum == 0;
      jobs[job] +=
          static_cast<double>(drawn) * (equal ? 1.0 / static_cast<double>(running.size())
                                              : static_cast<double>(watts) / static_cast<double>(sum));
    }
    return drawn;
  }

  const World& world_;
  Topology topology_;
  PowerModel model_;
};

TEST(Energy, IsThatOfEveryMillisecondOfTheTrace) {
  int with_wakes = 0, with_off = 0;
  holds_always([&] {
    const World world = some_world();
    const ByTheMillisecond expected(world);
    const std::optional<RunEnergy> found = energy_of_run(world.result, world.cluster, &world.workload);
    RC_PRE(found.has_value());
    const Topology topology = expand(world.cluster);
    MicroJoules wakes = 0, work = 0;
    for (const Lease& lease : world.result.leases)
      wakes += PowerModel(world.cluster).of_row(topology.group[lease.node]).wake;
    EnergyParts sum;
    for (NodeIndex node = 0; node < topology.size(); ++node) {
      const EnergyParts& of = found->nodes[node];
      RC_ASSERT(of.idle == expected.nodes[node].idle);
      RC_ASSERT(of.off == expected.nodes[node].off);
      RC_ASSERT(of.work == expected.nodes[node].work);
      sum += of;
    }
    RC_ASSERT(found->all == sum);
    RC_ASSERT(sum.wake == wakes);
    RC_ASSERT(sum.total() == std::accumulate(expected.at.begin(), expected.at.end(), MicroJoules{0}) + wakes);
    EnergyParts by_class;
    for (const EnergyParts& of : found->classes) by_class += of;
    RC_ASSERT(by_class == sum);
    // Division leaves at most 1 µJ for each task at each change of a node.
    const double leftovers =
        static_cast<double>(2 * world.result.trace.size() * world.result.trace.size() + 1);
    for (std::size_t job = 0; job < found->jobs.size(); ++job) {
      work += found->jobs[job];
      const auto own = expected.jobs.find(static_cast<JobIndex>(job));
      const double must = own == expected.jobs.end() ? 0 : own->second;
      RC_ASSERT(std::abs(static_cast<double>(found->jobs[job]) - must) <= leftovers);
    }
    RC_ASSERT(work == sum.work);
    with_wakes += sum.wake > 0 ? 1 : 0;
    with_off += sum.off > 0 ? 1 : 0;
  });
  EXPECT_GT(with_wakes, rare(4)) << "machines were switched on";
  EXPECT_GT(with_off, rare(4)) << "machines were off";
}

// A wake-up counts in the interval of its request. One at the very end counts in the last interval.
TEST(Energy, IsTheSameOverTime) {
  int wakes_seen = 0;
  holds_always([&] {
    const World world = some_world();
    const Duration width = ms(*rc::gen::inRange(1, 50));
    const ByTheMillisecond expected(world);
    const auto intervals = usage_by_interval(world.result, world.cluster, width, &world.workload);
    const Topology topology = expand(world.cluster);
    const PowerModel model(world.cluster);
    std::vector<MicroJoules> wakes(intervals.size());
    double carbon_g = expected.carbon_g;
    for (const Lease& lease : world.result.leases) {
      const MicroJoules wake = model.of_row(topology.group[lease.node]).wake;
      const Time at = std::min(lease.requested, Time{} + world.result.makespan);
      carbon_g += static_cast<double>(wake) / 3.6e12 * intensity_at(world.cluster, at);
      if (intervals.empty()) continue;
      const auto index = static_cast<std::size_t>((at - Time{}) / width);
      wakes[std::min(index, intervals.size() - 1)] += wake;
      wakes_seen += wake > 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      MicroJoules sum = wakes[i];
      for (auto at = to_ms(intervals[i].from - Time{}); at < to_ms(intervals[i].to - Time{}); ++at)
        sum += expected.at[static_cast<std::size_t>(at)];
      // The last one may be added up from two rounded parts.
      const double rounding = i + 1 < intervals.size() ? 0 : 1e-12 * to_joules(sum);
      RC_ASSERT(std::abs(intervals[i].energy_j - to_joules(sum)) <= rounding);
    }
    const std::optional<RunEnergy> found = energy_of_run(world.result, world.cluster, &world.workload);
    if (found) RC_ASSERT(std::abs(*found->carbon_g - carbon_g) <= 1e-9 * (1 + carbon_g));
  });
  EXPECT_GT(wakes_seen, rare(4));
}

Cluster two_classes() {
  Cluster cluster = flat_cluster({2, 1});
  cluster.nodes[0].node_class = "cpu";
  cluster.nodes[0].power_idle_w = 235;
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].node_class = "gpu";
  cluster.nodes[1].slots = {1, 0};
  cluster.nodes[1].power_idle_w = 78;
  cluster.classes["cpu"].map_w = 54;
  return cluster;
}

// [UNL §6.3.2]: factors of 1.41 and 1.52, whatever the speed.
TEST(Power, AJobsFactorSaysHowMuchEnergyAMapTakesOnAClass) {
  const PowerModel model(two_classes());
  Job job;
  job.classes["gpu"] = {4, 1, 1.5};
  EXPECT_EQ(model.task(0, PoweredKind::map, 0, &job), 54'000);
  EXPECT_EQ(model.task(1, PoweredKind::map, 0, &job), 54'000 * 4 / 1.5);  // in a quarter of the time
  EXPECT_EQ(model.task(1, PoweredKind::reduce, 0, &job), 0);
  EXPECT_DOUBLE_EQ(model.efficiency(job, 0), 1);
  EXPECT_DOUBLE_EQ(model.efficiency(job, 1), 1.5);
  job.classes["gpu"] = {4, 2, std::nullopt, 72};
  EXPECT_EQ(model.task(1, PoweredKind::map, 0, &job), 72'000);
  EXPECT_DOUBLE_EQ(model.efficiency(job, 1), 54.0 / (72.0 / 4 / 2));
  job.classes["gpu"].energy_factor = 2;  // told: it holds
  EXPECT_DOUBLE_EQ(model.efficiency(job, 1), 2);
  job.classes.clear();
  EXPECT_DOUBLE_EQ(model.efficiency(job, 1), 1) << "nothing is known of its power there";
  job.classes["cpu"] = {2, 1, 0.5};
  job.classes["gpu"] = {4, 1, 1.5};
  EXPECT_EQ(model.task(1, PoweredKind::map, 0, &job), 54'000 / 2 * 4 / 3);  // a third of the energy there
}

TEST(Power, OfABusyNodeIsDrawnOnceAndSplitAmongItsJobs) {
  Cluster cluster = flat_cluster({3, 0});
  cluster.nodes[0].power_idle_w = 1;
  cluster.nodes[0].power_busy_w = 2;
  cluster.classes["default"].drawn_by = DrawnBy::node;
  Workload workload;
  for (const char* id : {"A", "B", "C"}) workload.jobs.emplace_back().id = id;
  workload.jobs[0].maps = {ms(1)};
  workload.jobs[1].maps = {ms(1)};
  workload.jobs[2].maps = {ms(3)};
  Policy policy = make_policy("fifo");
  const SimulationResult result = simulate_cluster(workload, policy, {cluster, 1, true});
  const RunEnergy energy = energy_of_run(result, cluster).value();
  EXPECT_EQ(energy.all.work, 3'000);
  EXPECT_EQ(energy.jobs, (std::vector<MicroJoules>{334, 333, 333 + 2'000}));
  EXPECT_EQ(energy.all.idle, 3'000);
}

// By hand: 131 W of the curve hold for three tasks, too, and each of those that run pays an equal part.
TEST(Power, OfAMeasuredCurveGoesByTheNumberOfTasks) {
  Cluster cluster = flat_cluster({3, 0});
  cluster.nodes[0].power_idle_w = cluster.nodes[0].power_busy_w = 100;
  cluster.classes["default"].curve_w = {120, 131};
  Workload workload;
  for (const char* id : {"A", "B", "C"}) workload.jobs.emplace_back().id = id;
  workload.jobs[0].maps = {ms(1)};
  workload.jobs[1].maps = {ms(2)};
  workload.jobs[2].maps = {ms(3)};
  Policy policy = make_policy("fifo");
  const SimulationResult result = simulate_cluster(workload, policy, {cluster, 1, true});
  const RunEnergy energy = energy_of_run(result, cluster).value();
  EXPECT_EQ(energy.all.idle, 300'000);
  EXPECT_EQ(energy.all.work, 31'000 + 31'000 + 20'000);
  EXPECT_EQ(energy.jobs, (std::vector<MicroJoules>{10'334, 10'333 + 15'500, 10'333 + 15'500 + 20'000}));
}

TEST(Power, OfAContainerIsItsShareOfTheNodesMemory) {
  Cluster cluster;
  cluster.mode.kind = ClusterMode::Kind::containers;
  NodeGroup& group = cluster.nodes.emplace_back();
  group.memory = Bytes{8LL << 30};
  group.power_idle_w = 100;
  group.power_busy_w = 180;
  const PowerModel model(cluster);
  EXPECT_EQ(model.task(0, PoweredKind::map, 1'024, nullptr), 10'000);
  EXPECT_EQ(model.task(0, PoweredKind::reduce, 3'072, nullptr), 30'000);
  EXPECT_EQ(model.task(0, PoweredKind::master, 512, nullptr), 5'000);
}

// Eight containers of 1 GiB fit, or four of 2 GiB, or two of 3.
TEST(Power, OfAContainerByACurveIsTheMeanStepToANodeThatIsFullOfThem) {
  Cluster cluster;
  cluster.mode.kind = ClusterMode::Kind::containers;
  NodeGroup& group = cluster.nodes.emplace_back();
  group.memory = Bytes{8LL << 30};
  group.power_idle_w = group.power_busy_w = 100;
  cluster.classes["default"].curve_w = {110, 118, 124, 128, 132};
  const PowerModel model(cluster);
  EXPECT_EQ(model.task(0, PoweredKind::map, 1'024, nullptr), 4'000) << "more tasks draw the last: 32 W / 8";
  EXPECT_EQ(model.task(0, PoweredKind::reduce, 2'048, nullptr), 7'000);
  EXPECT_EQ(model.task(0, PoweredKind::map, 3'072, nullptr), 9'000);
  EXPECT_EQ(model.task(0, PoweredKind::map, 16'384, nullptr), 10'000) << "one at least";
}

TEST(Power, ThatCannotBeCountedIsRefused) {
  EXPECT_THROW((void)energy_of(milliwatts(1e9), ms(std::int64_t{1} << 48)), UsageError);
}

}  // namespace
}  // namespace wavewright
