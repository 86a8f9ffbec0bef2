// Bounds of tasks' lengths, by which deadlines are promised: small cases by hand.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/realtime/worlds.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

const std::vector<std::string> promising{"rtmr",
                                         "rtmr(estimate=100%)",
                                         "rtmr(feedback=tasks)",
                                         "rtmr(feedback=tasks, order=any)",
                                         "constraint(check=interval)",
                                         "reservations(step=1ms)"};

// The job is accepted with the deadline, and not with one that is 1 ms sooner.
void expect_promised_by(Job job, const Cluster& cluster, int deadline) {
  for (const std::string& policy : promising) {
    job.deadline = at_ms(deadline - 1);
    EXPECT_TRUE(run({{job}}, policy, cluster).jobs[0].rejected) << policy;
    job.deadline = at_ms(deadline);
    const JobOutcome accepted = run({{job}}, policy, cluster).jobs[0];
    EXPECT_FALSE(accepted.rejected) << policy;
    EXPECT_LE(accepted.finish, at_ms(deadline)) << policy;
  }
}

Cluster cluster_of(const std::string& text) {
  return parse_cluster(text, "cluster.toml");
}

// Its reduce starts when its map ends, which counts as the first wave.
TEST(TaskBound, AReduceMayShuffleAsTheFirstWave) {
  Job job = a_job("A", 0, 0, {ms(2)}, {ms(1)});
  job.first_shuffles = {ms(10)};
  job.shuffles = {ms(1)};
  expect_promised_by(job, nodes(1, 1, 1), 13);
}

TEST(TaskBound, ALaterWaveMayTakeLonger) {
  Job job = a_job("A", 0, 0, {ms(2)}, {ms(1), ms(1)});
  job.first_shuffles = {ms(1), ms(1)};
  job.shuffles = {ms(10), ms(10)};
  expect_promised_by(job, nodes(1, 1, 2), 13);
}

// The second row is slower than the first, or faster.
TEST(TaskBound, TheSlowestNodesOfAClassCount) {
  for (const double second : {0.5, 4.0}) {
    const Cluster cluster = cluster_of(
        fmt::format("[[nodes]]\nmap_slots = 1\nspeed = 2\n[[nodes]]\nmap_slots = 1\nspeed = {}\n", second));
    expect_promised_by(a_job("A", 0, 0, {ms(10), ms(10)}), cluster, second < 1 ? 20 : 5);
  }
}

TEST(TaskBound, SlowNodesWithoutSlotsOfTheKindDoNotCount) {
  const Cluster cluster =
      cluster_of("[[nodes]]\nmap_slots = 1\nspeed = 2\n[[nodes]]\nreduce_slots = 1\nspeed = 0.5\n");
  expect_promised_by(a_job("A", 0, 0, {ms(10)}, {ms(10)}), cluster, 5 + 20);
}

// A slow node comes at 5 and takes the last map, from 10 to 50.
TEST(TaskBound, ANodeOfTheClassThatComesLaterCounts) {
  const Cluster cluster =
      cluster_of("[[nodes]]\nmap_slots = 1\n[[nodes]]\nmap_slots = 1\nspeed = 0.25\njoin_ms = 5\n");
  const Job job = a_job("A", 0, 30, {ms(10), ms(10), ms(10)});
  for (const std::string& policy : promising)
    EXPECT_TRUE(run({{job}}, policy, cluster).jobs[0].rejected) << policy;
}

// The work of a reduce goes by its node's speed, its shuffle does not.
TEST(TaskBound, AShuffleIsNotFasterOnAFastNode) {
  Job job = a_job("A", 0, 0, {ms(4)}, {ms(4)});
  job.first_shuffles = job.shuffles = {ms(40)};
  expect_promised_by(job, cluster_of("[[nodes]]\nmap_slots = 1\nreduce_slots = 1\nspeed = 4\n"), 1 + 1 + 40);
  expect_promised_by(job, cluster_of("[[nodes]]\nmap_slots = 1\nreduce_slots = 1\nspeed = 0.5\n"),
                     8 + 8 + 40);
}

// The map's block is on node 2, which has no map slot.
TEST(TaskBound, MapsMayBeFarFromTheirBlocks) {
  Job job = a_job("A", 0, 0, {ms(20)});
  job.splits = {{"node2"}};
  expect_promised_by(job,
                     cluster_of("[reads]\nkind = \"slowdown\"\noff_rack = 1.5\n[[nodes]]\nmap_slots = 1\n"
                                "rack = \"/a\"\n[[nodes]]\nreduce_slots = 1\nrack = \"/b\"\n"),
                     30);
}

// On containers a promise holds with the heartbeats of masters, so only the difference to one wave without
// shuffle, or on a node of speed 1, is looked at.
TEST(TaskBound, HoldsOnContainersToo) {
  const auto earliest = [](Job job, const std::string& rows) {
    const Cluster cluster = cluster_of(
        "[mode]\nkind = \"containers\"\n[masters]\nheartbeat_ms = 1\n[containers]\nmaster_memory_mb = 1\n"
        "map_memory_mb = 1\nreduce_memory_mb = 1\n" +
        rows);
    for (int deadline = 1;; ++deadline) {
      job.deadline = at_ms(deadline);
      const JobOutcome outcome = run({{job}}, "rtmr", cluster).jobs[0];
      if (outcome.rejected) continue;
      EXPECT_LE(outcome.finish, *job.deadline);
      return deadline;
    }
  };
  const std::string one = "[[nodes]]\nmemory_mb = 4\nvcores = 4\n", fast = "speed = 4\n";
  Job job = a_job("A", 0, 0, {ms(20)}, {ms(20)});
  const int plain = earliest(job, one);
  job.shuffles = {ms(1)};
  job.first_shuffles = {ms(100)};
  EXPECT_EQ(earliest(job, one), plain + 100);
  EXPECT_EQ(earliest(job, one + fast), plain + 100 - 15 - 15);
  EXPECT_EQ(earliest(job, one + fast + one), plain + 100);
}

// Tasks that share processors or the network take longer than any estimate tells.
TEST(TaskBound, NothingIsPromisedWhereTasksShareProcessorsOrTheNetwork) {
  const std::string slots = "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n",
                    containers = "[mode]\nkind = \"containers\"\n",
                    memory = "[[nodes]]\nmemory_mb = 8192\nvcores = 8\n";
  const auto refusal = [](const std::string& policy, const Cluster& cluster) {
    try {
      (void)make_policy_on(policy, cluster, policies());
    } catch (const UsageError& error) {
      return std::string(error.what());  // with its remedy
    }
    return std::string("taken");
  };
  for (const auto& [shared, why] :
       {std::pair<std::string, std::string>("[launches]\nwork_ms = 10\nprocessors = 1\n",
                                            "launches and tasks of this cluster share processors"),
        {"[launches]\nprocessors = 2\nshared_by = \"cluster\"\n",
         "launches and tasks of this cluster share processors"},
        {"[network]\nshuffle = true\n", "shuffles of this cluster share the network"},
        {"[reads]\nkind = \"network\"\n[network]\ncard_mbps = 1\n",
         "maps of this cluster read their blocks over the network, which they share"}}) {
    for (const std::string& policy : promising) {
      const std::string name = policy.substr(0, policy.find('('));
      EXPECT_THAT(refusal(policy, cluster_of(shared + slots)),
                  testing::StartsWith("policy '" + name + "': nothing can be promised, as " + why + ";"))
          << policy;
    }
    EXPECT_THAT(refusal("rtmr", cluster_of(containers + shared + memory)),
                testing::StartsWith("policy 'rtmr': nothing can be promised, as " + why + ";"));
    for (const std::string policy : {"rtmr(admission=all)", "constraint"})
      EXPECT_EQ(refusal(policy, cluster_of(shared + slots)), "taken") << "it promises nothing";
    EXPECT_EQ(refusal("rtmr(admission=all)", cluster_of(containers + shared + memory)), "taken");
  }
}

}  // namespace
}  // namespace wavewright
