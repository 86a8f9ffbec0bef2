// Busy clusters with containers, such as YARN runs to their end: no job of theirs is ever refused.
#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

template <class Value>
Value one_of(Random& random, std::vector<Value> values) {
  return values[random.below(values.size())];
}

// 480 GiB on 20 or 10 nodes, three queues; with some seeds 3 % of the attempts fail.
Cluster busy_cluster(Random& random) {
  const bool many = random.below(2) == 0;
  Cluster cluster = container_nodes(many ? 20 : 10, many ? 24 * 1024 : 48 * 1024);
  cluster.nodes[0].vcores = 32;
  cluster.mode.heartbeat = ms(one_of<int>(random, {1000, 3000}));
  cluster.mode.out_of_band = random.below(2) == 0;
  cluster.mode.launch = ms(1500);
  cluster.mode.slowstart = one_of<double>(random, {0.05, 0.5, 0.8});
  cluster.containers.master.memory = mib(one_of<Count>(random, {1536, 2048}));
  cluster.containers.map.memory = mib(one_of<Count>(random, {1024, 1536, 2048, 3072}));
  cluster.containers.reduce.memory = mib(one_of<Count>(random, {1024, 2048, 3072, 4096, 6144}));
  if (random.below(4) > 0) cluster.limits.min_memory = mib(one_of<Count>(random, {512, 1024}));
  cluster.masters = {.start = ms(3000), .finish = ms(500), .stop = ms(500), .heartbeat = ms(1000)};
  cluster.faults.task_failure = one_of<double>(random, {0.0, 0.03});
  cluster.queues = {{.name = "a", .weight = 2, .capacity = 20},
                    {.name = "b", .weight = 3, .capacity = 30},
                    {.name = "c", .weight = 5, .capacity = 50}};
  if (random.below(3) == 0) cluster.outages = {{"node2", at_ms(300'000), at_ms(900'000)}};
  return cluster;
}

Workload busy_workload(Random& random) {
  Workload workload;
  const double gap = one_of<double>(random, {1.0, 300.0, 1500.0, 4000.0});
  double submit = 0;
  for (int index = 0; index < 150; ++index) {
    submit += random.exponential(gap);
    Job job = job_of(("J" + std::to_string(index)).c_str(), {}, {}, static_cast<int>(submit));
    job.queue = one_of<std::string>(random, {"a", "b", "c"});
    job.user = one_of<std::string>(random, {"ann", "bob"});
    const auto maps = random.integer(1, 60);
    const auto reduces = one_of<std::int64_t>(random, {0, random.integer(1, 25), random.integer(1, 5)});
    for (std::int64_t map = 0; map < maps; ++map) job.maps.push_back(ms(random.integer(3000, 60'000)));
    for (std::int64_t reduce = 0; reduce < reduces; ++reduce)
      job.reduces.push_back(ms(random.integer(3000, 90'000)));
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

TEST(BusyClusters, AreSimulatedToTheirEnd) {
  const auto worlds = static_cast<std::uint64_t>(sized(120));
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    Random random(seed, "busy");
    const Cluster cluster = busy_cluster(random);
    const Workload workload = busy_workload(random);
    for (const char* name : {"fair", "capacity", "fair(within=fifo, preempt_share=60s)"}) {
      Policy policy = make_policy_on(name, cluster);
      try {
        const SimulationResult result =
            simulate_cluster(workload, policy, {.cluster = cluster, .seed = seed});
        for (const JobOutcome& job : result.jobs) EXPECT_FALSE(job.unfinished);
      } catch (const Infeasible& error) {
        ADD_FAILURE() << "world " << seed << " under " << name << ": " << error.what();
      }
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

}  // namespace
}  // namespace wavewright
