// Promises where maps far from their blocks take longer.
#include "wavewright/realtime/block_reads.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "tests/realtime/worlds.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

// Each map's block is on the hosts that are named.
Job with_blocks(Job job, const std::vector<std::vector<std::string>>& hosts) {
  job.splits = hosts;
  return job;
}

Cluster far_twice_as_long(int count, int maps) {
  Cluster cluster = nodes(count, maps, 1);
  cluster.reads = {Reads::Kind::slowdown, 2, 2};
  return cluster;
}

// Both maps may run on the node without blocks.
TEST(BlockReads, AMapMayBeFarFromItsBlock) {
  Workload workload;
  workload.jobs = {with_blocks(a_job("A", 0, 19, {ms(10), ms(10)}), {{"node1"}, {"node1"}})};
  const Cluster cluster = far_twice_as_long(2, 1);
  EXPECT_TRUE(run(workload, "rtmr", cluster).jobs[0].rejected);
  EXPECT_TRUE(run(workload, "constraint(check=interval)", cluster).jobs[0].rejected);
  const SimulationResult late = run(workload, "rtmr(reads=near)", cluster);
  EXPECT_FALSE(late.jobs[0].rejected);
  EXPECT_EQ(late.jobs[0].finish, at_ms(20)) << "no promise";
  workload.jobs[0].deadline = at_ms(20);
  EXPECT_EQ(run(workload, "rtmr", cluster).jobs[0].finish, at_ms(20));
  EXPECT_FALSE(run(workload, "constraint(check=interval)", cluster).jobs[0].rejected);
}

// Each node has two of the four blocks, so the first two maps that start are near.
TEST(BlockReads, BlocksTellHowManyAreSurelyNear) {
  Workload workload;
  workload.jobs = {with_blocks(a_job("A", 0, 29, {ms(10), ms(10), ms(10), ms(10)}),
                               {{"node1"}, {"node2"}, {"node1"}, {"node2"}})};
  const Cluster cluster = far_twice_as_long(2, 1);
  EXPECT_TRUE(run(workload, "rtmr(reads=far)", cluster).jobs[0].rejected) << "40";
  EXPECT_TRUE(run(workload, "rtmr(reads=blocks)", cluster).jobs[0].rejected) << "30";
  workload.jobs[0].deadline = at_ms(30);
  EXPECT_TRUE(run(workload, "rtmr(reads=far)", cluster).jobs[0].rejected);
  for (const std::string policy : {"rtmr(reads=blocks)", "rtmr(reads=blocks, feedback=tasks)"})
    EXPECT_EQ(run(workload, policy, cluster).jobs[0].finish, at_ms(20)) << policy;
  workload.jobs[0].splits[1] = {"node1"};
  EXPECT_TRUE(run(workload, "rtmr(reads=blocks)", cluster).jobs[0].rejected) << "node2 has one: 30 + 10";
}

TEST(BlockReads, PlacesThatAreNotKnownAreNoFarther) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 10, {ms(10)})};
  EXPECT_FALSE(run(workload, "rtmr(reads=blocks)", nodes(2, 1, 1)).jobs[0].rejected);
  EXPECT_FALSE(run(workload, "rtmr", nodes(2, 1, 1)).jobs[0].rejected);
}

// The first of four maps runs since 2. Three wait on two slots; then one slot more is there.
TEST(BlockReads, NearMapsCountUntilNodesCome) {
  AdmissionController controller({2, 1}, {.feedback = Feedback::tasks});
  RealtimeJob job{.job = 0, .deadline = at_ms(90), .maps = 4, .map = ms(20)};
  job.near_maps = 3;
  job.near_map = ms(10);
  ASSERT_TRUE(controller.admit(job, at_ms(0)).accepted);
  EXPECT_EQ(controller.estimate(0), at_ms(10 + 20)) << "two near, one near and one far";
  controller.started(0, at_ms(2));
  const std::vector<Time> near{at_ms(2)};
  const auto left = [&](JobIndex) { return TasksLeft{3, 0, {}, {}, {}, 2, near}; };
  controller.replan({2, 1}, left, at_ms(4));
  EXPECT_EQ(controller.estimate(0), at_ms(34)) << "until 12, near to 14 and 22, far from 14";
  const auto far = [&](JobIndex) { return TasksLeft{3, 0, {}, {}, {}, 0, near}; };
  ASSERT_TRUE(
      controller
          .admit(
              {.job = 1, .deadline = at_ms(99), .maps = 1, .map = ms(20), .near_maps = 1, .near_map = ms(10)},
              at_ms(4))
          .accepted);
  EXPECT_EQ(controller.estimate(1), at_ms(22 + 10));
  controller.forget_near();
  controller.replan({3, 1}, far, at_ms(5));
  EXPECT_EQ(controller.estimate(0), at_ms(12 + 20)) << "from 5, 5 and 12";
  EXPECT_EQ(controller.estimate(1), at_ms(25 + 20));
}

TEST(BlockReads, AcceptedJobsAreInTimeWhereverTheirMapsRun) {
  int far = 0, blocks = 0, late_if_near = 0, with_heartbeats = 0;
  holds_always(
      [&] {
        World world = some_world_with_blocks();
        for (NodeGroup& group : world.cluster.nodes) group.rack = *rc::gen::element<std::string>("/a", "/b");
        const std::string options =
            *rc::gen::element<std::string>("feedback=none", "feedback=jobs", "feedback=tasks",
                                           "feedback=tasks, order=deadline", "feedback=tasks, order=any");
        RC_LOG() << options << "\n" << to_toml(world.cluster);
        std::ostringstream jobs;
        write_workload(jobs, world.workload);
        RC_LOG() << jobs.str();
        for (const std::string& policy :
             {fmt::format("rtmr({}, reads=far)", options), fmt::format("rtmr({}, reads=blocks)", options),
              std::string("constraint(check=interval)"), fmt::format("rtmr({}, reads=near)", options)}) {
          const bool promises = policy.find("near") == std::string::npos;
          const Cluster cluster = cluster_for(policy, world.cluster);
          const SimulationResult result =
              promises ? run_both(world.workload, policy, cluster) : run(world.workload, policy, cluster);
          for (std::size_t i = 0; i < result.jobs.size(); ++i) {
            const JobOutcome& job = result.jobs[i];
            if (job.rejected || !world.workload.jobs[i].deadline) continue;
            const bool in_time = job.finish <= *world.workload.jobs[i].deadline;
            late_if_near += !promises && !in_time ? 1 : 0;
            if (!promises) continue;
            far += policy.find("far") == std::string::npos ? 0 : 1;
            blocks += policy.find("blocks") == std::string::npos ? 0 : 1;
            with_heartbeats += world.cluster.mode.heartbeat > Duration{} ? 1 : 0;
            RC_LOG() << policy << ": job " << i << " ends at " << to_ms(job.finish) << "\n";
            RC_ASSERT(in_time);
          }
        }
      },
      1'500);
  EXPECT_GT(far, rare(1'000));
  EXPECT_GT(blocks, far) << "blocks let more in";
  EXPECT_GT(late_if_near, rare(8)) << "else nothing is tried";
  EXPECT_GT(with_heartbeats, rare(500));
}

}  // namespace
}  // namespace wavewright
