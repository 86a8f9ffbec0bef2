// Forecasts of the queue, by hand: the jobs that are told of, their order, and when they reach the cluster.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/exact_outlook.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;

// The jobs run one after another on one slot, 10 s each.
TEST(OutlookWaits, WhatYarnHasIsServedInTheOrderOfItsAcceptance) {
  ExactOutlook world;
  world.add(LiveState::submitting, "on its way");
  world.add(LiveState::accepted, "second").accepted_at = outlook_now - ms(10'000);
  world.add(LiveState::accepted, "first").accepted_at = outlook_now - ms(20'000);
  world.add(LiveState::waiting, "waits");
  const Outlook outlook = world.on(flat_cluster({1, 1}));
  EXPECT_EQ(end_in(outlook, "first"), 10);
  EXPECT_EQ(end_in(outlook, "second"), 20);
  EXPECT_EQ(end_in(outlook, "on its way"), 30);
  EXPECT_EQ(end_in(outlook, "waits"), 40);
}

TEST(OutlookWaits, ADispatchingQueueOrdersWhatWaits) {
  ExactOutlook world;
  world.add(LiveState::waiting, "long", 3);
  world.add(LiveState::waiting, "short", 1);
  EXPECT_EQ(start_in(world.on(flat_cluster({1, 1})), "long"), 0) << "in the order of the batch";
  LiveOrdering shortest_first;
  shortest_first.when = "pnj(1)";
  shortest_first.pool = {1, 1};
  world.batch.ordering = shortest_first;
  const Outlook outlook = world.on(flat_cluster({1, 1}));
  EXPECT_EQ(start_in(outlook, "short"), 0);
  EXPECT_EQ(start_in(outlook, "long"), 10);
  world.batch.ordering->planned = PlannedBy{.method = "submission"};
  EXPECT_EQ(start_in(world.on(flat_cluster({1, 1})), "long"), 0) << "as the planner will order them";
}

TEST(OutlookWaits, NothingIsSaidOfJobsFarBehind) {
  ExactOutlook world;
  for (const char* id : {"a", "b", "c"}) world.add(LiveState::waiting, id);
  const Outlook outlook = world.look({.cluster = flat_cluster({1, 1}), .policy = "fifo", .most_waiting = 2});
  EXPECT_EQ(end_in(outlook, "b"), 20);
  EXPECT_EQ(outlook.of("c"), nullptr);
}

// A job after one that failed is never submitted; after one that is done, or in the archive, it is free.
TEST(OutlookWaits, OnlyAJobThatIsDoneFreesTheNext) {
  struct Case {
    LiveState before;
    double end;
  };
  for (const Case& each : {Case{LiveState::done, 10}, Case{LiveState::failed, -1},
                           Case{LiveState::cancelled, -1}, Case{LiveState::unknown, -1}}) {
    ExactOutlook world;
    world.batch.jobs = {job_in(each.before, "before", 1)};
    world.add(LiveState::waiting, "next").after = {"before"};
    EXPECT_EQ(end_in(world.on(flat_cluster({1, 1})), "next"), each.end) << to_string(each.before);
  }
  ExactOutlook world;
  world.add(LiveState::waiting, "next").after = {"in the archive"};
  EXPECT_EQ(end_in(world.on(flat_cluster({1, 1})), "next"), 10);
}

LiveJob submitted(const std::string& id, Duration took) {
  LiveJob job = job_in(LiveState::done, id, 1);
  job.submitting_since = outlook_now - ms(900'000);
  job.accepted_at = *job.submitting_since + took;
  return job;
}

// Commands start one after another, each as long as those before it took in the mean.
TEST(OutlookWaits, CommandsTakeAsLongAsThoseBefore) {
  const auto starts = [](std::vector<LiveJob> before) {
    ExactOutlook world;
    world.batch.jobs = std::move(before);
    world.add(LiveState::waiting, "a");
    world.add(LiveState::waiting, "b");
    const Outlook outlook = world.on(flat_cluster({8, 1}));
    return std::pair(start_in(outlook, "a"), start_in(outlook, "b"));
  };
  EXPECT_EQ(starts({}), std::pair(0.0, 0.0));
  EXPECT_EQ(starts({submitted("x", ms(4'000))}), std::pair(4.0, 8.0));
  EXPECT_EQ(starts({submitted("x", ms(4'000)), submitted("y", ms(6'000))}), std::pair(5.0, 10.0));
  EXPECT_EQ(starts({submitted("x", ms(4'000)), submitted("y", ms(600'000))}), std::pair(32.0, 64.0))
      << "a command that hung for ten minutes counts as one minute";
  EXPECT_EQ(starts({submitted("x", ms(4'000)), submitted("y", -ms(20'000))}), std::pair(4.0, 8.0))
      << "two clocks that differ tell nothing";
}

TEST(OutlookWaits, ATimeToComeIsWaitedForFirst) {
  ExactOutlook world;
  world.batch.jobs = {submitted("x", ms(4'000))};
  world.add(LiveState::waiting, "later").not_before = outlook_now + ms(60'000);
  world.add(LiveState::waiting, "past").not_before = outlook_now - ms(60'000);
  const Outlook outlook = world.on(flat_cluster({8, 1}));
  EXPECT_EQ(start_in(outlook, "later"), 64);
  EXPECT_EQ(start_in(outlook, "past"), 8);
}

// From a minute on two masters fill the node, so that neither job gets a map. That is no reason to be silent
// about the job that runs until then.
TEST(OutlookWaits, JobsThatBlockEachOtherHideNoOther) {
  ExactOutlook world;
  world.add(LiveState::running, "runs").memory = {Bytes{640LL << 20}, Bytes{448LL << 20}, std::nullopt};
  for (const char* id : {"one", "other"}) {
    LiveJob& job = world.add(LiveState::waiting, id);
    job.memory = world.batch.jobs[0].memory;
    job.not_before = outlook_now + ms(60'000);
  }
  NodeGroup node;
  node.memory = Bytes{1'280LL << 20};
  Cluster cluster;
  cluster.mode.kind = ClusterMode::Kind::containers;
  cluster.nodes = {node};
  const Outlook outlook = world.on(cluster);
  EXPECT_THAT(outlook.model, HasSubstr("on the cluster"));
  EXPECT_NEAR(end_in(outlook, "runs"), 10, 3);
  EXPECT_EQ(end_in(outlook, "one"), -1);
}

// Half of the attempts fail, somewhere on their way, and the job with them: an end is one of success.
TEST(OutlookWaits, AFailureIsNoEnd) {
  ExactOutlook world;
  world.add(LiveState::waiting, "a");
  Cluster cluster = flat_cluster({1, 1});
  cluster.faults.task_failure = 0.5;
  cluster.faults.max_attempts = 1;
  const Outlook outlook = world.on(cluster);
  ASSERT_TRUE(outlook.of("a")->end);
  EXPECT_EQ(outlook.of("a")->end->p5, outlook_now + ms(10'000));
  EXPECT_EQ(outlook.of("a")->end->p95, outlook_now + ms(10'000));
}

}  // namespace
}  // namespace wavewright
