// Whose turn it is under edf, least-slack and epedf, and who is admitted.
#include <gmock/gmock.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

Policy policy(const std::string& text) {
  return make_policy(text, {}, PolicyRegistry(deadline_policies()));
}

// One map slot and one reduce slot.
FakeSetup small(std::vector<FakeJob> jobs) {
  return {.nodes = {{.map_slots = 1, .reduce_slots = 1}}, .jobs = std::move(jobs)};
}

TEST(Edf, ServesTheEarliestDeadlineAndThenJobsWithout) {
  FakeCluster cluster(small({{.id = "none", .maps = 1},
                             {.id = "late", .maps = 1, .deadline = at_ms(90'000)},
                             {.id = "soon", .maps = 1, .deadline = at_ms(50'000)}}),
                      policy("edf"));
  for (const char* id : {"none", "late", "soon"}) cluster.arrive(id);
  EXPECT_EQ(cluster.order(Kind::map), "soon late none");
}

TEST(LeastSlack, CountsTheWorkThatIsLeft) {
  // On one slot A needs 60 s of its 90 and B 10 s of its 50: slack 30 and 40. Three of A's six maps later it
  // is 60.
  FakeCluster cluster(small({{.id = "A", .maps = 6, .map = ms(10'000), .deadline = at_ms(90'000)},
                             {.id = "B", .maps = 1, .map = ms(10'000), .deadline = at_ms(50'000)}}),
                      policy("least-slack"));
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.order(Kind::map), "A B");
  cluster.start("A", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "A B") << "40 and 40: A came first";
  cluster.end("A", Kind::map);
  cluster.start("A", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "B A") << "50 and 40";
  cluster.lose("A", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "A B") << "its work is back";
}

TEST(Epedf, ServesTheEarliestDeadlineOfAnEpoch) {
  FakeCluster cluster(small({{.id = "A", .maps = 1, .deadline = at_ms(90'000)},
                             {.id = "B", .maps = 1, .deadline = at_ms(50'000)},
                             {.id = "C", .maps = 1, .deadline = at_ms(10'000)}}),
                      policy("epedf(10s)"));
  cluster.arrive("A");
  cluster.advance(ms(4000));
  cluster.arrive("B");
  EXPECT_EQ(cluster.order(Kind::map), "") << "the epoch ends at 10 s";
  cluster.advance(ms(6000));
  EXPECT_EQ(cluster.order(Kind::map), "B A");
  cluster.arrive("C");
  EXPECT_EQ(cluster.order(Kind::map), "B A") << "C came at the beginning of the next epoch";
  cluster.advance(ms(10'000));
  EXPECT_EQ(cluster.order(Kind::map), "C B A");
}

TEST(DeadlineAdmission, RejectsWithTheEarliestPossibleEnd) {
  // Four maps of 10 s on one slot: low and up bound are both 40 s, as all are alike; then a reduce of 5 s.
  const auto standing = [](std::int64_t deadline) {
    FakeCluster cluster(small({{.id = "A",
                                .maps = 4,
                                .reduces = 1,
                                .map = ms(10'000),
                                .reduce = ms(5'000),
                                .deadline = at_ms(deadline)}}),
                        policy("edf(admission=deadline)"));
    cluster.advance(ms(1'000));
    cluster.arrive("A");
    EXPECT_EQ(cluster.count("reject A DeadlineTooTight"), deadline < 46'000 ? 1U : 0U);
    return cluster.standing_of("A");
  };
  EXPECT_EQ(standing(46'000), "admitted");
  EXPECT_EQ(standing(45'999), "rejected");
}

TEST(DeadlinePolicies, RefuseParametersThatMeanNothing) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      (void)policy(text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("edf(machines=hybrid, bid=0.05, idle=hour)"), "");
  EXPECT_THAT(complaint("edf(slots=most)"), testing::HasSubstr("low, average, up"));
  EXPECT_THAT(complaint("edf(slots=140%)"), testing::HasSubstr("slots"));
  EXPECT_THAT(complaint("edf(bid=0.05)"), testing::HasSubstr("machines=on-demand"));
  EXPECT_THAT(complaint("epedf(0s)"), testing::HasSubstr("epoch"));
}

}  // namespace
}  // namespace wavewright
