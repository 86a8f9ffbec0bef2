// Heartbeats, launches and arrivals of a simulated cluster of slots, rule by rule.
#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"

namespace wavewright {
namespace {

class HeartbeatModel : public OnEachEngine {};

TEST_P(HeartbeatModel, ANodeTakesTasksAndReportsEndsAtItsHeartbeats) {
  Cluster cluster = slot_nodes(2, {1, 1});
  cluster.mode.heartbeat = ms(10);  // node1 at 0, 10, 20 …, node2 at 5, 15, 25 …
  const auto result = run({{job_of("A", {4, 4, 4}, {2}, 3)}}, cluster);
  ASSERT_EQ(result.trace.size(), 4U);
  EXPECT_EQ(result.trace[0], (TaskRecord{0, Kind::map, 0, 1, at_ms(5), at_ms(9), 1, Locality::node}));
  EXPECT_EQ(result.trace[1], (TaskRecord{0, Kind::map, 1, 0, at_ms(10), at_ms(14), 0, Locality::node}));
  EXPECT_EQ(result.trace[2], (TaskRecord{0, Kind::map, 2, 1, at_ms(15), at_ms(19), 1, Locality::node}));
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(25)) << "node2 tells at 25 what ended at 19";
  EXPECT_EQ(result.trace[3], (TaskRecord{0, Kind::reduce, 0, 1, at_ms(25), at_ms(27), 1, Locality::node}));
  EXPECT_EQ(result.jobs[0].finish, at_ms(35));
}

TEST_P(HeartbeatModel, OutOfBandANodeReportsWhenATaskEndsAndTakesTheNext) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.mode.heartbeat = ms(10);
  cluster.mode.out_of_band = true;
  const auto result = run({{job_of("A", {4, 4}, {})}}, cluster);
  EXPECT_EQ(result.trace[1].start, at_ms(4));
  EXPECT_EQ(result.jobs[0].finish, at_ms(8));
}

TEST_P(HeartbeatModel, AHeartbeatGivesNoMoreTasksThanAllowed) {
  Cluster cluster = slot_nodes(1, {4, 4});
  cluster.mode.heartbeat = ms(10);
  cluster.mode.maps_per_heartbeat = 2;
  const auto result = run({{job_of("A", {1, 1, 1}, {})}}, cluster);
  EXPECT_EQ(result.trace[1].start, at_ms(0));
  EXPECT_EQ(result.trace[2].start, at_ms(10));
}

TEST_P(HeartbeatModel, EveryTaskIsLaunchedFirst) {
  Cluster cluster = slot_nodes(1, {2, 1});
  cluster.mode.launch = ms(3);
  Workload workload{{job_of("A", {10}, {5})}};
  workload.jobs[0].first_shuffles = {ms(2)};
  const auto result = run(workload, cluster);
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(13));
  EXPECT_EQ(result.jobs[0].finish, at_ms(13 + 3 + 2 + 5));
}

TEST_P(HeartbeatModel, AReduceThatStartedEarlyIsLaunchedWhenTheMapsEnd) {
  Cluster cluster = slot_nodes(1, {1, 1});
  cluster.mode.launch = ms(3);
  cluster.mode.slowstart = 0;
  const auto result = run({{job_of("A", {10}, {5})}}, cluster);
  EXPECT_EQ(result.jobs[0].finish, at_ms(13 + 5));
}

// A launch that begins at the instant of a heartbeat does not make it a second one.
TEST_P(HeartbeatModel, GivesOneMapAHeartbeatAlsoWhereLaunchesShareProcessors) {
  Cluster cluster = slot_nodes(1, {3, 0});
  cluster.mode.heartbeat = ms(100);
  cluster.mode.maps_per_heartbeat = 1;
  cluster.launches = {ms(40), ms(40), 1, false};
  const auto result = run({{job_of("A", {1'000, 1'000, 1'000}, {})}}, cluster);
  ASSERT_EQ(result.trace.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(result.trace[i].start, at_ms(100 * static_cast<std::int64_t>(i)));
    EXPECT_EQ(result.trace[i].end, result.trace[i].start + ms(1'040));
  }
}

TEST_P(HeartbeatModel, AJobArrivesWhenAllJobsBeforeItAreDone) {
  Workload workload{
      {job_of("A", {10}, {}), job_of("B", {4}, {}), job_of("C", {1}, {}, 2), job_of("D", {1}, {}, 50)}};
  workload.jobs[2].after = {"A", "B"};
  workload.jobs[3].after = {"A"};
  const auto result = run(workload, slot_nodes(1, {2, 0}));
  EXPECT_EQ(result.jobs[2].start, at_ms(10));
  EXPECT_EQ(result.jobs[3].start, at_ms(50));
}

INSTANTIATE_TEST_SUITE_P(Engines, HeartbeatModel, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
