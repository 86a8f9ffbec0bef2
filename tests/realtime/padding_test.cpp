// Padding of estimates where nodes report at heartbeats. Without it accepted jobs are late. With the padding
// of cluster/assignment_delays.h, or with two heartbeats a task, none is. With less some are.
//
// Times are whole ms, so a heartbeat of H ms is waited for H − 1 ms at most. So much is enough, and the
// worlds by hand break promises with 1 ms less. They are the smallest: H is 2 ms, and tasks take 1 ms.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/realtime/worlds.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

// As run(), with this padding instead of the cluster's own.
SimulationResult run_padded(const AssignmentDelays& padding, const Workload& workload, const Cluster& cluster,
                            const std::string& policy = "rtmr") {
  Policy made = make_policy(policy, {.delays = padding, .off_rack = 1}, policies());
  return simulate_cluster(workload, made, {cluster});
}

JobOutcome outcome_of(const AssignmentDelays& padding, const Cluster& cluster, Job job,
                      std::int64_t deadline) {
  Workload workload;
  job.deadline = at_ms(deadline);
  workload.jobs = {std::move(job)};
  return run_padded(padding, workload, cluster).jobs[0];
}

// The earliest deadline that is accepted is `promised`, and the job ends at `finish`.
void expect_end(const AssignmentDelays& padding, const Cluster& cluster, const Job& job,
                std::int64_t promised, std::int64_t finish) {
  EXPECT_TRUE(outcome_of(padding, cluster, job, promised - 1).rejected);
  const JobOutcome outcome = outcome_of(padding, cluster, job, promised);
  EXPECT_FALSE(outcome.rejected);
  EXPECT_EQ(outcome.finish, at_ms(finish));
}

// One node, which reports at 0, 2, 4 …. The first map ends at 1, which is known at 2; the second at 3, known
// at 4.
TEST(Padding, OfEachTaskIsAHeartbeat) {
  const Cluster cluster = nodes(1, 1, 1, "heartbeat_ms = 2\n");
  const Job job = a_job("A", 0, 0, {ms(1), ms(1)});
  expect_end({.first = ms(1)}, cluster, job, 3, 4);  // late
  expect_end({.first = ms(1), .map = ms(1)}, cluster, job, 5, 4);
  expect_end(assignment_delays(cluster), cluster, job, 8, 4);
}

// The job comes at 1, starts at 2 and ends at 3, which is known at 4.
TEST(Padding, OfTheFirstTaskIsOneMore) {
  const Cluster cluster = nodes(1, 1, 1, "heartbeat_ms = 2\n");
  const Job job = a_job("A", 1, 1, {ms(1)});
  expect_end({.map = ms(1)}, cluster, job, 3, 4);  // late
  expect_end({.first = ms(1), .map = ms(1)}, cluster, job, 4, 4);
  // Two heartbeats a task are the same for one task.
  expect_end({.map = ms(2)}, cluster, job, 4, 4);
  expect_end(assignment_delays(cluster), cluster, job, 6, 4);
}

// A node of maps, which reports at 0, 2, 4 …, and one of reduces, at 1, 3, 5 …. The map's end is known at 2.
// So reduces run from 3 to 4 and from 5 to 6, which is known at 7.
TEST(Padding, OfReducesCountsTheirEndsToo) {
  Cluster cluster = nodes(1, 1, 0, "heartbeat_ms = 2\n");
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().hosts.clear();
  cluster.nodes.back().slots = {0, 1};
  const Job one = a_job("A", 0, 0, {ms(1)}, {ms(1)}), two = a_job("A", 0, 0, {ms(1)}, {ms(1), ms(1)});
  expect_end({.map = ms(1), .reduce = ms(1)}, cluster, one, 4, 5);  // late: the wait for the node
  expect_end({.first = ms(1), .map = ms(1), .reduce = ms(1)}, cluster, one, 5, 5);
  expect_end({.first = ms(1), .map = ms(1)}, cluster, two, 5, 7);  // late: the ends of reduces
  expect_end({.first = ms(1), .map = ms(1), .reduce = ms(1)}, cluster, two, 7, 7);
  expect_end({.first = ms(1), .map = ms(1), .reduce = ms(2)}, cluster, two, 9, 7);
  expect_end(assignment_delays(cluster), cluster, two, 15, 7);
}

// The first node reports at 0, 2, 4 …, the other at 1, 3, 5 …. From 0 to 1 the first runs L's reduce and J's
// map, and the other's slot is kept for J's reduce. K comes at 1 and is placed behind L. But both ends are
// told at 2. So J's reduce takes L's slot, and K waits until the other node reports at 3. It ends at 4, known
// at 5.
TEST(Padding, OfAReduceIsOneMoreAsAnotherThatBecameReadyMayTakeItsSlot) {
  const Cluster cluster = nodes(2, 1, 1, "heartbeat_ms = 2\n");
  const auto expect_last = [&](const AssignmentDelays& padding, std::int64_t promised) {
    const auto last = [&](std::int64_t deadline) {
      Workload workload;
      workload.jobs = {a_job("L", 0, 100, {}, {ms(1)}), a_job("J", 0, 100, {ms(1)}, {ms(1)}),
                       a_job("K", 1, deadline, {}, {ms(1)})};
      return run_padded(padding, workload, cluster, "rtmr(feedback=tasks)").jobs[2];
    };
    EXPECT_TRUE(last(promised - 1).rejected) << promised;
    EXPECT_FALSE(last(promised).rejected) << promised;
    EXPECT_EQ(last(promised).finish, at_ms(5)) << promised;
  };
  expect_last({.first = ms(1), .map = ms(1), .reduce = ms(1)}, 4);  // late
  expect_last({.first = ms(1), .map = ms(1), .reduce = ms(2)}, 6);
  expect_last(assignment_delays(cluster), 10);
}

// Two slots, one of which gets a map a heartbeat: maps start at 0, 2, 4 and 6, though both slots seem to be
// there for two maps each. So a task's slot is taken for two heartbeats.
TEST(Padding, IsAHeartbeatMoreForEachTurnOfTheNodesOtherSlots) {
  const Cluster cluster = nodes(1, 2, 1, "heartbeat_ms = 2\nmaps_per_heartbeat = 1\n");
  const Job job = a_job("A", 0, 0, {ms(1), ms(1), ms(1), ms(1)});
  expect_end({.first = ms(1), .map = ms(2)}, cluster, job, 7, 8);  // late
  expect_end({.first = ms(1), .map = ms(3)}, cluster, job, 9, 8);
  expect_end(assignment_delays(cluster), cluster, job, 12, 8);
}

// ---- random worlds of nodes with a slot of each kind

Workload some_jobs(Random& random) {
  Workload workload;
  std::int64_t at = 0;
  const std::int64_t pace = random.integer(2, 30), room = random.integer(20, 200);
  for (std::int64_t i = random.integer(3, 15); i > 0; --i) {
    at += random.integer(0, pace);
    const auto lengths = [&](std::int64_t count) {
      return std::vector<Duration>(static_cast<std::size_t>(count), ms(random.integer(1, 30)));
    };
    const std::vector<Duration> maps = lengths(random.integer(1, 5)), reduces = lengths(random.integer(0, 3));
    workload.jobs.push_back(a_job(fmt::format("J{}", i), at, at + random.integer(10, room), maps, reduces));
  }
  return workload;
}

struct Seen {
  int accepted = 0, late = 0;

  void add(const Workload& workload, const SimulationResult& result) {
    for (std::size_t i = 0; i < result.jobs.size(); ++i) {
      if (result.jobs[i].rejected) continue;
      ++accepted;
      late += result.jobs[i].finish > *workload.jobs[i].deadline ? 1 : 0;
    }
  }
};

TEST(Padding, KeepsEachPromiseInRandomWorldsAndWithoutItManyAreBroken) {
  Seen none, own, least, each_task;
  for (int seed = 0; seed < sized(1'000); ++seed) {
    Random random(1, "padding", static_cast<std::uint64_t>(seed));
    const std::int64_t heartbeat = random.integer(2, 20);
    const Cluster cluster =
        nodes(static_cast<int>(random.integer(1, 3)), 1, 1, fmt::format("heartbeat_ms = {}\n", heartbeat));
    const Workload workload = some_jobs(random);
    const std::string policy = seed % 2 == 0 ? "rtmr" : "rtmr(feedback=none)";
    const Duration most = ms(heartbeat - 1);
    const auto add = [&](Seen& seen, const AssignmentDelays& padding) {
      seen.add(workload, run_padded(padding, workload, cluster, policy));
    };
    add(none, {});
    add(own, assignment_delays(cluster));
    add(least, {.first = most, .map = most, .reduce = 2 * most});
    add(each_task, {.map = 2 * most, .reduce = 2 * most});
    ASSERT_EQ(own.late + least.late + each_task.late, 0) << "seed " << seed;
  }
  EXPECT_GT(none.late, rare(200));
  EXPECT_GT(own.accepted, rare(300));
  EXPECT_LT(own.accepted, least.accepted) << "what 1 ms of each heartbeat costs";
  EXPECT_LT(least.accepted, none.accepted);
}

}  // namespace
}  // namespace wavewright
