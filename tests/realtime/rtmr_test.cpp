// RTMR in the simulator: an accepted job is in time.
#include "wavewright/realtime/rtmr.h"

#include <sstream>

#include <fmt/format.h>

#include "tests/property.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/realtime/policies.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

const PolicyRegistry& policies() {
  static const PolicyRegistry registry(realtime_policies());
  return registry;
}

SimulationResult run(const Workload& workload, const std::string& policy, const Cluster& cluster) {
  Policy made = make_policy_on(policy, cluster, policies());
  return simulate_cluster(workload, made, {cluster});
}

Job a_job(const std::string& id, std::int64_t submit, std::int64_t deadline, std::vector<Duration> maps,
          std::vector<Duration> reduces = {}) {
  Job job;
  job.id = id;
  job.submit = at_ms(submit);
  job.deadline = at_ms(deadline);
  job.maps = std::move(maps);
  job.reduces = std::move(reduces);
  return job;
}

Cluster nodes(int count, int maps, int reduces, const std::string& mode = "") {
  return parse_cluster(fmt::format("{}[[nodes]]\ncount = {}\nmap_slots = {}\nreduce_slots = {}\n",
                                   mode.empty() ? "" : "[mode]\n" + mode, count, maps, reduces),
                       "cluster.toml");
}

TEST(Rtmr, RejectsWhatCannotBePromised) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 40, {ms(10), ms(20)}), a_job("B", 0, 50, {ms(5)}),
                   a_job("C", 1, 45, {ms(5)})};
  const SimulationResult result = run(workload, "rtmr", nodes(1, 1, 1));
  EXPECT_FALSE(result.jobs[0].rejected);
  EXPECT_EQ(result.jobs[0].finish, at_ms(30));
  EXPECT_FALSE(result.jobs[1].rejected);
  // Behind A, by its bound of 20 a map, C would end at 45; and then B at 50: both are in time.
  EXPECT_FALSE(result.jobs[2].rejected);
  workload.jobs[1].deadline = at_ms(49);
  const SimulationResult late = run(workload, "rtmr", nodes(1, 1, 1));
  ASSERT_TRUE(late.jobs[2].rejected);
  EXPECT_EQ(late.rejections.at(2).text,
            "Job 'B', which was accepted, might end late; a deadline of 50 ms or later would be accepted.");
}

TEST(Rtmr, ReducesOfLaterJobsLeaveSlotsForEarlierOnes) {
  Workload workload;
  // A's reduces come at 20. B has only reduces; one of the two slots is A's.
  workload.jobs = {a_job("A", 0, 30, {ms(20)}, {ms(10)}), a_job("B", 1, 100, {}, {ms(30), ms(30)})};
  const SimulationResult result = run(workload, "rtmr", nodes(1, 1, 2));
  EXPECT_EQ(result.jobs[0].finish, at_ms(30));
  EXPECT_EQ(result.jobs[1].finish, at_ms(60));
}

TEST(Rtmr, AnEndBeforeTheEstimateIsFedBack) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 200, {ms(10), ms(10), ms(10), ms(50)}), a_job("B", 90, 120, {ms(20)})};
  for (const auto& [policy, rejected] :
       {std::pair{"rtmr(feedback=none)", true}, {"rtmr", false}, {"rtmr(feedback=tasks)", false}}) {
    EXPECT_EQ(run(workload, policy, nodes(1, 1, 1)).jobs[1].rejected, rejected) << policy;
  }
}

TEST(Rtmr, JobsThatWaitForOthersAreRejected) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 1000, {ms(10)}), a_job("B", 0, 1000, {ms(10)})};
  workload.jobs[1].after = {"A"};
  EXPECT_TRUE(run(workload, "rtmr", nodes(1, 1, 1)).jobs[1].rejected);
}

TEST(Rtmr, ContainersAreRefused) {
  Cluster cluster = nodes(1, 1, 1);
  cluster.mode.kind = ClusterMode::Kind::containers;
  EXPECT_THROW((void)make_policy_on("rtmr", cluster, policies()), UsageError);
}

// ---- the promise

struct World {
  Workload workload;
  Cluster cluster;
};

// Clusters with and without heartbeats, with few or all starts a heartbeat, launches, setups and two classes.
World some_world() {
  World world;
  std::string mode;
  if (*rc::gen::arbitrary<bool>())
    mode = fmt::format("heartbeat_ms = {}\nmaps_per_heartbeat = {}\nreduces_per_heartbeat = {}\n",
                       *rc::gen::element(1, 3, 7, 20), *rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3));
  if (*rc::gen::inRange(0, 3) == 0) mode += fmt::format("launch_ms = {}\n", *rc::gen::inRange(0, 9));
  world.cluster = nodes(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 3), mode);
  if (*rc::gen::inRange(0, 3) == 0) {
    NodeGroup slow = world.cluster.nodes.front();
    slow.node_class = "slow";
    slow.speed = 0.5;
    slow.hosts.clear();
    world.cluster.nodes.push_back(slow);
  }
  if (*rc::gen::inRange(0, 4) == 0) {
    world.cluster.masters.start = ms(*rc::gen::inRange(0, 9));
    world.cluster.masters.finish = ms(*rc::gen::inRange(0, 9));
  }
  const int tightness = *rc::gen::element(60, 150, 400);
  const int pace = *rc::gen::element(1, 10, 40);
  std::int64_t at = 0;
  for (int i = *rc::gen::inRange(2, 14); i > 0; --i) {
    const auto lengths = [](int most) {
      std::vector<Duration> all;
      for (int k = *rc::gen::inRange(0, most); k > 0; --k) all.push_back(ms(*rc::gen::inRange(1, 30)));
      return all;
    };
    at += *rc::gen::inRange(0, pace);
    world.workload.jobs.push_back(
        a_job(fmt::format("J{}", i), at, at + *rc::gen::inRange(10, tightness), lengths(9), lengths(5)));
    if (*rc::gen::inRange(0, 6) == 0) world.workload.jobs.back().deadline.reset();
  }
  return world;
}

TEST(Rtmr, AcceptedJobsAreInTime) {
  int accepted = 0, rejected = 0, with_heartbeats = 0;
  holds_always(
      [&] {
        const World world = some_world();
        const std::string policy =
            fmt::format("rtmr(feedback={})", *rc::gen::element<std::string>("none", "jobs", "tasks"));
        RC_LOG() << policy << "\n" << to_toml(world.cluster);
        std::ostringstream jobs;
        write_workload(jobs, world.workload);
        RC_LOG() << jobs.str();
        const SimulationResult result = run(world.workload, policy, world.cluster);
        Policy again = make_policy_on(policy, world.cluster, policies());
        const SimulationResult slow = simulate_cluster_reference(world.workload, again, {world.cluster});
        for (std::size_t i = 0; i < result.jobs.size(); ++i) {
          const JobOutcome& job = result.jobs[i];
          RC_ASSERT(job.rejected == slow.jobs[i].rejected);
          RC_ASSERT(job.finish == slow.jobs[i].finish);
          ++(job.rejected ? rejected : accepted);
          if (job.rejected || !world.workload.jobs[i].deadline) continue;
          if (world.cluster.mode.heartbeat > Duration{}) ++with_heartbeats;
          RC_LOG() << "job " << i << " ends at " << to_ms(job.finish) << "\n";
          RC_ASSERT(job.finish <= *world.workload.jobs[i].deadline);
        }
      },
      2'000);
  EXPECT_GT(accepted, sized(2'000));
  EXPECT_GT(rejected, sized(2'000));
  EXPECT_GT(with_heartbeats, sized(400));
}

}  // namespace
}  // namespace wavewright
