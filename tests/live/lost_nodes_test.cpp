#include "wavewright/live/yarn/lost_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(LostNodes, ANodeThatRanAndIsGivenUpIsToldOnceAndThatItIsBack) {
  LostNodes nodes;
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}, {"n2", "RUNNING"}}).lost, IsEmpty());
  const LostNodes::News first = nodes.look({{"n1", "RUNNING"}, {"n2", "LOST"}});
  ASSERT_THAT(first.lost, SizeIs(1));
  EXPECT_EQ(first.lost[0].host, "n2");
  EXPECT_EQ(first.lost[0].state, "LOST");
  EXPECT_THAT(first.back, IsEmpty());
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}, {"n2", "LOST"}}).lost, IsEmpty()) << "it is told once";
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}, {"n2", "RUNNING"}}).back, ElementsAre("n2"));
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}, {"n2", "RUNNING"}}).back, IsEmpty());
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}, {"n2", "UNHEALTHY"}}).lost, SizeIs(1)) << "once more";
}

TEST(LostNodes, EachStateWithoutContainersIsALoss) {
  for (const char* state : {"LOST", "UNHEALTHY", "DECOMMISSIONED", "SHUTDOWN", "REBOOTED"}) {
    LostNodes nodes;
    (void)nodes.look({{"n1", "RUNNING"}});
    EXPECT_THAT(nodes.look({{"n1", state}}).lost, SizeIs(1)) << state;
  }
  for (const char* state : {"RUNNING", "DECOMMISSIONING", "NEW", ""}) {
    LostNodes nodes;
    (void)nodes.look({{"n1", "RUNNING"}});
    EXPECT_THAT(nodes.look({{"n1", state}}).lost, IsEmpty()) << state;
  }
}

TEST(LostNodes, ANodeThatNeverRanIsNoLoss) {
  LostNodes nodes;
  EXPECT_THAT(nodes.look({{"n1", "LOST"}}).lost, IsEmpty());
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}}).back, IsEmpty());
}

// A ResourceManager that was restarted lists a node once it has registered.
TEST(LostNodes, ANodeThatIsNotListedIsNoLoss) {
  LostNodes nodes;
  (void)nodes.look({{"n1", "RUNNING"}, {"n2", "RUNNING"}});
  EXPECT_THAT(nodes.look({}).lost, IsEmpty());
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}}).lost, IsEmpty());
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}, {"n2", "LOST"}}).lost, SizeIs(1));
}

// A NodeManager that was started again on another port is a node of its own; the one before is lost.
TEST(LostNodes, AHostRunsAsLongAsOneOfItsNodesDoes) {
  LostNodes nodes;
  (void)nodes.look({{"n1", "RUNNING"}});
  EXPECT_THAT(nodes.look({{"n1", "LOST"}, {"n1", "RUNNING"}}).lost, IsEmpty());
  EXPECT_THAT(nodes.look({{"n1", "RUNNING"}, {"n1", "LOST"}}).lost, IsEmpty());
  EXPECT_THAT(nodes.look({{"n1", "LOST"}, {"n1", "LOST"}}).lost, SizeIs(1));
}

TEST(LostNodes, YarnsAnswerNamesAllNodes) {
  const std::vector<ListedNode> nodes = parse_listed_nodes(
      R"({"nodes":{"node":[{"nodeHostName":"n1","state":"RUNNING","nodeHTTPAddress":"n1:8042"},
                           {"nodeHostName":"n2","state":"LOST","nodeHTTPAddress":""},
                           {"state":"RUNNING"}]}})",
      "url");
  ASSERT_THAT(nodes, SizeIs(2));
  EXPECT_EQ(nodes[1].host, "n2");
  EXPECT_EQ(nodes[1].state, "LOST");
  EXPECT_THAT(parse_listed_nodes(R"({"nodes":null})", "url"), IsEmpty());
  EXPECT_THAT(parse_listed_nodes(R"({"nodes":{}})", "url"), IsEmpty());
  for (const char* wrong : {"", "{}", "[]", R"({"nodes":{"node":7}})", "<html>"})
    EXPECT_THROW((void)parse_listed_nodes(wrong, "url"), ExternalError) << wrong;
}

}  // namespace
}  // namespace wavewright
