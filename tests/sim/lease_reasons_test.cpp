// Why machines came and left, read off small runs.
#include "wavewright/sim/metrics/lease_reasons.h"

#include <gmock/gmock.h>

#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"

namespace wavewright {
namespace {

Cluster cloud() {
  return parse_cluster(R"(
[[nodes]]
map_slots = 1
reduce_slots = 1
[[nodes]]
count = 5
class = "rented"
map_slots = 1
reduce_slots = 1
price_per_hour = 3.6
rent = true
spot = [[0, 1], [30000, 2]]
)",
                       "cloud.toml");
}

Lease lease(NodeIndex node, int requested, std::optional<int> joined, std::optional<int> left,
            bool revoked = false) {
  Lease each;
  each.node = node;
  each.requested = at_ms(requested);
  if (joined) each.joined = at_ms(*joined);
  if (left) each.left = at_ms(*left);
  each.ended_by = revoked ? LeaseEnd::market : left ? LeaseEnd::policy : LeaseEnd::end_of_run;
  if (revoked) each.bid = from_usd(1.5);
  return each;
}

TaskRecord task(JobIndex job, Kind kind, NodeIndex node, int start, int end) {
  TaskRecord record;
  record.job = job;
  record.kind = kind;
  record.node = node;
  record.start = at_ms(start);
  record.end = at_ms(end);
  return record;
}

TEST(LeaseReasons, AreWhatHappenedAtThatInstant) {
  const Workload workload{{job_of("A", {10'000}, {1'000}, 5'000), job_of("B", {10'000}, {}, 7'000)}};
  SimulationResult result;
  result.jobs.resize(2);
  result.jobs[0].submit = at_ms(5'000);
  result.jobs[1].submit = at_ms(7'000);
  result.makespan = ms(60'000);
  // A's map ends at 20 s: its reduce can start.
  result.trace = {task(0, Kind::map, 1, 10'000, 20'000), task(0, Kind::reduce, 2, 25'000, 26'000),
                  task(1, Kind::map, 1, 45'000, 50'000)};
  result.leases = {lease(1, 5'000, 10'000, 30'000, true),          // when A arrived; outbid at 30 s
                   lease(2, 20'000, 25'000, 29'000),               // when A's reduce could start; given back
                   lease(1, 30'000, 40'000, std::nullopt),         // instead of the first
                   lease(3, 33'000, std::nullopt, 35'000, true)};  // outbid while it booted
  const std::vector<LeaseReason> reasons = lease_reasons(workload, cloud(), result);
  ASSERT_EQ(reasons.size(), 4U);
  EXPECT_EQ(why_rented(reasons[0], "A"), "A arrived");
  EXPECT_EQ(reasons[0].job, 0U);
  EXPECT_EQ(why_left(reasons[0]), "taken away: the spot price was 2 USD");
  EXPECT_EQ(reasons[0].tasks, 1);
  EXPECT_EQ(why_rented(reasons[1], "A"), "reduces of A could start");
  EXPECT_EQ(why_left(reasons[1]), "given back, idle for 3s");
  EXPECT_EQ(why_rented(reasons[2], ""), "another machine was lost");
  EXPECT_EQ(why_left(reasons[2]), "the run ended");
  EXPECT_EQ(reasons[2].tasks, 1);  // of two leases of the machine, the one at that time
  EXPECT_EQ(reasons[2].idle, ms(10'000));
  EXPECT_EQ(why_rented(reasons[3], ""), "at a time of the policy's own");
  EXPECT_EQ(why_left(reasons[3]), "outbid while it booted: the spot price was 2 USD");
}

}  // namespace
}  // namespace wavewright
