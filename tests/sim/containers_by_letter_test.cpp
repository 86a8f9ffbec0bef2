// The engines of containers, held against the rules as they are written, in random worlds of one queue.
#include "tests/sim/containers_by_letter.h"

#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sim/yarn_worlds.h"

namespace wavewright {
namespace {

// A small busy cluster with only those features that the model by the letter has.
yarn::World letter_world(std::uint64_t seed) {
  yarn::World world = yarn::tight_world(seed, 3);
  Random random(seed, "letter");
  Cluster& cluster = world.cluster;
  cluster.mode.slowstart = 1;
  cluster.mode.launch += ms(1);  // no master comes up, or ends, at the instant that decides on it
  cluster.masters.stop += ms(1);
  cluster.faults = {};
  cluster.outages.clear();
  cluster.queues.clear();
  cluster.reads = {};
  for (NodeGroup& group : cluster.nodes) group.speed = yarn::one_of<double>(random, {1, 1, 2, 0.5});
  for (Job& job : world.workload.jobs) job.queue.clear();
  return world;
}

std::vector<GivenContainer> containers_of(const SimulationResult& result) {
  std::vector<GivenContainer> all;
  for (const TaskRecord& task : result.trace)
    all.push_back({task.job, task.kind, task.task, task.node, to_ms(task.start), to_ms(task.end)});
  return all;
}

std::vector<GivenContainer> sorted(std::vector<GivenContainer> all) {
  std::sort(all.begin(), all.end());
  return all;
}

void expect_letter(std::uint64_t seed, const std::string& name) {
  const yarn::World world = letter_world(seed);
  Policy policy = make_policy_on(name, world.cluster);
  const SimulationResult result =
      simulate_cluster(world.workload, policy, {.cluster = world.cluster, .seed = seed, .trace = true});
  const LetterRun letter = containers_by_letter(world.workload, world.cluster, name != "fifo",
                                                to_ms(Time{} + result.makespan) + 10'000);
  ASSERT_EQ(sorted(containers_of(result)), sorted(letter.containers))
      << "world " << seed << " under " << name;
  for (std::size_t job = 0; job < result.jobs.size(); ++job)
    EXPECT_EQ(to_ms(result.jobs[job].finish), letter.finish[job]) << "world " << seed << " under " << name;
}

TEST(ContainersByLetter, UnderFifo) {
  for (int world = 0; world < sized(400); ++world)
    expect_letter(yarn::first_world() + static_cast<std::uint64_t>(world), "fifo");
}
TEST(ContainersByLetter, UnderFair) {
  for (int world = 0; world < sized(400); ++world)
    expect_letter(yarn::first_world() + static_cast<std::uint64_t>(world), "fair(masters=any)");
}

}  // namespace
}  // namespace wavewright
