// The rules of the cluster model, one by one, on both engines.
#include <gmock/gmock.h>

#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/fifo.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

using Engine = SimulationResult (*)(const Workload&, Policy&, const ClusterOptions&);

Cluster nodes(Count count, SlotPool slots) {
  NodeGroup group;
  group.count = count;
  group.slots = slots;
  Cluster cluster;
  cluster.nodes.push_back(group);
  return cluster;
}

class ClusterModel : public ::testing::TestWithParam<Engine> {
 protected:
  [[nodiscard]] static SimulationResult run(const Workload& workload, const Cluster& cluster,
                                            const std::string& spec = "fifo") {
    Policy policy = make_policy(spec, {cluster.queues});
    return GetParam()(workload, policy, {cluster, 1, true});
  }
};

TEST_P(ClusterModel, ANodeTakesTasksAndReportsEndsAtItsHeartbeats) {
  Cluster cluster = nodes(2, {1, 1});
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

// 8 bytes a ms each way (0.064 Mbit/s); both maps' blocks of 80 bytes lie on node1, which sends at half its
// speed to each of two readers: a map of 5 ms on node2 ends at 20, that on node1 reads its own disk.
TEST_P(ClusterModel, ReadersOfOneNodeShareItsCard) {
  Cluster cluster = nodes(3, {1, 0});
  cluster.reads.kind = Reads::Kind::network;
  cluster.network.card_mbps = 0.064;
  Job job = job_of("A", {5, 5, 5}, {});
  job.input = Bytes{240};
  job.splits.assign(3, std::vector<std::string>(1, "node1"));
  const auto result = run({{job}}, cluster);
  EXPECT_EQ(result.trace[0].end, at_ms(5));
  EXPECT_EQ(result.trace[1].end, at_ms(20));
  EXPECT_EQ(result.trace[2].end, at_ms(20));
  EXPECT_EQ(result.jobs[0].finish, at_ms(20));
  EXPECT_EQ(result.map_busy, ms(5 + 20 + 20));
}

// It fails within its 5 ms of work, which its node tells at 100; that its block arrives at 10 changes
// nothing.
TEST_P(ClusterModel, AMapThatHasFailedWaitsForNoBlock) {
  Cluster cluster = nodes(1, {0, 0});
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].slots = {1, 0};
  cluster.mode.heartbeat = ms(200);  // node2 at 100, 300 …
  cluster.reads.kind = Reads::Kind::network;
  cluster.network.card_mbps = 0.064;
  cluster.faults.task_failure = 1;
  cluster.faults.max_attempts = 1;
  Job job = job_of("A", {5}, {});
  job.input = Bytes{80};
  job.splits.assign(1, std::vector<std::string>(1, "node1"));
  const auto result = run({{job}}, cluster);
  ASSERT_EQ(result.trace.size(), 1U);
  EXPECT_EQ(result.trace[0].outcome, AttemptOutcome::failed);
  EXPECT_LE(result.trace[0].end, at_ms(100 + 5));
  EXPECT_EQ(result.map_busy, result.trace[0].end - result.trace[0].start);
  EXPECT_EQ(result.jobs[0].finish, at_ms(300));
}

// The uplinks carry 4 bytes a ms, the cards 8: the reader in the other rack is the slower one.
TEST_P(ClusterModel, ReadersInAnotherRackShareTheUplink) {
  Cluster cluster = nodes(1, {0, 0});
  cluster.nodes[0].rack = "/a";
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].rack = "/b";
  cluster.nodes[1].slots = {1, 0};
  cluster.reads.kind = Reads::Kind::network;
  cluster.network.card_mbps = 0.064;
  cluster.network.uplink_mbps = 0.032;
  Job job = job_of("A", {5}, {});
  job.input = Bytes{80};
  job.splits.assign(1, std::vector<std::string>(1, "node1"));
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(20));
}

// Two maps of 10 ms one after the other, a reduce from the start: half of its 80 bytes is there at 10 and
// arrives at 8 a ms by 15, the other half is there at 20 and arrives by 25; then it works for 3.
TEST_P(ClusterModel, AReduceFetchesWhatItsMapsHaveWrittenOverTheNetwork) {
  Cluster cluster = nodes(1, {1, 1});
  cluster.mode.slowstart = 0;
  cluster.network = {.card_mbps = 0.064, .shuffle = true, .rounds = 2};
  Job job = job_of("A", {10, 10}, {3});
  job.shuffled = Bytes{80};
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(28));
  cluster.network.rounds = 1;  // all of it after the last map
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(33));
  cluster.network.overhead = ms(4);
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(37)) << "it merges";
  job.shuffled.reset();  // nobody knows how much: its shuffles are durations, of which it has none
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(23));
}

// Of two nodes in two racks half of what the reduce fetches comes from outside: over an uplink of 2 bytes a
// ms all of it arrives at 4.
TEST_P(ClusterModel, AnUplinkCarriesWhatAReduceFetchesFromOutside) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.nodes[0].rack = "/a";
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].rack = "/b";
  cluster.nodes[1].slots = {0, 1};
  cluster.network = {.card_mbps = 0.064, .uplink_mbps = 0.016, .shuffle = true};
  Job job = job_of("A", {10}, {3});
  job.shuffled = Bytes{80};
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(10 + 20 + 3));
}

// The block lies on node1 of the other rack and on node3 of the reader's own: it comes from there, over cards
// alone.
TEST_P(ClusterModel, ABlockComesFromTheReadersRackWhereItCan) {
  Cluster cluster = nodes(1, {0, 0});
  cluster.nodes[0].rack = "/a";
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].rack = "/b";
  cluster.nodes[1].slots = {1, 0};
  cluster.nodes.push_back(cluster.nodes[1]);
  cluster.nodes[2].slots = {};
  cluster.reads.kind = Reads::Kind::network;
  cluster.network = {.card_mbps = 0.064, .uplink_mbps = 0.008};
  Job job = job_of("A", {5}, {});
  job.input = Bytes{80};
  job.splits.emplace_back().push_back("node1");
  job.splits.back().push_back("node3");
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(10));
}

TEST_P(ClusterModel, TwoReducesOfOneNodeShareItsCard) {
  Cluster cluster = nodes(1, {1, 2});
  cluster.network = {.card_mbps = 0.064, .shuffle = true};
  Job job = job_of("A", {10}, {0, 0});
  job.shuffled = Bytes{81};  // 41 and 40 bytes at 4 a ms: 10 ms, and the last byte has the card to itself
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(21));
}

// One slot on a data-parallel node: two of A's maps at a time, and it is free when both have ended; B, which
// has no such speed, has it to itself.
TEST_P(ClusterModel, TasksOfADataParallelJobShareASlot) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10, 4, 6, 8, 2}, {});
  job.classes["gpu"] = {2, 2, 1};
  const auto result = run({{job, job_of("B", {5, 5}, {}, 1)}}, cluster);
  const std::int64_t expected[][2] = {{0, 5}, {0, 2}, {5, 8}, {5, 9}, {9, 10}, {10, 15}, {15, 20}};
  ASSERT_EQ(result.trace.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(result.trace[i].start, at_ms(expected[i][0])) << i;
    EXPECT_EQ(result.trace[i].end, at_ms(expected[i][1])) << i;
    EXPECT_EQ(result.trace[i].slot, 0U);
  }
  EXPECT_EQ(result.map_busy, ms(20)) << "the slot was in use all the time";
  EXPECT_DOUBLE_EQ(result.map_utilisation(cluster.total_slots()), 1);
}

// A job that shares holds one slot, not two: of two slots under Fair each has one.
TEST_P(ClusterModel, ASharedSlotCountsOnceForItsJob) {
  Cluster cluster = nodes(1, {2, 0});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10, 10, 10, 10}, {});
  job.classes["gpu"] = {1, 2, 1};
  const auto result = run({{job, job_of("B", {10}, {})}}, cluster, "fair");
  EXPECT_EQ(result.jobs[1].finish, at_ms(10));
  EXPECT_EQ(result.jobs[0].finish, at_ms(20));
}

TEST_P(ClusterModel, OutOfBandANodeReportsWhenATaskEndsAndTakesTheNext) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.mode.heartbeat = ms(10);
  cluster.mode.out_of_band = true;
  const auto result = run({{job_of("A", {4, 4}, {})}}, cluster);
  EXPECT_EQ(result.trace[1].start, at_ms(4));
  EXPECT_EQ(result.jobs[0].finish, at_ms(8));
}

TEST_P(ClusterModel, AHeartbeatGivesNoMoreTasksThanAllowed) {
  Cluster cluster = nodes(1, {4, 4});
  cluster.mode.heartbeat = ms(10);
  cluster.mode.maps_per_heartbeat = 2;
  const auto result = run({{job_of("A", {1, 1, 1}, {})}}, cluster);
  EXPECT_EQ(result.trace[1].start, at_ms(0));
  EXPECT_EQ(result.trace[2].start, at_ms(10));
}

TEST_P(ClusterModel, EveryTaskIsLaunchedFirst) {
  Cluster cluster = nodes(1, {2, 1});
  cluster.mode.launch = ms(3);
  Workload workload{{job_of("A", {10}, {5})}};
  workload.jobs[0].first_shuffles = {ms(2)};
  const auto result = run(workload, cluster);
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(13));
  EXPECT_EQ(result.jobs[0].finish, at_ms(13 + 3 + 2 + 5));
}

TEST_P(ClusterModel, AReduceThatStartedEarlyIsLaunchedWhenTheMapsEnd) {
  Cluster cluster = nodes(1, {1, 1});
  cluster.mode.launch = ms(3);
  cluster.mode.slowstart = 0;
  const auto result = run({{job_of("A", {10}, {5})}}, cluster);
  EXPECT_EQ(result.jobs[0].finish, at_ms(13 + 5));
}

TEST_P(ClusterModel, SpeedDividesWorkButNotTheShuffle) {
  Cluster cluster = nodes(1, {1, 1});
  cluster.nodes[0].speed = 2;
  cluster.nodes[0].node_class = "fast";
  Workload workload{{job_of("A", {10}, {7})}};
  workload.jobs[0].first_shuffles = {ms(3)};
  EXPECT_EQ(run(workload, cluster).jobs[0].finish, at_ms(5 + 3 + 4)) << "3.5 ms are rounded up";
  workload.jobs[0].classes["fast"].speed = 5;
  EXPECT_EQ(run(workload, cluster).jobs[0].finish, at_ms(2 + 3 + 1))
      << "its own speed replaces the machine's";
}

Cluster racks() {
  Cluster cluster = nodes(1, {1, 0});
  cluster.nodes[0].hosts = {"a1"};
  cluster.nodes[0].rack = "/a";
  for (const char* name : {"a2", "b1"}) {
    NodeGroup group = cluster.nodes[0];
    group.hosts = {name};
    group.rack = name[0] == 'a' ? "/a" : "/b";
    cluster.nodes.push_back(group);
  }
  cluster.reads = {Reads::Kind::slowdown, 1.5, 3};
  return cluster;
}

TEST_P(ClusterModel, MapsGoWhereTheirBlocksAreAndPayForDistance) {
  Workload workload{{job_of("A", {10, 10, 10}, {})}};
  workload.jobs[0].splits = {{"b1"}, {"a1"}, {"a1"}};
  const auto result = run(workload, racks());
  EXPECT_EQ(result.trace[0], (TaskRecord{0, Kind::map, 1, 0, at_ms(0), at_ms(10), 0, Locality::node}));
  EXPECT_EQ(result.trace[1], (TaskRecord{0, Kind::map, 2, 1, at_ms(0), at_ms(15), 1, Locality::rack}));
  EXPECT_EQ(result.trace[2], (TaskRecord{0, Kind::map, 0, 2, at_ms(0), at_ms(10), 2, Locality::node}));
  workload.jobs[0].splits = {{"a1"}, {"a1"}, {"a2"}};
  const auto far = run(workload, racks());
  EXPECT_EQ(far.trace[2], (TaskRecord{0, Kind::map, 1, 2, at_ms(0), at_ms(30), 2, Locality::off_rack}));
  EXPECT_EQ(far.jobs[0].node_local, 2U);
  EXPECT_EQ(far.jobs[0].off_rack, 1U);
}

TEST_P(ClusterModel, DelayLetsANodePassUntilTheJobHasWaitedLongEnough) {
  Workload workload{{job_of("A", {10, 10}, {})}};
  workload.jobs[0].splits = {{"a1"}, {"a1"}};
  const auto patient = run(workload, racks(), "fifo+delay(60ms)");
  EXPECT_EQ(patient.jobs[0].finish, at_ms(20)) << "both on a1, one after the other";
  const auto hasty = run(workload, racks(), "fifo+delay(4ms)");
  EXPECT_EQ(hasty.jobs[0].rack_local, 1U);
  EXPECT_EQ(hasty.jobs[0].finish, at_ms(4 + 15));
}

TEST_P(ClusterModel, AJobArrivesWhenAllJobsBeforeItAreDone) {
  Workload workload{
      {job_of("A", {10}, {}), job_of("B", {4}, {}), job_of("C", {1}, {}, 2), job_of("D", {1}, {}, 50)}};
  workload.jobs[2].after = {"A", "B"};
  workload.jobs[3].after = {"A"};
  const auto result = run(workload, nodes(1, {2, 0}));
  EXPECT_EQ(result.jobs[2].start, at_ms(10));
  EXPECT_EQ(result.jobs[3].start, at_ms(50));
}

TEST_P(ClusterModel, FairSharesByWeightAndServesMinimaFirst) {
  Cluster cluster = nodes(1, {6, 0});
  cluster.queues = {{.name = "a", .weight = 2}, {.name = "b", .weight = 1}};
  Workload workload{{job_of("A", std::vector<int>(12, 10), {}), job_of("B", std::vector<int>(12, 10), {})}};
  workload.jobs[0].queue = "a";
  workload.jobs[1].queue = "b";
  const auto first_wave = [&](const Cluster& on) {
    const auto result = run(workload, on, "fair");
    return std::count_if(result.trace.begin(), result.trace.begin() + 6,
                         [](const TaskRecord& task) { return task.job == 0; });
  };
  EXPECT_EQ(first_wave(cluster), 4);
  cluster.queues[1].minimum.map_slots = 5;
  EXPECT_EQ(first_wave(cluster), 1);
}

TEST_P(ClusterModel, FairTakesSlotsBackForAQueueBelowItsMinimum) {
  Cluster cluster = nodes(1, {4, 0});
  cluster.queues = {{.name = "a"}, {.name = "b", .minimum = {2, 0}}};
  Workload workload{{job_of("A", std::vector<int>(4, 100'000), {}), job_of("B", {1000, 1000}, {}, 1000)}};
  workload.jobs[0].queue = "a";
  workload.jobs[1].queue = "b";
  EXPECT_EQ(run(workload, cluster, "fair").jobs[1].finish, at_ms(101'000));
  const auto result = run(workload, cluster, "fair(preempt=10s)");
  // B arrives at 1 s; looked at every 5 s, it has lacked its minimum for more than 10 s at 15 s.
  EXPECT_EQ(result.jobs[1].start, at_ms(15'000));
  EXPECT_EQ(result.jobs[0].lost_attempts, 2U);
  EXPECT_EQ(result.jobs[0].finish, at_ms(16'000 + 100'000)) << "two of its maps began anew";
}

TEST_P(ClusterModel, CapacityHoldsQueuesAndUsersToTheirLimits) {
  Cluster cluster = nodes(1, {10, 0});
  cluster.queues = {{.name = "a", .capacity = 50, .maximum = 60, .user_limit_factor = 10},
                    {.name = "b", .capacity = 50, .user_limit_factor = 1}};
  Workload workload{{job_of("A", std::vector<int>(20, 10), {})}};
  workload.jobs[0].queue = "a";
  EXPECT_EQ(run(workload, cluster, "capacity").jobs[0].finish, at_ms(40)) << "6 of 10 slots at most";
  workload.jobs[0].queue = "b";
  EXPECT_EQ(run(workload, cluster, "capacity").jobs[0].finish, at_ms(40)) << "5, the user's limit";
}

TEST_P(ClusterModel, AUserWhoComesToAQueueHasTheLimitOfTheOthers) {
  Cluster cluster = nodes(1, {8, 1});
  cluster.queues = {{.name = "q", .capacity = 100, .user_limit_factor = 0.25}};
  Workload workload{{job_of("A", std::vector<int>(8, 10), {}), job_of("B", std::vector<int>(8, 10), {}, 5)}};
  for (Job& job : workload.jobs) job.queue = "q";
  workload.jobs[0].user = "ann";
  workload.jobs[1].user = "bob";
  const auto result = run(workload, cluster, "capacity");
  EXPECT_EQ(result.jobs[0].finish, at_ms(40)) << "two at a time";
  EXPECT_EQ(result.jobs[1].finish, at_ms(45)) << "likewise, though the limit did not change when he came";
}

TEST_P(ClusterModel, CapacityServesTheQueueFurthestBelowItsGuarantee) {
  Cluster cluster = nodes(1, {10, 0});
  cluster.queues = {{.name = "a", .capacity = 80}, {.name = "b", .capacity = 20}};
  Workload workload{{job_of("A", std::vector<int>(20, 10), {}), job_of("B", std::vector<int>(20, 10), {})}};
  workload.jobs[0].queue = "a";
  workload.jobs[1].queue = "b";
  const auto result = run(workload, cluster, "capacity");
  EXPECT_EQ(std::count_if(result.trace.begin(), result.trace.begin() + 10,
                          [](const TaskRecord& task) { return task.job == 0; }),
            8);
}

TEST_P(ClusterModel, AFailedTaskRunsAgainAndItsJobFailsWhenItFailsTooOften) {
  Cluster cluster = nodes(1, {1, 1});
  cluster.faults = {.task_failure = 1, .max_attempts = 3};
  Workload workload{{job_of("A", {10}, {5}), job_of("B", {1}, {}, 1000)}};
  workload.jobs[1].after = {"A"};
  const auto result = run(workload, cluster);
  EXPECT_TRUE(result.jobs[0].failed);
  EXPECT_EQ(result.jobs[0].failed_attempts, 3U);
  EXPECT_TRUE(result.jobs[1].rejected) << "what it waits for will never be there";
  ASSERT_EQ(result.trace.size(), 3U);
  EXPECT_EQ(result.trace[2].attempt, 2U);
  EXPECT_EQ(result.trace[2].outcome, AttemptOutcome::failed);
}

TEST_P(ClusterModel, ANodeThatGoesTakesItsTasksAndItsMapOutputsWithIt) {
  Cluster cluster = nodes(2, {1, 1});
  cluster.outages = {{"node1", at_ms(15), at_ms(100)}};
  // Both nodes run a map to 10 and one to 20; node1 goes at 15.
  const auto result = run({{job_of("A", {10, 10, 10, 10}, {5})}}, cluster);
  EXPECT_EQ(result.jobs[0].lost_attempts, 1U);
  // node2 is left: its second map to 20, the lost one to 30, the one whose output is gone to 40.
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(40));
  EXPECT_EQ(result.jobs[0].finish, at_ms(45));
  const auto map_only = run({{job_of("A", {10, 10, 10, 10}, {})}}, cluster);
  EXPECT_EQ(map_only.jobs[0].finish, at_ms(30)) << "what a map-only job wrote is safe";
}

TEST_P(ClusterModel, ANodeThatComesBackTakesTasksAgain) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.outages = {{"node1", at_ms(5), at_ms(50)}, {"node1", at_ms(40), at_ms(60)}};
  const auto result = run({{job_of("A", {10}, {})}}, cluster);
  EXPECT_EQ(result.jobs[0].finish, at_ms(70)) << "the outages overlap";
}

TEST_P(ClusterModel, MachinesJoinAndLeave) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.nodes[0].join = at_ms(100);
  EXPECT_EQ(run({{job_of("A", {10}, {})}}, cluster).jobs[0].finish, at_ms(110));
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].join = {};
  cluster.nodes[1].leave = at_ms(15);
  const auto result = run({{job_of("A", {10, 10}, {})}}, cluster);
  EXPECT_EQ(result.jobs[0].lost_attempts, 1U) << "the second began at 10 on the machine that went at 15";
  EXPECT_EQ(result.jobs[0].finish, at_ms(110));
}

TEST_P(ClusterModel, MachinesAreTakenAwayWhileTheirPriceIsAboveTheBid) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.nodes[0].spot = {{at_ms(0), 0.1}, {at_ms(50), 0.4}, {at_ms(80), 0.2}};
  cluster.nodes[0].bid = 0.3;
  const auto result = run({{job_of("A", {40, 40}, {})}}, cluster);
  EXPECT_EQ(result.jobs[0].lost_attempts, 1U);
  EXPECT_EQ(result.jobs[0].finish, at_ms(120)) << "from 40 to 50, and again from 80 on";
}

TEST_P(ClusterModel, AJobWithoutANodeForeverIsNamed) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.outages = {{"node1", at_ms(5), {}}};
  try {
    (void)run({{job_of("A", {10}, {})}}, cluster);
    FAIL() << "nothing was thrown";
  } catch (const NoAnswer& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("job 'A' can never be placed"));
  }
}

TEST_P(ClusterModel, ASlowTaskIsRunTwiceAndTheFirstToEndCounts) {
  // Three nodes, one of them ten times slower: its map would end at 1,000.
  Cluster cluster = nodes(2, {1, 0});
  NodeGroup slow = cluster.nodes[0];
  slow.count = 1;
  slow.speed = 0.1;
  cluster.nodes.insert(cluster.nodes.begin(), slow);
  cluster.mode.speculation = true;
  cluster.mode.speculation_after = ms(60);
  cluster.mode.speculation_check = ms(50);
  for (const SpeculationRule rule : {SpeculationRule::hadoop, SpeculationRule::late}) {
    cluster.mode.rule = rule;
    const auto result = run({{job_of("A", {100, 100, 140}, {})}}, cluster);
    EXPECT_EQ(result.jobs[0].second_attempts, 1U);
    EXPECT_EQ(result.jobs[0].lost_attempts, 1U);
    EXPECT_EQ(result.jobs[0].finish, at_ms(200)) << "found slow at 100, done elsewhere by 200";
    EXPECT_EQ(result.trace.front().outcome, AttemptOutcome::killed);
    EXPECT_EQ(result.trace.front().end, at_ms(200));
  }
}

TEST_P(ClusterModel, StragglersTakeLonger) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.faults = {.straggler = 1, .straggler_slowdown = 3};
  EXPECT_EQ(run({{job_of("A", {10}, {})}}, cluster).jobs[0].finish, at_ms(30));
}

// One second attempt at a time [LATE]. Those of A's reduces start at 11, pay no first shuffle and end at
// once: B's slow one has its turn at the same instant.
TEST_P(ClusterModel, ASecondAttemptOfNoLengthLeavesItsPlaceAtTheSameInstant) {
  Cluster cluster = nodes(9, {1, 1});
  cluster.mode.speculation = true;
  cluster.mode.rule = SpeculationRule::late;
  cluster.mode.speculation_after = ms(10);
  cluster.mode.speculation_check = ms(1);
  Job a = job_of("A", {1}, {0, 0, 0, 0}), b = job_of("B", {}, {40, 40, 40, 100}, 1);
  a.first_shuffles = {ms(20), ms(20), ms(20), ms(60)};
  a.shuffles.assign(4, ms(0));
  const auto result = run({{a, b}}, cluster);
  std::vector<TaskRecord> seconds;
  for (const TaskRecord& task : result.trace) {
    if (task.attempt > 0 && task.start == at_ms(11)) seconds.push_back(task);
  }
  ASSERT_GE(seconds.size(), 2U) << testing::PrintToString(result.trace);
  EXPECT_EQ(seconds.front().job, 0U);
  EXPECT_EQ(seconds.front().end, at_ms(11));
  EXPECT_EQ(seconds.back().job, 1U);
}

// Two maps on one processor take turns: 2 x 10 ms; a third of another job, that only waits, goes on beside.
TEST_P(ClusterModel, WorkThatKeepsProcessorsBusySharesThem) {
  Cluster cluster = nodes(1, {3, 0});
  cluster.launches = {{}, {}, 1, true};
  Job busy = job_of("A", {10, 10}, {});
  busy.processor_bound = true;
  const auto result = run({{busy, job_of("B", {10}, {})}}, cluster);
  EXPECT_EQ(result.trace[0].end, at_ms(20));
  EXPECT_EQ(result.trace[1].end, at_ms(20));
  EXPECT_EQ(result.trace[2].end, at_ms(10));
  EXPECT_EQ(result.map_busy, ms(50));
}

TEST_P(ClusterModel, LaunchesAndWorkSlowEachOther) {
  Cluster cluster = nodes(1, {2, 0});
  cluster.launches = {ms(3), {}, 1, true};
  Job busy = job_of("A", {10}, {});
  busy.processor_bound = true;
  const auto result = run({{busy, job_of("B", {5}, {}, 7)}}, cluster);
  EXPECT_EQ(result.trace[0].end, at_ms(16)) << "3 of launch, 4 alone, 6 at half speed, 3 alone";
  EXPECT_EQ(result.trace[1].end, at_ms(7 + 6 + 5));
}

// A reduce waits for the network without a processor: 6 ms of shuffle, then 10 of work.
TEST_P(ClusterModel, AShuffleKeepsNoProcessorBusy) {
  Cluster cluster = nodes(1, {2, 1});
  cluster.launches = {{}, {}, 1, true};
  Job busy = job_of("A", {}, {10});
  busy.first_shuffles = busy.shuffles = {ms(6)};
  busy.processor_bound = true;
  Job other = job_of("B", {6}, {});
  other.processor_bound = true;
  const auto result = run({{busy, other}}, cluster);
  EXPECT_EQ(result.jobs[1].finish, at_ms(6));
  EXPECT_EQ(result.jobs[0].finish, at_ms(16));
}

TEST_P(ClusterModel, EachNodeSharesItsOwnProcessors) {
  Cluster cluster = nodes(2, {1, 0});
  Job busy = job_of("A", {10, 10}, {});
  busy.processor_bound = true;
  for (const bool of_node : {true, false}) {
    cluster.launches = {{}, {}, 1, of_node};
    EXPECT_EQ(run({{busy}}, cluster).makespan, ms(of_node ? 10 : 20));
  }
}

TEST(SimulateCluster, RefusesMorePlacesForTasksThanThereIsMemoryFor) {
  Cluster cluster = nodes(20'000, {8, 8});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", std::vector<int>(1'000, 5), {});
  job.classes["gpu"] = {1, 1'000'000, 1};
  Policy policy = make_policy("fifo", {});
  try {
    (void)simulate_on({{job}}, policy, {cluster, 1, false});
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("up to 1000 tasks share"));
  }
}

TEST(SimulateOn, FollowsAJobsOwnSpeedOnNodesThatAreAFlatPoolToOthers) {
  Cluster cluster = nodes(1, {1, 0});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10}, {});
  job.classes["gpu"] = {2, 1, 1};
  Policy policy = make_policy("fifo", {});
  EXPECT_EQ(simulate_on({{job}}, policy, {cluster, 1, false}).jobs[0].finish, at_ms(5));
}

INSTANTIATE_TEST_SUITE_P(BothEngines, ClusterModel,
                         ::testing::Values(&simulate_cluster, &simulate_cluster_reference),
                         [](const auto& each) { return each.index == 0 ? "Fast" : "Reference"; });

// A placer that does what it must not.
class Wrong final : public Placer {
 public:
  explicit Wrong(int fault) : fault_(fault) {}
  [[nodiscard]] std::string name() const override { return "wrong"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return {}; }
  void on(const Event&, const View&, Decisions&) override {}
  [[nodiscard]] std::optional<TaskChoice> place(const Offer&, Candidates& candidates, const View&,
                                                Decisions&) override {
    auto choice = candidates.closest(*candidates.next(), Locality::off_rack);
    if (fault_ == 0) return std::nullopt;
    if (fault_ == 1) choice->task = 0;   // again and again
    if (fault_ == 2) choice->task = 99;  // there is none
    return choice;
  }

 private:
  int fault_;
};

std::string complaint(int fault, const Cluster& cluster) {
  Policy policy{make_fifo(), std::make_unique<Wrong>(fault)};
  try {
    (void)simulate_cluster({{job_of("A", {10, 10}, {})}}, policy, {cluster, 1, false});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ClusterSimulation, StopsAPlacerThatMisbehaves) {
  const Cluster cluster = racks();
  EXPECT_THAT(complaint(1, cluster),
              testing::HasSubstr("chose task 0 of job 'A' for node 'a2', which has started"));
  EXPECT_THAT(complaint(2, cluster), testing::HasSubstr("chose task 99 of job 'A'"));
  EXPECT_THAT(complaint(2, nodes(1, {1, 0})), testing::HasSubstr("which is not the next one"));
}

TEST(ClusterSimulation, NamesTheJobThatAPlacerNeverPlaces) {
  Cluster cluster = nodes(1, {1, 0});
  EXPECT_THAT(complaint(0, cluster), testing::HasSubstr("job 'A' can never be placed"));
  cluster.mode.heartbeat = ms(3);
  EXPECT_THAT(complaint(0, cluster), testing::HasSubstr("is never placed"));
}

// A launch that begins at the instant of a heartbeat does not make it a second one.
TEST(ClusterSimulation, GivesOneMapAHeartbeatAlsoWhereLaunchesShareProcessors) {
  Cluster cluster = nodes(1, {3, 0});
  cluster.mode.heartbeat = ms(100);
  cluster.mode.maps_per_heartbeat = 1;
  cluster.launches = {ms(40), ms(40), 1, false};
  Policy policy{make_fifo(), nullptr};
  const SimulationResult result =
      simulate_cluster({{job_of("A", {1'000, 1'000, 1'000}, {})}}, policy, {cluster, 1, true});
  ASSERT_EQ(result.trace.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(result.trace[i].start, at_ms(100 * static_cast<std::int64_t>(i)));
    EXPECT_EQ(result.trace[i].end, result.trace[i].start + ms(1'040));
  }
}

TEST(ClusterSimulation, NamesTheJobThatFindsNoSlot) {
  Policy policy = make_policy("fair");
  try {
    (void)simulate_cluster({{job_of("A", {10}, {5})}}, policy, {nodes(2, {1, 0}), 1, false});
    FAIL();
  } catch (const NoAnswer& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("job 'A' can never be placed"));
  }
}

}  // namespace
}  // namespace wavewright
