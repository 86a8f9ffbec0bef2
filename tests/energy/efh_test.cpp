// EFH against its tables taken by the letter, the paper's examples, and what a user sees of it.
#include "wavewright/energy/efh.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/energy/efh_by_letter.h"
#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/same_result.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/policies.h"
#include "wavewright/energy/ranking.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/map_locality.h"

namespace wavewright {
namespace {

Policy make(const std::string& text, const PolicyContext& context = {}) {
  return make_policy(text, context, PolicyRegistry(energy_policies()));
}

EfhOptions some_options() {
  EfhOptions options;
  options.adaptive = *rc::gen::arbitrary<bool>();
  options.threshold = *rc::gen::element<std::optional<Duration>>(ms(0), ms(5), ms(30), ms(300));
  options.clamp = *rc::gen::arbitrary<bool>();
  return options;
}

Cluster some_hybrid_cluster(bool faulty) {
  Cluster cluster = faulty ? worlds::some_faulty_cluster() : worlds::some_cluster();
  for (NodeGroup& group : cluster.nodes) group.power_busy_w = *rc::gen::inRange(1, 60);
  cluster.classes[cluster.nodes.back().node_class].label = "gpu";
  return cluster;
}

Workload some_hybrid_workload() {
  Workload workload = worlds::some_dependent_workload();
  for (Job& job : workload.jobs) {
    for (const char* name : {"default", "fast"}) {
      if (*rc::gen::inRange(0, 3) == 0)
        job.classes[name] = {*rc::gen::element(1.0, 2.0), *rc::gen::inRange(1, 3),
                             *rc::gen::element<std::optional<double>>(std::nullopt, 0.8, 1.41)};
    }
  }
  return workload;
}

TEST(Efh, GivesOutContainersAsItsTablesSay) {
  holds_always(
      [] {
        const EfhOptions options = some_options();
        const ClusterOptions on{some_hybrid_cluster(*rc::gen::arbitrary<bool>()),
                                *rc::gen::inRange<std::uint64_t>(0, 50), true};
        const Workload workload = some_hybrid_workload();
        const bool places = on.cluster.reads.kind != Reads::Kind::anywhere;
        Policy fast = make_efh(options, places), letter = efh_by_letter(options, places);
        const auto result = worlds::unless_stuck([&] { return simulate_cluster(workload, letter, on); });
        expect_equal(simulate_cluster(workload, fast, on), result);
        Policy again = make_efh(options, places);
        expect_equal(result, simulate_cluster_reference(workload, again, on));
      },
      600);
}

// Two to four nodes of few slots, from which jobs are driven by failures and outages while tasks are on their
// way to them.
Cluster some_bad_cluster(NodeIndex nodes) {
  Cluster cluster;
  NodeGroup group;
  group.count = nodes;
  group.slots = {*rc::gen::inRange(1, 4), 1};
  cluster.nodes = {group};
  cluster.mode.heartbeat = *rc::gen::element(ms(0), ms(100), ms(1000));
  cluster.mode.out_of_band = *rc::gen::arbitrary<bool>();
  cluster.reads.kind = *rc::gen::element(Reads::Kind::anywhere, Reads::Kind::slowdown);
  cluster.faults.task_failure = *rc::gen::element(0.0, 0.3);
  cluster.faults.max_attempts = *rc::gen::element(2, 100);
  cluster.faults.blacklist_after = *rc::gen::inRange(0, 2);
  for (int outages = *rc::gen::inRange(0, 3); outages > 0; --outages) {
    const auto from = *rc::gen::inRange<std::int64_t>(0, 6000);
    cluster.outages.push_back({fmt::format("node{}", *rc::gen::inRange<NodeIndex>(1, nodes + 1)), at_ms(from),
                               at_ms(from + *rc::gen::inRange<std::int64_t>(1, 2000))});
  }
  return cluster;
}

Workload some_jobs_on(NodeIndex nodes) {
  Workload workload;
  for (int jobs = *rc::gen::inRange(1, 5); jobs > 0; --jobs) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::format("J{}", workload.jobs.size());
    job.submit = at_ms(*rc::gen::inRange<std::int64_t>(0, 3000));
    for (int maps = *rc::gen::inRange(1, 13); maps > 0; --maps) {
      job.maps.push_back(ms(*rc::gen::inRange<std::int64_t>(1, 3000)));
      job.splits.push_back({fmt::format("node{}", *rc::gen::inRange<NodeIndex>(1, nodes + 1))});
    }
    job.classes["default"] = {1.0, *rc::gen::inRange(1, 3), std::nullopt};
  }
  return workload;
}

TEST(Efh, GivesOutContainersAsItsTablesSayWhereNodesAreAvoidedAndLost) {
  holds_always(
      [] {
        const EfhOptions options = some_options();
        const auto nodes = *rc::gen::inRange<NodeIndex>(2, 5);
        const ClusterOptions on{some_bad_cluster(nodes), *rc::gen::inRange<std::uint64_t>(0, 50), true};
        const Workload workload = some_jobs_on(nodes);
        const bool places = on.cluster.reads.kind != Reads::Kind::anywhere;
        Policy fast = make_efh(options, places), letter = efh_by_letter(options, places);
        const auto result = worlds::unless_stuck([&] { return simulate_cluster(workload, letter, on); });
        expect_equal(simulate_cluster(workload, fast, on), result);
      },
      1000);
}

// Few slots of three classes, which jobs like unlike well. Heartbeats are long, so that maps end on some
// nodes while containers of others wait to be taken.
Cluster some_slow_cluster() {
  Cluster cluster;
  for (const char* const name : {"default", "fast", "gpu"}) {
    NodeGroup& group = cluster.nodes.emplace_back();
    group.node_class = name;
    group.count = *rc::gen::inRange(1, 4);
    group.slots = {*rc::gen::inRange(1, 4), 1};
    group.power_busy_w = *rc::gen::inRange(1, 60);
  }
  cluster.mode.heartbeat = *rc::gen::element(ms(300), ms(1'000));
  return cluster;
}

Workload some_choosy_jobs() {
  Workload workload;
  for (int jobs = *rc::gen::inRange(2, 8); jobs > 0; --jobs) {
    Job& job = workload.jobs.emplace_back();
    job.id = fmt::format("J{}", workload.jobs.size());
    job.submit = at_ms(*rc::gen::inRange<std::int64_t>(0, 6'000));
    for (int maps = *rc::gen::inRange(1, 7); maps > 0; --maps)
      job.maps.push_back(ms(*rc::gen::inRange<std::int64_t>(1, 4'000)));
    for (const char* const name : {"fast", "gpu"})
      job.classes[name] = {1.0, *rc::gen::inRange(1, 3), *rc::gen::element(0.5, 0.9, 1.1, 2.0)};
  }
  return workload;
}

TEST(Efh, GivesOutContainersAsItsTablesSayWhileOthersWaitForReports) {
  holds_always(
      [] {
        EfhOptions options = some_options();
        options.adaptive = true;
        const ClusterOptions on{some_slow_cluster(), 1, true};
        const Workload workload = some_choosy_jobs();
        Policy fast = make_efh(options, false), letter = efh_by_letter(options, false);
        expect_equal(simulate_cluster(workload, fast, on), simulate_cluster(workload, letter, on));
      },
      1'500);
}

// Four nodes of two map slots, and attempts of which every other one fails. A job avoids a node after one.
Cluster failing_cluster() {
  Cluster cluster;
  NodeGroup group;
  group.count = 4;
  group.slots = {2, 0};
  cluster.nodes = {group};
  cluster.mode.heartbeat = ms(1000);
  cluster.reads.kind = Reads::Kind::slowdown;
  cluster.faults.task_failure = 0.5;
  cluster.faults.max_attempts = 100;
  cluster.faults.blacklist_after = 1;
  return cluster;
}

TEST(Efh, GivesOutNothingOnANodeThatTheJobAvoids) {
  Workload workload;
  workload.jobs.emplace_back().id = "A";
  workload.jobs[0].maps = {8, ms(10'000)};
  for (const Reads::Kind reads : {Reads::Kind::anywhere, Reads::Kind::slowdown}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      ClusterOptions on{failing_cluster(), seed, true};
      on.cluster.reads.kind = reads;
      Policy policy = make_policy_on("efh", on.cluster, PolicyRegistry(energy_policies()));
      const SimulationResult result = simulate_cluster(workload, policy, on);
      const auto done = std::count_if(result.trace.begin(), result.trace.end(), [](const TaskRecord& task) {
        return task.outcome == AttemptOutcome::done;
      });
      EXPECT_EQ(done, 8) << seed;
    }
  }
}

// Three nodes with processors, one with a GPU. The job's code is for the GPU, and its first attempt fails.
TEST(Efh, SaysThatAJobAvoidsAllNodesThatItMayUse) {
  Workload workload;
  workload.jobs.emplace_back().id = "A";
  workload.jobs[0].maps = {2, ms(10'000)};
  workload.jobs[0].classes["gpu"] = {2, 1, 1.41};
  ClusterOptions on{failing_cluster(), 1, true};
  on.keep_stuck = true;
  on.cluster.nodes = {on.cluster.nodes[0], on.cluster.nodes[0]};
  on.cluster.nodes[0].count = 3;
  on.cluster.nodes[1].count = 1;
  on.cluster.nodes[1].node_class = "gpu";
  on.cluster.nodes[1].task_failure = 1;
  on.cluster.classes["gpu"].label = "gpu";
  const auto run = [&](const char* spec) {
    Policy policy = make_policy_on(spec, on.cluster, PolicyRegistry(energy_policies()));
    return simulate_cluster(workload, policy, on);
  };
  EXPECT_FALSE(run("efh").stuck);
  const SimulationResult labelled = run("efh(adaptive=no)");
  EXPECT_TRUE(labelled.stuck);
  ASSERT_FALSE(labelled.remarks.empty());
  EXPECT_THAT(labelled.remarks.back().reason.text, testing::HasSubstr("It avoids 1 node there"));
}

// Both nodes are free, and all blocks lie on the second one.
TEST(Efh, RunsMapsBesideTheirBlocksWithHeartbeatsAndWithout) {
  Workload workload;
  workload.jobs.emplace_back().id = "A";
  workload.jobs[0].maps = {2, ms(10'000)};
  workload.jobs[0].splits = {{"node2"}, {"node2"}};
  NodeGroup group;
  group.count = 2;
  group.slots = {2, 0};
  ClusterOptions on{{}, 1, true};
  on.cluster.nodes = {group};
  on.cluster.reads = {Reads::Kind::slowdown, 2, 3};
  for (const Duration heartbeat : {ms(0), ms(1000)}) {
    on.cluster.mode.heartbeat = heartbeat;
    Policy policy = make_policy_on("efh", on.cluster, PolicyRegistry(energy_policies()));
    for (const TaskRecord& map : simulate_cluster(workload, policy, on).trace)
      EXPECT_EQ(map.node, 1U) << "heartbeat of " << to_ms(heartbeat) << " ms";
  }
}

// One slot, whose node reports every second. B comes while A waits for the report, and has more of its optset
// free: r = 1/1 against 1/2.
TEST(Efh, AContainerStaysGivenUntilItsNodeReports) {
  const auto first_started = [](Reads::Kind reads, std::int64_t after) {
    Workload workload;
    for (const auto& [id, maps, submit] :
         {std::tuple("A", 2, std::int64_t{100}), std::tuple("B", 1, 100 + after)}) {
      Job& job = workload.jobs.emplace_back();
      job.id = id;
      job.submit = at_ms(submit);
      job.maps = std::vector<Duration>(maps, ms(10'000));
      job.splits.assign(maps, {"node1"});
    }
    NodeGroup group;
    group.slots = {1, 0};
    ClusterOptions on{{}, 1, true};
    on.cluster.nodes = {group};
    on.cluster.mode.heartbeat = ms(1000);
    on.cluster.reads.kind = reads;
    Policy policy = make_policy_on("efh", on.cluster, PolicyRegistry(energy_policies()));
    return workload.jobs[simulate_cluster(workload, policy, on).trace.front().job].id;
  };
  EXPECT_EQ(first_started(Reads::Kind::slowdown, 1), "A") << "its task is on its way";
  EXPECT_EQ(first_started(Reads::Kind::slowdown, 0), "B") << "of one instant";
  EXPECT_EQ(first_started(Reads::Kind::anywhere, 1), "A") << "no node is named";
  EXPECT_EQ(first_started(Reads::Kind::anywhere, 0), "B") << "of one instant, no node is named";
}

// A is given all three containers. The bad node reports at 1,000 ms, where A fails; the good one reports at
// 1,500 ms. B wants three.
TEST(Efh, ContainersAreFreeAgainWhereTheirJobFailed) {
  Workload workload;
  for (const char* const id : {"A", "B"}) {
    Job& job = workload.jobs.emplace_back();
    job.id = id;
    job.submit = at_ms(id == std::string("A") ? 600 : 601);
    job.maps = std::vector<Duration>(3, ms(10));
  }
  NodeGroup bad, good;
  bad.node_class = "bad";
  bad.slots = {1, 0};
  bad.task_failure = 1;
  good.slots = {2, 0};
  ClusterOptions on{{}, 1, true};
  on.cluster.nodes = {bad, good};
  on.cluster.mode.heartbeat = ms(1000);
  on.cluster.mode.out_of_band = true;
  on.cluster.faults.max_attempts = 1;
  on.keep_stuck = true;
  Policy policy = make_policy_on("efh(threshold=never)", on.cluster, PolicyRegistry(energy_policies()));
  const SimulationResult result = simulate_cluster(workload, policy, on);
  ASSERT_FALSE(result.trace.empty());
  EXPECT_EQ(result.trace.front().node, 0U);
  EXPECT_TRUE(std::any_of(result.trace.begin(), result.trace.end(),
                          [](const TaskRecord& task) { return task.job == 1; }));
}

FakeSetup three_classes() {
  FakeSetup setup;
  setup.classes = {{.name = "cpu"}, {.name = "gpu", .label = "gpu"}};
  setup.nodes = {{.map_slots = 4}, {.map_slots = 3}, {.map_slots = 1, .node_class = 1}};
  return setup;
}

// One CPU node with 4 containers, one GPU node with 3 and the GPU's [UNL §6.1.4].
TEST(Efh, CountsTheRelevantContainersOfThePaper) {
  FakeSetup setup = three_classes();
  setup.jobs = {{.id = "j", .maps = 3}, {.id = "g", .maps = 2, .efficiency = {{1, 1.41}}}};
  const FakeCluster cluster(setup, make("efh"));
  FreeContainers containers;
  containers.begin(cluster);
  const auto relevant = [&](JobIndex job, bool adaptive) {
    FakeCluster told(setup, make("efh"));
    told.arrive("j");
    told.arrive("g");
    return Ranking(told, job, relevant_classes(told, job, adaptive)).whole(containers);
  };
  EXPECT_EQ(relevant(0, false), 8);
  EXPECT_EQ(relevant(0, true), 8);
  EXPECT_EQ(relevant(1, false), 1);
  EXPECT_EQ(relevant(1, true), 8);
}

// The job has an entry for one of two classes with the label.
TEST(Efh, ALabelIsThatOfAllItsClasses) {
  FakeSetup setup;
  setup.classes = {{.name = "cpu"},
                   {.name = "old", .label = "gpu"},
                   {.name = "new", .label = "gpu"},
                   {.name = "big", .label = "large"}};
  setup.nodes = {{.map_slots = 4},
                 {.map_slots = 1, .node_class = 1},
                 {.map_slots = 1, .node_class = 2},
                 {.map_slots = 1, .node_class = 3}};
  setup.jobs = {{.id = "g", .maps = 2, .efficiency = {{1, 1.41}}}};
  FakeCluster told(setup, make("efh"));
  told.arrive("g");
  EXPECT_EQ(relevant_classes(told, 0, false), (std::vector<bool>{false, true, true, false}));
}

// 3 containers wanted; node k has 2 with a fitness of 3, node l 3 with a fitness of 2 [UNL §6.2.1].
TEST(Efh, TheOptsetHasTheBestContainers) {
  FakeSetup setup;
  setup.classes = {{.name = "l"}, {.name = "k"}};
  setup.nodes = {{.map_slots = 3}, {.map_slots = 2, .node_class = 1}};
  setup.jobs = {{.id = "A", .maps = 3, .blocks = {{0, 1}, {0, 1}, {0, 1}}, .efficiency = {{0, 2}, {1, 3}}}};
  FakeCluster cluster(setup, make("efh"));
  cluster.arrive("A");
  FreeContainers containers;
  containers.begin(cluster);
  Ranking ranking(cluster, 0, {true, true});
  const auto best_free = [&] {
    std::vector<Grant> grants;
    ranking.best_free(containers, 3, grants);
    return grants;
  };
  EXPECT_EQ(best_free(), (std::vector<Grant>{{1, 2}, {0, 1}}));
  EXPECT_EQ(ranking.free_in_optset(containers, 3), 3);
  containers.take(1, 2);
  EXPECT_EQ(ranking.free_in_optset(containers, 3), 1) << "of node l's three containers one is in the optset";
  EXPECT_EQ(best_free(), (std::vector<Grant>{{0, 3}}));
}

// A map takes 10 minutes on the GPU and 20 on a CPU. One is there of each: two maps run on the GPU, one after
// the other, and one on the CPU [UNL §6.1.3].
TEST(Efh, AdaptiveExecutionMakesThreeMapsAThirdFaster) {
  const Cluster cluster = parse_cluster(R"(
[mode]
kind = "slots"
[classes.gpu]
label = "gpu"
[[nodes]]
class = "cpu"
map_slots = 1
[[nodes]]
class = "gpu"
map_slots = 1
)",
                                        "test");
  Workload workload;
  workload.jobs.emplace_back().id = "A";
  workload.jobs[0].maps = {3, ms(20 * 60'000)};
  workload.jobs[0].classes["gpu"] = {2, 1, 1.41};
  const auto run = [&](const char* spec) {
    Policy policy = make_policy_on(spec, cluster, PolicyRegistry(energy_policies()));
    return simulate_on(workload, policy, {.cluster = cluster, .seed = 1, .trace = true});
  };
  // Start and end of each map on a node, in minutes.
  const auto maps_on = [](const SimulationResult& result, NodeIndex node) {
    std::vector<std::pair<std::int64_t, std::int64_t>> maps;
    for (const TaskRecord& task : result.trace) {
      if (task.node == node) maps.emplace_back(to_ms(task.start) / 60'000, to_ms(task.end) / 60'000);
    }
    return maps;
  };
  const auto minutes = [&](const char* spec) { return to_ms(run(spec).makespan) / 60'000; };
  EXPECT_EQ(minutes("efh(adaptive=no)"), 30);
  EXPECT_EQ(minutes("efh(adaptive=yes)"), 20);
  EXPECT_EQ(minutes("ideal"), 30);
  constexpr NodeIndex cpu = 0, gpu = 1;
  using testing::ElementsAre;
  using testing::Pair;
  const SimulationResult adaptive = run("efh(adaptive=yes)");
  EXPECT_THAT(maps_on(adaptive, gpu), ElementsAre(Pair(0, 10), Pair(10, 20)));
  EXPECT_THAT(maps_on(adaptive, cpu), ElementsAre(Pair(0, 20)));
  const SimulationResult labelled = run("efh(adaptive=no)");
  EXPECT_THAT(maps_on(labelled, gpu), ElementsAre(Pair(0, 10), Pair(10, 20), Pair(20, 30)));
  EXPECT_THAT(maps_on(labelled, cpu), ElementsAre());
}

TEST(Efh, AJobThatWantsMoreThanItsContainersWaitsForTheThresholdOrAsksForAllOfThem) {
  FakeSetup setup;
  setup.nodes = {{.map_slots = 2}};
  setup.jobs = {{.id = "A", .maps = 1}, {.id = "B", .maps = 5}};
  FakeCluster clamped(setup, make("efh"));
  clamped.arrive("B");
  EXPECT_EQ(clamped.fill(Kind::map), "B B");
  FakeCluster printed(setup, make("efh(oversize=wait, threshold=60s)"));
  printed.arrive("B");
  EXPECT_EQ(printed.fill(Kind::map), "");
  EXPECT_EQ(printed.count("explain B MoreThanAllContainers"), 1U);
  printed.advance(ms(59'999));
  EXPECT_EQ(printed.fill(Kind::map), "");
  printed.advance(ms(1));
  EXPECT_EQ(printed.fill(Kind::map), "B B");
  printed.arrive("A");
  printed.end("B", Kind::map);
  EXPECT_EQ(printed.fill(Kind::map), "B")
      << "A waits while a job that has waited longer still wants containers";
  FakeCluster never(setup, make("efh(oversize=wait, threshold=never)"));
  never.arrive("B");
  never.advance(ms(10'000'000));
  EXPECT_EQ(never.fill(Kind::map), "");
}

// r = 1/1 of A against 1/2 of B, though B came first: the GPU's container is B's best, and it is busy.
TEST(Efh, TheJobWithMostOfItsOptsetFreeGoesFirst) {
  FakeSetup setup = three_classes();
  setup.nodes = {{.map_slots = 2}, {.map_slots = 1, .node_class = 1}};
  setup.jobs = {{.id = "X", .maps = 1, .efficiency = {{1, 2}}},
                {.id = "B", .maps = 2, .efficiency = {{1, 2}}},
                {.id = "A", .maps = 2}};
  FakeCluster cluster(setup, make("efh"));
  cluster.arrive("X");
  EXPECT_EQ(cluster.fill(Kind::map), "X");
  cluster.arrive("B");
  cluster.arrive("A");
  EXPECT_EQ(cluster.fill(Kind::map), "A A");
}

TEST(Efh, SaysWhatItCannotRunOn) {
  const auto complaint = [](const std::string& spec, const PolicyContext& context = {}) -> std::string {
    try {
      (void)make(spec, context);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint("efh", {.containers = true}), testing::HasSubstr("gives out slots"));
  EXPECT_THAT(complaint("efh(adaptive=perhaps)"), testing::HasSubstr("yes"));
  EXPECT_THAT(complaint("efh(threshold=soon)"), testing::HasSubstr("soon"));
  EXPECT_EQ(complaint("efh(threshold=never, oversize=clamp)"), "");
}

}  // namespace
}  // namespace wavewright
