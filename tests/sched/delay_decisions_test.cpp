// Single decisions of delay scheduling on a scripted cluster.
#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "wavewright/sched/placers/delay.h"
#include "wavewright/sched/policies/fifo.h"

namespace wavewright {
namespace {

// A's blocks lie on node 1, B's on node 0.
FakeCluster two_jobs(const DelayOptions& options) {
  return FakeCluster(
      {.nodes = {{.map_slots = 3}, {.map_slots = 3}},
       .jobs = {{.id = "A", .maps = 3, .blocks = {{1}, {1}, {1}}}, {.id = "B", .maps = 1, .blocks = {{0}}}}},
      {make_fifo(), make_delay(options)});
}

TEST(DelayDecisions, SkipAJobUntilItHasWaited) {
  FakeCluster cluster = two_jobs({.node = ms(3000)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "it waits from now";
  cluster.advance(ms(2999));
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  cluster.advance(ms(1));
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "and goes on where it is";
  EXPECT_EQ(cluster.give(Kind::map, 1), "A") << "the last one has its block there";
}

TEST(DelayDecisions, LetTheNextJobGoFirstMeanwhile) {
  FakeCluster cluster = two_jobs({.node = ms(3000)});
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.give(Kind::map, 0), "B");
  EXPECT_EQ(cluster.give(Kind::map, 1), "A");
}

TEST(DelayDecisions, SetOneTimerForEachWait) {
  FakeCluster cluster = two_jobs({.node = ms(3000), .rack = ms(2000)});
  cluster.advance(ms(1000));
  cluster.arrive("A");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(cluster.give(Kind::map, 0), "");
  EXPECT_EQ(cluster.count("timer"), 2U);
  EXPECT_EQ(cluster.count("timer 0 at 4000"), 1U) << "then its rack will do";
  EXPECT_EQ(cluster.count("timer 1 at 6000"), 1U) << "then any node";
  cluster.advance(ms(4999));
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "a rack has one node here";
  cluster.advance(ms(1));
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
}

TEST(DelayDecisions, TellThatAJobWaitsForItsNodes) {
  FakeCluster cluster = two_jobs({.node = ms(3000)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("near A"), 0U);
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  EXPECT_EQ(cluster.count("near A"), 1U) << "from when it lets a node go";
  EXPECT_EQ(cluster.give(Kind::map, 1), "A");
  EXPECT_EQ(cluster.count("anywhere A"), 1U) << "it waits no more";
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  EXPECT_EQ(cluster.count("near A"), 2U);
  cluster.advance(ms(2999));
  EXPECT_EQ(cluster.count("anywhere A"), 1U);
  cluster.advance(ms(1));
  EXPECT_EQ(cluster.count("anywhere A"), 2U) << "any node will do";
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
}

TEST(DelayDecisions, CanCountTheHeartbeatsThatAJobLetGo) {
  FakeCluster cluster = two_jobs({.node = ms(200), .skip = ms(100)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "the same heartbeat counts once";
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "after one, 100 ms count, not 5 s";
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "after two, 200 ms";
  EXPECT_EQ(cluster.give(Kind::map, 1), "A") << "local, which ends the wait";
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "from the start";
  EXPECT_EQ(cluster.count("timer"), 0U);
  EXPECT_EQ(cluster.count("near"), 0U) << "each heartbeat counts";
}

}  // namespace
}  // namespace wavewright
