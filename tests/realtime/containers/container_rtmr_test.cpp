// RTMR on containers in the simulator: an accepted job is in time.
#include "wavewright/realtime/containers/container_rtmr.h"

#include <sstream>

#include "tests/realtime/containers/container_worlds.h"
#include "tests/realtime/promise_search.h"
#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

// Two nodes of 4 MiB; masters and tasks of 1, unless it says otherwise. Masters ask each ms.
Cluster small(const std::string& more = "", int nodes = 2) {
  return parse_cluster(
      fmt::format("[mode]\nkind = \"containers\"\n[masters]\nheartbeat_ms = 1\n[containers]\n"
                  "master_memory_mb = 1\nmap_memory_mb = 1\nreduce_memory_mb = 1\n{}"
                  "[[nodes]]\ncount = {}\nmemory_mb = 4\nvcores = 4\n",
                  more, nodes),
      "cluster.toml");
}

TEST(ContainerRtmr, CountsTheMasterAndSharesMemoryBetweenKinds) {
  Workload workload;
  // Of 8 MiB the master has one. So 14 maps are two waves, each of 10 and two waits of 1 ms.
  workload.jobs = {a_job("A", 0, 24, std::vector<Duration>(14, ms(10)))};
  EXPECT_EQ(run(workload, "rtmr", small()).jobs[0].rejected, false);
  workload.jobs[0].deadline = at_ms(23);
  const SimulationResult result = run(workload, "rtmr", small());
  ASSERT_TRUE(result.jobs[0].rejected);
  EXPECT_EQ(result.rejections.at(0).text,
            "It might end only at 24ms; a deadline_ms of 24 (24ms) would be accepted.");
  EXPECT_EQ(run(workload, "rtmr(offer=no)", small()).rejections.at(0).text, "It might end only at 24ms.");
  workload.jobs[0].maps.push_back(ms(10));
  workload.jobs[0].deadline = at_ms(24);
  EXPECT_TRUE(run(workload, "rtmr", small()).jobs[0].rejected) << "15 are three";
  // Reduces have what the maps leave, and come behind all of them, with three waits.
  workload.jobs = {a_job("A", 0, 37, std::vector<Duration>(14, ms(10)), std::vector<Duration>(7, ms(10)))};
  EXPECT_FALSE(run(workload, "rtmr", small()).jobs[0].rejected);
  workload.jobs[0].reduces.push_back(ms(10));
  EXPECT_TRUE(run(workload, "rtmr", small()).jobs[0].rejected);
}

TEST(ContainerRtmr, AJobKeepsItsMasterToItsEnd) {
  Workload workload;
  // With both masters, 6 MiB are left: B's seven maps do not fit beside A's one.
  workload.jobs = {a_job("A", 0, 200, {ms(100)}), a_job("B", 1, 14, std::vector<Duration>(5, ms(10)))};
  EXPECT_FALSE(run(workload, "rtmr", small()).jobs[1].rejected);
  workload.jobs[1].maps.push_back(ms(10));
  EXPECT_TRUE(run(workload, "rtmr", small()).jobs[1].rejected);
  workload.jobs[1].submit = at_ms(103);
  workload.jobs[1].deadline = at_ms(116);
  EXPECT_FALSE(run(workload, "rtmr", small()).jobs[1].rejected) << "A is over";
}

TEST(ContainerRtmr, MemoryIsLeftToReducesOfEarlierJobs) {
  Workload workload;
  // A's five reduces come when its map has ended. Of 6 MiB beside the masters, B may have one meanwhile.
  workload.jobs = {a_job("A", 0, 50, {ms(20)}, std::vector<Duration>(5, ms(10))),
                   a_job("B", 1, 300, std::vector<Duration>(3, ms(50)))};
  const SimulationResult result = run(workload, "rtmr", small());
  EXPECT_LE(result.jobs[0].finish, at_ms(36));
  EXPECT_GT(result.jobs[1].finish, at_ms(80)) << "two of its maps wait for A's reduces";
}

TEST(ContainerRtmr, AJobThatNoMemoryIsSureForIsRejected) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 9'000, {ms(10)}, {ms(10)})};
  const SimulationResult result = run(workload, "rtmr", small("", 1));
  EXPECT_FALSE(result.jobs[0].rejected);
  // A reduce of 4 needs a whole node, and the master may be on it.
  workload.jobs[0].memory.reduce = Bytes{4LL << 20};
  const SimulationResult large = run(workload, "rtmr(admission=all)", small("", 1));
  ASSERT_TRUE(large.jobs[0].rejected);
  EXPECT_EQ(large.rejections.at(0).code, "NoMemory");
  EXPECT_EQ(
      large.rejections.at(0).text,
      "For containers of the jobs here and of its own, 4 MiB are sure in all, and it needs 5 MiB at once.");
}

// The small container of B finds room that is too little for A's map, and A's map waits for it no longer than
// that was promised.
TEST(ContainerRtmr, WhatIsTooLittleForTheFirstJobIsLeftToIt) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 200, std::vector<Duration>(4, ms(10))),
                   a_job("B", 1, 400, std::vector<Duration>(9, ms(50)))};
  workload.jobs[0].memory.map = Bytes{3LL << 20};
  for (const std::string policy : {"rtmr", "rtmr(order=deadline)"}) {
    const SimulationResult result = run(workload, policy, small());
    EXPECT_FALSE(result.jobs[0].rejected || result.jobs[1].rejected);
    EXPECT_LE(result.jobs[0].finish, at_ms(55)) << policy;
  }
}

TEST(ContainerRtmr, AStartedJobGivesWayWhereItIsAskedTo) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 90, std::vector<Duration>(18, ms(10))), a_job("B", 5, 30, {ms(10)})};
  EXPECT_TRUE(run(workload, "rtmr", small()).jobs[1].rejected);
  for (const std::string order : {"deadline", "any"}) {
    const SimulationResult result = run(workload, fmt::format("rtmr(order={})", order), small());
    EXPECT_FALSE(result.jobs[1].rejected) << order;
    EXPECT_LE(result.jobs[1].finish, at_ms(30));
    EXPECT_LE(result.jobs[0].finish, at_ms(90));
  }
}

// The container of a failed map is free at its node's report only.
TEST(ContainerRtmr, ReducesComeAlsoBehindMapsThatFailed) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 9'000, std::vector<Duration>(4, ms(10)), {ms(10), ms(10)})};
  for (const std::int64_t heartbeat : {0, 3}) {
    Cluster cluster = small();
    cluster.faults.task_failure = 0.4;
    cluster.mode.heartbeat = ms(heartbeat);
    Count failed = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Policy policy = make_policy_on("rtmr", cluster, policies());
      const SimulationResult result = simulate_cluster(workload, policy, {.cluster = cluster, .seed = seed});
      failed += result.jobs[0].failed_attempts;
    }
    EXPECT_GT(failed, 20);
  }
}

TEST(ContainerRtmr, NoContainerIsGrantedToMapsThatShareAnother) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 9'000, {ms(10), ms(10)}, {ms(10)})};
  workload.jobs[0].classes["default"].parallelism = 2;
  // Beside the master there is memory for two more.
  Cluster cluster = small("", 1);
  cluster.nodes[0].memory = Bytes{3LL << 20};
  const SimulationResult result = run(workload, "rtmr", cluster);
  EXPECT_FALSE(result.jobs[0].rejected);
  EXPECT_LE(result.jobs[0].finish, at_ms(30));
}

// All maps have ended, and reduces were granted all memory, when a node is lost with outputs that they need.
TEST(ContainerRtmr, ReducesLeaveTheirRoomToMapsThatRunAgain) {
  Workload workload;
  workload.jobs = {a_job("A", 0, 400, std::vector<Duration>(12, ms(12)), std::vector<Duration>(16, ms(14))),
                   a_job("B", 60, 600, std::vector<Duration>(4, ms(5)))};
  Cluster cluster = parse_cluster(
      "[mode]\nkind = \"containers\"\nheartbeat_ms = 1\nlaunch_ms = 1\n"
      "[masters]\nstart_ms = 3\nfinish_ms = 1\nheartbeat_ms = 1\n"
      "[containers]\nmaster_memory_mb = 3\nmap_memory_mb = 2\nreduce_memory_mb = 4\n"
      "[[nodes]]\ncount = 4\nmemory_mb = 16\nvcores = 8\n",
      "cluster.toml");
  for (int node = 1; node <= 4; ++node) {
    for (std::int64_t from = 14; from < 40; ++from) {
      for (const std::int64_t away : {5, 40, 1'000}) {
        cluster.outages = {{fmt::format("node{}", node), at_ms(from), at_ms(from + away)}};
        const SimulationResult result = run(workload, "rtmr", cluster);
        for (const auto& job : result.jobs)
          EXPECT_LT(job.finish, at_ms(300)) << "node" << node << " from " << from << " for " << away;
      }
    }
  }
}

// A node is lost. N goes first, and its map has no room beside both masters, so that A goes on until it is
// over.
TEST(ContainerRtmr, AJobWithoutRoomBesideTheMastersBehindItIsPassedOver) {
  Cluster cluster = parse_cluster(
      "[mode]\nkind = \"containers\"\n[masters]\nheartbeat_ms = 1\n"
      "[containers]\nmaster_memory_mb = 3\nmap_memory_mb = 2\nreduce_memory_mb = 2\n"
      "[[nodes]]\ncount = 2\nmemory_mb = 8\nvcores = 8\n",
      "cluster.toml");
  cluster.outages = {{"node2", at_ms(8), at_ms(5'000)}};
  Workload workload;
  workload.jobs = {a_job("A", 0, 9'000, std::vector<Duration>(12, ms(10))), a_job("N", 5, 800, {ms(10)})};
  workload.jobs[1].memory.map = Bytes{5LL << 20};
  const SimulationResult result = run_both(workload, "rtmr(order=deadline)", cluster);
  EXPECT_FALSE(result.jobs[1].rejected);
  EXPECT_LE(result.jobs[0].finish, at_ms(300));
  EXPECT_LE(result.jobs[1].finish, at_ms(400));
}

// J4's map runs again, and has no room beside the masters of J4 and J2. So J1 gets no master yet: beside J4's
// there would be no room for J1's map, either.
TEST(ContainerRtmr, MastersOfJobsThatArePassedOverCount) {
  const Cluster cluster = parse_cluster(
      "[mode]\nkind = \"containers\"\nheartbeat_ms = 1\nout_of_band = true\n[faults]\ntask_failure = "
      "0.3\nmax_attempts = 30\n"
      "[limits]\nmin_memory_mb = 2\n[masters]\nheartbeat_ms = 4\n"
      "[containers]\nmaster_memory_mb = 1\nmap_memory_mb = 1\nmap_vcores = 2\nreduce_memory_mb = "
      "1\ncount_vcores = true\n"
      "[[outages]]\nnode = \"node1\"\nfrom_ms = 10\nto_ms = 11\n"
      "[[nodes]]\ncount = 2\nmemory_mb = 10\nvcores = 3\n"
      "[[nodes]]\nclass = \"other\"\nspeed = 0.5\nmemory_mb = 3\nvcores = 2\n",
      "cluster.toml");
  Workload workload;
  workload.jobs = {a_job("J5", 0, 20, std::vector<Duration>(4, ms(1))), a_job("J4", 0, 0, {ms(1)}, {ms(7)}),
                   a_job("J3", 0, 0, {}), a_job("J2", 0, 0, {}), a_job("J1", 0, 0, {ms(1)}, {ms(1)})};
  workload.jobs[1].first_shuffles = {ms(0)};
  workload.jobs[1].shuffles = {ms(12)};
  for (std::size_t i = 1; i < workload.jobs.size(); ++i) workload.jobs[i].deadline.reset();
  const SimulationResult result = run_both(workload, "rtmr", cluster);
  EXPECT_GT(result.jobs[1].lost_attempts, 0U);
  EXPECT_GT(result.jobs[4].finish, result.jobs[1].finish);
}

TEST(ContainerRtmr, WhatIsForSlotsOnlyIsRefused) {
  for (const std::string policy :
       {"rtmr(feedback=jobs)", "rtmr(feedback=none)", "rtmr(series=a/1h/2)", "rtmr(slots=fewest)",
        "rtmr(slots=all)", "rtmr(threshold=1s)", "rtmr(reads=blocks)", "constraint", "reservations"}) {
    EXPECT_THROW((void)make_policy_on(policy, small(), policies()), UsageError) << policy;
  }
  for (const std::string policy :
       {"rtmr(feedback=tasks)", "rtmr(reads=near, estimate=90%)", "rtmr(reads=far)"})
    EXPECT_NO_THROW((void)make_policy_on(policy, small(), policies())) << policy;
  Cluster cluster = small();
  cluster.containers.per_heartbeat = 1;
  EXPECT_NO_THROW((void)make_policy_on("rtmr", cluster, policies()))
      << "without heartbeats there is no limit";
  cluster.mode.heartbeat = ms(10);
  EXPECT_THROW((void)make_policy_on("rtmr", cluster, policies()), UsageError);
}

TEST(ContainerRtmr, ANodeThatIsLostIsCountedNoMore) {
  Workload workload;
  workload.jobs = {a_job("A", 20, 45, std::vector<Duration>(7, ms(10)))};
  Cluster cluster = small();
  EXPECT_FALSE(run(workload, "rtmr", cluster).jobs[0].rejected);
  cluster.outages = {{"node2", at_ms(5), {}}};
  EXPECT_TRUE(run(workload, "rtmr", cluster).jobs[0].rejected);
  cluster.outages = {{"node2", at_ms(5), at_ms(15)}};
  EXPECT_FALSE(run(workload, "rtmr", cluster).jobs[0].rejected);
  cluster.outages = {{"node2", at_ms(0), {}}};
  EXPECT_TRUE(run_both(workload, "rtmr", cluster).jobs[0].rejected);
  workload.jobs[0].submit = at_ms(0);
  workload.jobs[0].deadline = at_ms(25);
  EXPECT_TRUE(run_both(workload, "rtmr", cluster).jobs[0].rejected) << "it is not there when A comes";
  workload.jobs[0].submit = at_ms(20);
  workload.jobs[0].deadline = at_ms(45);
  // It takes A's master or maps with it: A goes on, and ends.
  cluster.outages = {{"node2", at_ms(25), {}}};
  EXPECT_GT(run(workload, "rtmr", cluster).jobs[0].finish, at_ms(45));
}

std::string text_of(const World& world) {
  std::ostringstream jobs;
  write_workload(jobs, world.workload);
  return to_toml(world.cluster) + jobs.str();
}

const std::vector<std::string> orders{"rtmr", "rtmr(order=deadline)", "rtmr(order=any)"};

TEST(ContainerRtmr, AcceptedJobsAreInTime) {
  Promised promised;
  holds_always(
      [&] {
        const World world = some_container_world();
        const std::string policy = *rc::gen::elementOf(orders);
        RC_LOG() << policy << "\n" << text_of(world);
        const SimulationResult result = run_both(world.workload, policy, world.cluster);
        promised.expect_in_time(world, result);
      },
      3'000);
  EXPECT_GT(promised.accepted, sized(3'000));
  EXPECT_GT(promised.rejected, sized(3'000));
  EXPECT_GT(promised.with_heartbeats, sized(800));
}

// Maps fail, share containers, and lose their outputs with a node that comes back. Only then may masters of
// several jobs leave no memory for a map, as they do under YARN's own schedulers.
TEST(ContainerRtmr, AllJobsEndWhateverFails) {
  Count failed = 0, lost = 0;
  int sharing = 0, ended = 0, without_room = 0;
  holds_always(
      [&] {
        World world = some_container_world();
        world.cluster.faults.task_failure = *rc::gen::element(0.0, 0.3);
        world.cluster.faults.max_attempts = 30;
        if (*rc::gen::inRange(0, 2) == 0) {
          const Time from = at_ms(*rc::gen::inRange(1, 150));
          world.cluster.outages = {{"node1", from, from + ms(*rc::gen::inRange(1, 100))}};
        }
        if (*rc::gen::inRange(0, 3) == 0) {
          for (Job& job : world.workload.jobs) job.classes["default"].parallelism = 2;
          ++sharing;
        }
        const std::string policy = *rc::gen::elementOf(orders);
        RC_LOG() << policy << "\n" << text_of(world);
        try {
          const SimulationResult result = run_both(world.workload, policy, world.cluster);
          for (const auto& job : result.jobs) {
            failed += job.failed_attempts;
            lost += job.lost_attempts;
          }
          ++ended;
        } catch (const Infeasible& stuck) {
          RC_LOG() << stuck.what() << "\n";
          RC_ASSERT(!world.cluster.outages.empty());
          RC_ASSERT(std::string(stuck.what()).find("application masters hold memory") != std::string::npos);
          RC_ASSERT(std::string(stuck.what()).find(": 1 application masters") == std::string::npos);
          ++without_room;
        }
      },
      2'000);
  EXPECT_GT(failed, rare(400));
  EXPECT_GT(lost, rare(100));
  EXPECT_GT(sharing, rare(400));
  EXPECT_LT(100 * without_room, ended);
}

// Placed anew at each event, no job ends later than it was promised when the last one was accepted; what has
// been given is what was granted.
TEST(ContainerRtmr, WhatIsPlacedAnewIsNoLaterThanWhatWasPromised) {
  int looked = 0, earlier = 0;
  holds_always(
      [&] {
        const World world = some_container_world();
        const std::string policy = *rc::gen::elementOf(orders);
        RC_LOG() << policy << "\n" << text_of(world);
        std::map<JobIndex, Time> promised;
        Policy made = make_policy_on(policy, world.cluster, policies());
        const bool by_memory = !world.cluster.containers.count_vcores;
        made.allocator = std::make_unique<LookingOn>(
            std::move(made.allocator),
            [&](const Event& event, const View& view, ContainerRtmrAllocator& its) {
              RC_ASSERT(!by_memory || view.used(root_group).map_slots <= its.granted());
              const bool may_be_new = event.what == Event::What::arrived;
              for (const auto& [job, end] : its.estimates(view)) {
                const auto before = promised.find(job);
                if (before != promised.end() && !may_be_new) {
                  RC_LOG() << to_ms(view.now()) << ": job " << job << " may end at " << to_ms(end)
                           << ", before " << to_ms(before->second) << "\n";
                  RC_ASSERT(end <= before->second);
                  earlier += end < before->second ? 1 : 0;
                  ++looked;
                }
                promised[job] = end;
                RC_ASSERT(end <= view.facts(job).deadline.value_or(Time::max()));
              }
            });
        (void)simulate_cluster(world.workload, made, {world.cluster});
      },
      1'500);
  EXPECT_GT(looked, sized(50'000));
  EXPECT_GT(earlier, sized(1'000));
}

TEST(ContainerRtmr, ASearchFindsNoWorldWithABrokenPromise) {
  int tight = 0;
  for (int seed = 0; seed < sized(150); ++seed) {
    Random random(1, "adversary", static_cast<std::uint64_t>(seed));
    World world =
        container_world([&](int low, int high) { return static_cast<int>(random.integer(low, high - 1)); });
    const std::string& policy = orders[static_cast<std::size_t>(seed) % orders.size()];
    const Nearest nearest = climb(std::move(world), policy, random);
    ASSERT_GE(nearest.slack, 0) << policy << "\n" << text_of(nearest.world);
    tight += nearest.slack <= 12 ? 1 : 0;
  }
  EXPECT_GT(tight, rare(40)) << "it comes near";
}

}  // namespace
}  // namespace wavewright
