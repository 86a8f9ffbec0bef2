// What waits for a slot or a container, and how long.
#include "wavewright/sim/metrics/waiting.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

using Waits = std::vector<std::tuple<JobIndex, Kind, std::int64_t, std::int64_t>>;

Waits waits_of(const Workload& workload, const Cluster& cluster) {
  Policy policy = make_policy("fifo");
  const SimulationResult result = simulate_cluster(workload, policy, {cluster, 1, true});
  Waits waits;
  for (const TaskWait& wait : task_waits(result, workload, cluster))
    waits.emplace_back(wait.job, wait.kind, to_ms(wait.from), to_ms(wait.to));
  return waits;
}

TEST(Waiting, IsFromWhenATaskCouldStart) {
  const Workload workload{{job_of("A", {100, 100}, {50, 50}), job_of("B", {10}, {}, 20)}};
  // A's second map for its first; both reduces could start at 200, the second has no slot until 250.
  const Waits expected = {{0, Kind::map, 0, 100}, {0, Kind::reduce, 200, 250}, {1, Kind::map, 20, 200}};
  EXPECT_EQ(waits_of(workload, flat_cluster({1, 1})), expected);
}

TEST(Waiting, OfReducesBeginsAtSlowStart) {
  Cluster cluster = flat_cluster({1, 1});
  cluster.mode.slowstart = 0.5;
  const Waits expected = {{0, Kind::map, 0, 100},
                          {0, Kind::reduce, 100, 250}};  // the other started there and waited for the maps
  EXPECT_EQ(waits_of({{job_of("A", {100, 100}, {50, 50})}}, cluster), expected);
}

TEST(Waiting, DoesNotCountJobsBeforeItAndItsSetup) {
  Cluster cluster = flat_cluster({1, 1});
  cluster.masters.start = ms(5);
  Workload workload{{job_of("A", {100}, {}), job_of("B", {10, 10}, {})}};
  workload.jobs[1].after = {"A"};
  const Waits expected = {{1, Kind::map, 110, 120}};
  EXPECT_EQ(waits_of(workload, cluster), expected);
}

TEST(Waiting, OfAnAttemptAfterAnotherBeginsAtThatOnesEnd) {
  Cluster cluster;
  cluster.nodes.resize(2);
  for (NodeGroup& group : cluster.nodes) group.slots = {1, 1};
  cluster.outages = {{"node2", at_ms(40), {}}};
  // B's map is lost at 40 and waits until A's is done.
  const Waits expected = {{1, Kind::map, 40, 100}};
  EXPECT_EQ(waits_of({{job_of("A", {100}, {}), job_of("B", {60}, {})}}, cluster), expected);
}

TEST(Waiting, LiesWithinTheJobAndEndsWhereAnAttemptStarts) {
  holds_always([] {
    const Workload workload = worlds::some_dependent_workload();
    Cluster cluster = worlds::some_faulty_cluster();
    if (*rc::gen::arbitrary<bool>()) worlds::give_out_containers(cluster);
    Policy policy = make_policy(*rc::gen::element<std::string>("fifo", "fair"));
    const SimulationResult result =
        worlds::unless_stuck([&] { return simulate_cluster(workload, policy, {cluster, 1, true}); });
    std::map<std::tuple<JobIndex, Kind, Time>, int> starts;
    for (const TaskRecord& task : result.trace) ++starts[{task.job, task.kind, task.start}];
    for (const TaskWait& wait : task_waits(result, workload, cluster)) {
      RC_ASSERT(wait.from < wait.to);
      RC_ASSERT(wait.from >= result.jobs[wait.job].submit);
      RC_ASSERT(wait.to <= result.jobs[wait.job].finish);
      const bool given_up = result.jobs[wait.job].failed && wait.to == result.jobs[wait.job].finish;
      int& left = starts[std::tuple(wait.job, wait.kind, wait.to)];
      RC_ASSERT(given_up || --left >= 0);
    }
  });
}

TEST(Waiting, IsOnlyWhileNoSlotIsFree) {
  holds_always([] {
    const Workload workload = worlds::some_workload();
    const Cluster cluster = flat_cluster({*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5)});
    Policy policy = make_policy("fifo");
    const SimulationResult result = simulate_cluster(workload, policy, {cluster, 1, true});
    for (const TaskWait& wait : task_waits(result, workload, cluster)) {
      const Time last = wait.to - ms(1);
      const Count taken =
          std::count_if(result.trace.begin(), result.trace.end(), [&](const TaskRecord& task) {
            return task.kind == wait.kind && task.start <= last && last < task.end;
          });
      const SlotPool slots = cluster.total_slots();
      RC_ASSERT(taken == (wait.kind == Kind::map ? slots.map_slots : slots.reduce_slots));
    }
  });
}

}  // namespace
}  // namespace wavewright
