// Promises where a job's master takes time to start, and its tasks to be launched.
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/realtime/worlds.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

const std::vector<std::string> promising{"rtmr", "rtmr(feedback=tasks)",
                                         "rtmr(feedback=tasks, order=deadline)",
                                         "rtmr(feedback=tasks, order=any)", "constraint(check=interval)"};

// Setup, two waves of maps with their launches, a reduce, and the commit: 30 + 2 · (10 + 2) + (20 + 2) + 4.
TEST(Setup, IsCountedOnce) {
  Cluster cluster = nodes(1, 1, 1, "launch_ms = 2\n");
  cluster.masters.start = ms(30);
  cluster.masters.finish = ms(4);
  for (const std::string& policy : promising) {
    for (const int deadline : {105, 106, 135, 136}) {
      Workload workload;
      workload.jobs = {a_job("A", 26, deadline, {ms(10), ms(10)}, {ms(20)})};
      const SimulationResult result = run(workload, policy, cluster);
      EXPECT_EQ(result.jobs[0].rejected, deadline == 105) << policy << ", " << deadline;
      if (deadline == 105 || policy.starts_with("constraint")) continue;  // whose reduces wait
      EXPECT_EQ(result.jobs[0].finish, at_ms(106)) << policy;
    }
  }
}

// Were A asked about at its submission, at 5, its place would be before B: B's map starts at 10, and ends
// only at 60.
TEST(Setup, AJobBehindMayTakeTheSlotMeanwhile) {
  Cluster cluster = nodes(1, 1, 1);
  cluster.masters.start = ms(10);
  Workload workload;
  workload.jobs = {a_job("B", 0, 1'000, {ms(50)}), a_job("A", 5, 69, {ms(10)})};
  for (const std::string& policy : promising) {
    if (policy.starts_with("constraint")) continue;
    workload.jobs[1].deadline = at_ms(69);
    EXPECT_TRUE(run(workload, policy, cluster).jobs[1].rejected) << policy;
    workload.jobs[1].deadline = at_ms(70);
    EXPECT_EQ(run(workload, policy, cluster).jobs[1].finish, at_ms(70)) << policy;
  }
}

TEST(Setup, AcceptedJobsAreInTimeWithSlowMasters) {
  int accepted = 0, rejected = 0, with_heartbeats = 0, with_launches = 0;
  holds_always(
      [&] {
        World world = some_world();
        world.cluster.masters.start = ms(*rc::gen::inRange(1, 60));
        world.cluster.masters.finish = ms(*rc::gen::inRange(0, 20));
        if (*rc::gen::arbitrary<bool>()) world.cluster.mode.launch = ms(*rc::gen::inRange(1, 15));
        for (Job& job : world.workload.jobs) {
          if (job.deadline) *job.deadline += world.cluster.masters.start;
        }
        const std::string policy = *rc::gen::elementOf(promising);
        RC_LOG() << policy << "\n" << to_toml(world.cluster);
        std::ostringstream jobs;
        write_workload(jobs, world.workload);
        RC_LOG() << jobs.str();
        const SimulationResult result = run_both(world.workload, policy, cluster_for(policy, world.cluster));
        for (std::size_t i = 0; i < result.jobs.size(); ++i) {
          const JobOutcome& job = result.jobs[i];
          ++(job.rejected ? rejected : accepted);
          if (job.rejected || !world.workload.jobs[i].deadline) continue;
          if (world.cluster.mode.heartbeat > Duration{}) ++with_heartbeats;
          if (world.cluster.mode.launch > Duration{}) ++with_launches;
          RC_ASSERT(job.finish <= *world.workload.jobs[i].deadline);
        }
      },
      2'000);
  EXPECT_GT(accepted, rare(2'000));
  EXPECT_GT(rejected, rare(2'000));
  EXPECT_GT(with_heartbeats, rare(400));
  EXPECT_GT(with_launches, rare(400));
}

}  // namespace
}  // namespace wavewright
