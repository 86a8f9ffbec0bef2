// Clusters with containers, such as YARN runs to their end: none is ever refused, and the records of each run
// obey the laws of containers. One that truly cannot go on says who holds what.
#include <gmock/gmock.h>

#include <atomic>

#include "tests/property.h"
#include "tests/sim/container_laws.h"
#include "tests/sim/yarn_worlds.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using yarn::World;

std::vector<std::string> policies(const Cluster& cluster) {
  std::vector<std::string> names = {"fifo",
                                    "fair",
                                    "capacity",
                                    "fair(within=fifo, preempt_share=60s)",
                                    "fair(preempt=5s, preempt_share=20s)",
                                    "capacity(preempt=3s)"};
  if (yarn::has_places(cluster)) {
    names.emplace_back("fair+delay(3s, rack=2s)");
    names.emplace_back("fifo+matchmaking");
    names.emplace_back("capacity(node_locality_delay=20, rack_locality_additional_delay=10)");
  }
  return names;
}

// Stops a run of too many attempts.
class Patience final : public TaskSink {
 public:
  void begin(const std::vector<std::string>&) override {}
  void add(const TaskRecord&) override {
    constexpr int most = 50'000;
    if (++attempts_ > most) over = true;
  }
  std::atomic<bool> over = false;

 private:
  int attempts_ = 0;
};

// With few containers two queues under Capacity may kill each other's maps for ever, in YARN as well.
bool preempt_each_other(const std::string& name, const Infeasible& error) {
  return name.starts_with("capacity(preempt") &&
         (std::string(error.what()).find("its reduces were stopped") != std::string::npos ||
          std::string(error.what()).find("kills attempts") != std::string::npos);
}

void expect_lawful(const World& world, const std::string& name) {
  Policy policy = make_policy_on(name, world.cluster);
  Patience patience;
  try {
    const SimulationResult result = simulate_cluster(world.workload, policy,
                                                     {.cluster = world.cluster,
                                                      .seed = world.seed,
                                                      .trace = true,
                                                      .sink = &patience,
                                                      .stop = &patience.over});
    if (patience.over && name.starts_with("capacity(preempt")) return;
    const std::vector<std::string> broken = broken_laws(world.workload, world.cluster, result);
    EXPECT_TRUE(broken.empty()) << "world " << world.seed << " under " << name << ": " << broken.size()
                                << " laws are broken; " << broken.front();
  } catch (const Infeasible& error) {
    if (preempt_each_other(name, error)) return;
    ADD_FAILURE() << "world " << world.seed << " under " << name << ": " << error.what();
  }
}

TEST(BusyClusters, AreSimulatedToTheirEndByTheLaws) {
  const auto worlds = static_cast<std::uint64_t>(sized(120));
  for (std::uint64_t seed = yarn::first_world(); seed < yarn::first_world() + worlds; ++seed) {
    const World world = yarn::busy_world(seed);
    const std::vector<std::string> names = policies(world.cluster);
    expect_lawful(world, names[seed % names.size()]);
  }
}

// A cluster of few containers, in seconds: masters fill most of it, reduces are stopped for maps.
TEST(TightClusters, AreSimulatedToTheirEndByTheLaws) {
  const auto worlds = static_cast<std::uint64_t>(sized(1000));
  for (std::uint64_t seed = yarn::first_world(); seed < yarn::first_world() + worlds; ++seed) {
    const World world = yarn::tight_world(seed, 1000);
    for (const std::string& name : policies(world.cluster)) expect_lawful(world, name);
  }
}

// The same in milliseconds, where instants often coincide.
TEST(TightClusters, AreTheSameOnBothEngines) {
  const auto worlds = static_cast<std::uint64_t>(sized(300));
  for (std::uint64_t seed = yarn::first_world(); seed < yarn::first_world() + worlds; ++seed) {
    const World world = yarn::tight_world(seed, 1);
    for (const std::string& name : policies(world.cluster)) {
      const auto run = [&](auto simulate) {
        Policy policy = make_policy_on(name, world.cluster);
        try {
          return simulate(world.workload, policy, {.cluster = world.cluster, .seed = seed, .trace = true});
        } catch (const Infeasible& error) {
          EXPECT_TRUE(preempt_each_other(name, error)) << "world " << seed << " under " << name;
          return SimulationResult{};
        }
      };
      const SimulationResult fast = run(simulate_cluster), reference = run(simulate_cluster_reference);
      EXPECT_EQ(fast.trace, reference.trace) << "world " << seed << " under " << name;
      EXPECT_EQ(fast.jobs, reference.jobs) << "world " << seed << " under " << name;
      if (fast.jobs.empty()) continue;
      EXPECT_EQ(broken_laws(world.workload, world.cluster, fast), std::vector<std::string>{})
          << "world " << seed << " under " << name;
    }
  }
}

// Two masters fill the only node. What had happened by then is kept, with who holds what.
TEST(BusyClusters, ThatCannotGoOnGiveWhatHadHappened) {
  const Workload workload{{job_of("A", {10}, {}), job_of("B", {10}, {})}};
  const Cluster cluster = container_nodes(1, 2048);
  Policy policy = make_policy("fifo");
  const SimulationResult result =
      simulate_cluster(workload, policy, {.cluster = cluster, .trace = true, .keep_stuck = true});
  ASSERT_TRUE(result.stuck);
  EXPECT_THAT(
      result.stuck->what,
      testing::HasSubstr("2 application masters hold memory and none of them gets a task's container; "
                         "'A' holds its master (1024 MiB), 'B' holds its master (1024 MiB)"));
  EXPECT_TRUE(result.stopped);
  EXPECT_TRUE(result.jobs[0].unfinished);
  ASSERT_EQ(result.trace.size(), 2U);
  EXPECT_EQ(result.trace[0].outcome, AttemptOutcome::running);
  try {
    Policy again = make_policy("fifo");
    (void)simulate_cluster(workload, again, {.cluster = cluster});
    FAIL() << "nothing was thrown";
  } catch (const Infeasible& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'B' holds its master (1024 MiB)"));
  }
}

// The policy looks on for a million rounds, which are no part of the run.
TEST(BusyClusters, ThatCannotGoOnEndWhenTheLastThingHappened) {
  const Workload workload{{job_of("A", {1000}, {}), job_of("B", {1000}, {})}};
  Cluster cluster = container_nodes(1, 1024);
  for (const std::string name : {"fifo", "fair(preempt=5s)", "capacity(preempt=3s)"}) {
    if (under_sanitizers && name.starts_with("capacity")) continue;  // a million rounds take seconds
    Policy policy = make_policy_on(name, cluster);
    const SimulationResult result =
        simulate_cluster(workload, policy, {.cluster = cluster, .trace = true, .keep_stuck = true});
    ASSERT_TRUE(result.stuck) << name;
    EXPECT_LT(result.makespan, ms(60'000)) << name;
    EXPECT_LE(result.memory_utilisation(cluster.total_memory()), 1) << name;
  }
  // Both masters hold the memory from the first heartbeat on. A million heartbeats pass.
  cluster = container_nodes(1, 2048);
  cluster.mode.heartbeat = ms(1000);
  for (const std::string name : {"fifo", "fair"}) {
    Policy policy = make_policy(name);
    const SimulationResult result =
        simulate_cluster(workload, policy, {.cluster = cluster, .trace = true, .keep_stuck = true});
    ASSERT_TRUE(result.stuck) << name;
    EXPECT_LT(result.makespan, ms(60'000));
    EXPECT_LE(result.memory_utilisation(cluster.total_memory()), 1) << name;
    ASSERT_EQ(result.trace.size(), 2U);
    for (const TaskRecord& master : result.trace) EXPECT_LE(master.start, master.end) << name;
  }
}

}  // namespace
}  // namespace wavewright
