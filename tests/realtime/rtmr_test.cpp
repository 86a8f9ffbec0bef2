// RTMR in the simulator: an accepted job is in time.
#include "wavewright/realtime/rtmr.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "tests/realtime/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

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
            "Job 'B', which was accepted, might end late; a deadline_ms of 50 (50ms) would be accepted.");
  const SimulationResult without = run(workload, "rtmr(offer=no)", nodes(1, 1, 1));
  ASSERT_TRUE(without.jobs[2].rejected);
  EXPECT_EQ(without.rejections.at(2).text, "Job 'B', which was accepted, might end late.");
}

TEST(Rtmr, ReducesOfLaterJobsLeaveSlotsForEarlierOnes) {
  Workload workload;
  // A's reduces come at 20. B has only reduces; one of the two slots is A's.
  workload.jobs = {a_job("A", 0, 30, {ms(20)}, {ms(10)}), a_job("B", 1, 100, {}, {ms(30), ms(30)})};
  const SimulationResult result = run(workload, "rtmr", nodes(1, 1, 2));
  EXPECT_EQ(result.jobs[0].finish, at_ms(30));
  EXPECT_EQ(result.jobs[1].finish, at_ms(60));
}

TEST(Rtmr, AStartedJobGivesWayWhereItIsAskedTo) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 60, {ms(10), ms(10), ms(10), ms(10)}), a_job("B", 5, 25, {ms(10)})};
  EXPECT_TRUE(run(workload, "rtmr(feedback=tasks)", nodes(1, 1, 1)).jobs[1].rejected);
  for (const std::string order : {"deadline", "any"}) {
    const std::string policy = fmt::format("rtmr(feedback=tasks, order={})", order);
    const SimulationResult result = run(workload, policy, nodes(1, 1, 1));
    EXPECT_EQ(result.jobs[1].finish, at_ms(20));
    EXPECT_EQ(result.jobs[0].finish, at_ms(50));
    Workload tight = workload;
    tight.jobs[0].deadline = at_ms(49);
    const SimulationResult refused = run(tight, policy, nodes(1, 1, 1));
    ASSERT_TRUE(refused.jobs[1].rejected) << "A would be late";
    EXPECT_EQ(refused.rejections.at(1).text,
              "Job 'A', which was accepted, might end late; a deadline_ms of 50 (50ms) would be "
              "accepted.");
  }
}

// Before A, which has a long reduce, B makes it late; behind A it is in time itself.
TEST(Rtmr, AnyPlaceIsTriedWhereItIsAskedFor) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 60, {ms(10)}, {ms(40)}), a_job("B", 0, 55, {ms(20)})};
  EXPECT_TRUE(run(workload, "rtmr(feedback=tasks, order=deadline)", nodes(1, 1, 1)).jobs[1].rejected);
  const SimulationResult result = run(workload, "rtmr(feedback=tasks, order=any)", nodes(1, 1, 1));
  EXPECT_EQ(result.jobs[0].finish, at_ms(50));
  EXPECT_EQ(result.jobs[1].finish, at_ms(30));
}

// By slow-start J's reduce might start at 10. It would hold the slot until J's maps have ended, and 10 more:
// the same slot that was promised to K.
TEST(Rtmr, ReducesWaitForAllMapsWhateverSlowstartSays) {
  const Cluster cluster = nodes(1, 1, 1, "slowstart = 0.3\n");
  Workload workload;
  workload.jobs = {a_job("J", 0, 200, {ms(10), ms(10), ms(10)}, {ms(10)}),
                   a_job("K", 11, 40, {ms(10)}, {ms(10)})};
  for (const std::string order : {"deadline", "any"}) {
    const SimulationResult result =
        run(workload, fmt::format("rtmr(feedback=tasks, order={})", order), cluster);
    EXPECT_EQ(result.jobs[1].finish, at_ms(40)) << order;
    EXPECT_EQ(result.jobs[0].finish, at_ms(50)) << order;
  }
  // Behind J, whose reduce lasts from 20 to 50.
  workload.jobs = {a_job("J", 0, 200, {ms(10), ms(10)}, {ms(30)}), a_job("K", 11, 54, {ms(5)}, {ms(5)})};
  EXPECT_TRUE(run(workload, "rtmr(feedback=tasks)", cluster).jobs[1].rejected);
  workload.jobs[1].deadline = at_ms(55);
  EXPECT_EQ(run(workload, "rtmr(feedback=tasks)", cluster).jobs[1].finish, at_ms(55));
}

// A node is lost with the output of a map that had ended, while another map runs. That map runs again, and
// counts once: only then may the reduce start, though as many ends were told as there are maps.
TEST(Rtmr, ReducesWaitForAMapThatRunsAgain) {
  Workload workload;
  workload.jobs = {a_job("J", 0, 200, {ms(30), ms(10)}, {ms(10)})};
  int outputs_lost = 0;
  for (const std::string node : {"node1", "node2"}) {
    ClusterOptions how;
    how.cluster = nodes(2, 1, 1, "slowstart = 0.3\n");
    how.cluster.outages = {{node, at_ms(12), {}}};
    how.trace = true;
    Policy policy = make_policy_on("rtmr(feedback=tasks)", how.cluster, policies());
    const SimulationResult result = simulate_cluster(workload, policy, how);
    Time maps_end{}, reduce_starts{};
    Count of_the_short_map = 0;
    for (const TaskRecord& record : result.trace) {
      if (record.kind == Kind::map) maps_end = std::max(maps_end, record.end);
      if (record.kind == Kind::reduce) reduce_starts = record.start;
      of_the_short_map += record.kind == Kind::map && record.task == 1 ? 1 : 0;
    }
    outputs_lost += of_the_short_map == 2 ? 1 : 0;
    EXPECT_EQ(reduce_starts, maps_end) << node;
    EXPECT_EQ(result.jobs[0].finish, maps_end + ms(10)) << node;
  }
  EXPECT_EQ(outputs_lost, 1);
}

// A's third reduce waits for J's, which are due first, though two of A's have left their slots at 10.
TEST(Rtmr, ACapIsUsedOnlyOnce) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 200, {}, {ms(10), ms(10), ms(30)}),
                   a_job("J", 5, 40, {ms(20)}, {ms(10), ms(10)})};
  const SimulationResult result = run(workload, "rtmr(feedback=tasks, order=deadline)", nodes(1, 1, 2));
  EXPECT_EQ(result.jobs[1].finish, at_ms(35));
  EXPECT_EQ(result.jobs[0].finish, at_ms(65));
}

TEST(Rtmr, StartedJobsGiveWayOnlyWithFeedbackOfTasks) {
  EXPECT_THROW((void)make_policy_on("rtmr(order=any)", nodes(1, 1, 1), policies()), UsageError);
}

TEST(Rtmr, AnEndBeforeTheEstimateIsFedBack) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 200, {ms(10), ms(10), ms(10), ms(50)}), a_job("B", 90, 120, {ms(20)})};
  for (const auto& [policy, rejected] :
       {std::pair{"rtmr(feedback=none)", true}, {"rtmr", false}, {"rtmr(feedback=tasks)", false}}) {
    EXPECT_EQ(run(workload, policy, nodes(1, 1, 1)).jobs[1].rejected, rejected) << policy;
  }
}

// A's end is told before that of its last map, at 29. Were that one forgotten, the second slot would seem to
// be there from 16 on, and D to end by 59.
TEST(Rtmr, TheEndOfAJobsLastTaskIsFedBackToo) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 0, {ms(1), ms(17), ms(13), ms(12)}), a_job("B", 7, 0, {ms(4), ms(16)}),
                   a_job("C", 19, 0, {ms(15)}, {ms(10)}), a_job("D", 30, 59, {ms(11)}, {ms(2), ms(5)}),
                   a_job("E", 30, 0, {}, {ms(1)})};
  for (Job& job : workload.jobs) {
    if (job.deadline == at_ms(0)) job.deadline.reset();
  }
  EXPECT_TRUE(run(workload, "rtmr", nodes(2, 1, 1, "launch_ms = 1\n")).jobs[3].rejected);
}

TEST(Rtmr, TheSlowestClassDecidesWhereverItStands) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 15, {ms(10)})};
  for (const double first : {0.5, 1.0}) {
    Cluster cluster = nodes(1, 1, 1);
    cluster.nodes.push_back(cluster.nodes.front());
    cluster.nodes.back().node_class = "other";
    cluster.nodes.front().speed = first;
    cluster.nodes.back().speed = 1.5 - first;
    EXPECT_TRUE(run(workload, "rtmr", cluster).jobs[0].rejected);
  }
}

TEST(Rtmr, JobsThatWaitForOthersAreRejected) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 1000, {ms(10)}), a_job("B", 0, 1000, {ms(10)})};
  workload.jobs[1].after = {"A"};
  EXPECT_TRUE(run(workload, "rtmr", nodes(1, 1, 1)).jobs[1].rejected);
}

TEST(Rtmr, AJobThatNoSlotHoldsIsRejected) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 1000, {ms(10)}, {ms(10)}), a_job("B", 0, 1000, {ms(10)})};
  workload.jobs[0].deadline.reset();
  const SimulationResult result = run(workload, "rtmr", nodes(1, 1, 0));
  ASSERT_TRUE(result.jobs[0].rejected);
  EXPECT_EQ(result.rejections.at(0).code, "NoSlots");
  EXPECT_EQ(result.jobs[1].finish, at_ms(10));
}

// What a node that is away has is not promised, and is again when it comes back.
TEST(Rtmr, SlotsOfNodesThatAreAwayAreNotPromised) {
  Workload workload;
  workload.jobs = {a_job("A", 10, 30, {ms(10), ms(10)}, {ms(10)})};
  for (const std::string policy :
       {"rtmr", "rtmr(feedback=tasks)", "constraint(check=interval)", "reservations(step=1ms)"}) {
    for (const std::int64_t back : {10, 11}) {
      Cluster cluster = nodes(2, 1, 1);
      cluster.outages = {{"node2", at_ms(0), at_ms(back)}};
      EXPECT_TRUE(run_both(workload, policy, cluster).jobs[0].rejected)
          << policy << ": a job comes before a node";
    }
    Cluster cluster = nodes(2, 1, 1);
    cluster.outages = {{"node2", at_ms(0), at_ms(9)}};
    EXPECT_EQ(run_both(workload, policy, cluster).jobs[0].finish, at_ms(30)) << policy;
    cluster.outages = {{"node1", at_ms(0), {}}, {"node2", at_ms(0), at_ms(9)}};
    EXPECT_TRUE(run_both(workload, policy, cluster).jobs[0].rejected) << policy;
  }
}

// The others promise slots only (container_rtmr_test.cpp).
TEST(Rtmr, ContainersAreNotRefused) {
  Cluster cluster = nodes(1, 1, 1);
  cluster.mode.kind = ClusterMode::Kind::containers;
  EXPECT_NO_THROW((void)make_policy_on("rtmr", cluster, policies()));
}

// More jobs than above, nodes that report rarely, and lengths that are hardly below their bounds: what is
// placed anew may seem to be late, and then nothing may go before it.
TEST(Rtmr, WhatIsPlacedAnewIsInTimeOnClustersWithFewReports) {
  int accepted = 0, rejected = 0;
  for (int seed = 0; seed < sized(12'000); ++seed) {
    Random random(1, "few reports", static_cast<std::uint64_t>(seed));
    const bool in_turns = seed % 2 == 0;  // several slots of a node are filled one a report
    const std::int64_t least = in_turns ? 20 : 1;
    const Cluster cluster = nodes(
        static_cast<int>(random.integer(1, 3)), static_cast<int>(random.integer(1, 3)),
        in_turns ? static_cast<int>(random.integer(1, 2)) : 1,
        fmt::format("heartbeat_ms = {}\nmaps_per_heartbeat = {}\nreduces_per_heartbeat = 1\nlaunch_ms = {}\n",
                    random.integer(2, 20), in_turns ? random.integer(1, 2) : 0, random.integer(0, 3)));
    Workload workload;
    std::int64_t at = 0;
    const std::int64_t pace = random.integer(2, 30), room = random.integer(20, 250);
    for (std::int64_t i = random.integer(3, 25); i > 0; --i) {
      at += random.integer(0, pace);
      const bool vary = random.below(2) == 0;
      const auto lengths = [&](std::int64_t count) {
        const std::int64_t most = random.integer(least, 40);
        std::vector<Duration> all;
        for (; count > 0; --count) all.push_back(ms(vary ? random.integer(1, most) : most));
        return all;
      };
      const std::vector<Duration> maps = lengths(random.integer(0, 6)),
                                  reduces = lengths(random.integer(0, 3));
      workload.jobs.push_back(a_job(fmt::format("J{}", i), at, at + random.integer(10, room), maps, reduces));
    }
    const std::string order = seed % 3 == 0 ? "started" : seed % 3 == 1 ? "deadline" : "any";
    const SimulationResult result =
        run(workload, fmt::format("rtmr(feedback=tasks, order={})", order), cluster);
    for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
      ++(result.jobs[i].rejected ? rejected : accepted);
      if (result.jobs[i].rejected) continue;
      ASSERT_LE(result.jobs[i].finish, *workload.jobs[i].deadline) << order << ", seed " << seed;
    }
  }
  EXPECT_GT(accepted, sized(20'000));
  EXPECT_GT(rejected, sized(20'000));
}

TEST(Rtmr, AcceptedJobsAreInTime) {
  Promised promised;
  holds_always(
      [&] {
        World world = some_world();
        world.cluster.mode.slowstart = *rc::gen::element(1.0, 1.0, 0.4, 0.0);
        const std::string policy = fmt::format(
            "rtmr(feedback={})", *rc::gen::element<std::string>("none", "jobs", "tasks",
                                                                "tasks, order=deadline", "tasks, order=any"));
        RC_LOG() << policy << "\n" << to_toml(world.cluster);
        std::ostringstream jobs;
        write_workload(jobs, world.workload);
        RC_LOG() << jobs.str();
        const SimulationResult result = run_both(world.workload, policy, world.cluster);
        promised.expect_in_time(world, result);
      },
      4'000);
  EXPECT_GT(promised.accepted, sized(4'000));
  EXPECT_GT(promised.rejected, sized(4'000));
  EXPECT_GT(promised.with_heartbeats, sized(800));
}

}  // namespace
}  // namespace wavewright
