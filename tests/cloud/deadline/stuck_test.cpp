// Jobs that are over as soon as they are admitted, and runs that cannot go on: each says why it ends.
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

SimulationResult run(const Workload& workload, const std::string& policy, const std::string& cluster) {
  ClusterOptions options;
  options.cluster = parse_cluster(cluster, "cloud.toml");
  Policy made = make_policy_on(policy, options.cluster, PolicyRegistry(deadline_policies()));
  return simulate_cluster(workload, made, options);
}

Job job(const std::string& id, std::vector<Duration> maps, std::vector<Duration> reduces = {}) {
  Job job;
  job.id = id;
  job.maps = std::move(maps);
  job.reduces = std::move(reduces);
  return job;
}

Workload jobs_of(std::initializer_list<Job> jobs) {
  Workload workload;
  workload.jobs = jobs;
  return workload;
}

const std::string machines =
    "[[nodes]]\ncount = 9\nmap_slots = 1\nreduce_slots = 1\nprice_per_hour = 0.5\nrent = true\nboot_ms = "
    "60000\n";

TEST(Admission, OfAJobWithoutTasksEndsItAtOnce) {
  // It is over while it is admitted, so nothing is under way and the next job must not wait for it.
  Job second = job("B", {ms(1000)});
  second.after = {"A"};
  for (const std::string policy : {"evedf", "epedf", "edf", "least-slack", "ndasa", "mdasa"}) {
    const SimulationResult result =
        run(jobs_of({job("A", {}), second}), policy + "(machines=on-demand)", machines);
    EXPECT_EQ(result.leases.size(), 1U) << policy;
    EXPECT_GT(result.jobs[1].finish, at_ms(60'000)) << policy;
  }
}

TEST(Admission, CountsReducesThatWaitForNoMap) {
  Job eight = job("A", {ms(100'000)}, std::vector<Duration>(8, ms(10'000)));
  eight.deadline = at_ms(190'000);
  for (const std::string policy : {"edf", "ndasa", "mdasa"}) {
    const SimulationResult result =
        run(jobs_of({eight}), policy + "(machines=on-demand)", "[mode]\nslowstart = 0.0\n" + machines);
    EXPECT_GE(result.leases.size(), 3U) << policy << ": eight reduces of 10 s have 30 s after the map";
    EXPECT_LE(result.jobs[0].finish, *eight.deadline) << policy;
  }
}

std::string complaint(const Workload& workload, const std::string& policy, const std::string& cluster) {
  try {
    (void)run(workload, policy, cluster);
  } catch (const Infeasible& error) {
    return error.what();
  }
  return "";
}

TEST(StuckRuns, SayThatNoMachineIsRented) {
  // Timers go on: the policy looks at the price each minute.
  const Workload one = jobs_of({job("A", {ms(1000)})});
  for (const std::string policy : {"edf(machines=spot)", "autoscaler(machines=spot)", "edf"}) {
    EXPECT_THAT(complaint(one, policy, machines + "spot = [[0, 0.9]]\n"),
                testing::HasSubstr("no machine is there, and policy '" + policy.substr(0, policy.find('(')) +
                                   "' rents none; let it rent"));
  }
}

TEST(StuckRuns, SayThatNoMachineHasSlotsOfTheKind) {
  const Workload one = jobs_of({job("A", {}, {ms(1000)})});
  const std::string maps_only = "[[nodes]]\ncount = 2\nmap_slots = 1\nprice_per_hour = 0.5\nrent = true\n";
  for (const std::string policy : {"edf(machines=on-demand)", "fixed-size(1, machines=on-demand)"})
    EXPECT_THAT(complaint(one, policy, maps_only), testing::HasSubstr("may use no reduce slot")) << policy;
}

TEST(StuckRuns, SayThatMastersHoldTheMemory) {
  const Workload two = jobs_of({job("A", {ms(1000)}), job("B", {ms(1000)})});
  const std::string memory =
      "[mode]\nkind = \"containers\"\n[[nodes]]\ncount = 1\nmemory_mb = 3072\nvcores = 8\nprice_per_hour = "
      "0.5\n"
      "rent = true\n";
  for (const std::string policy : {"autoscaler(machines=on-demand)", "fixed-size(1, machines=on-demand)"}) {
    EXPECT_THAT(complaint(two, policy, memory), testing::HasSubstr("2 application masters hold memory"))
        << policy;
  }
}

}  // namespace
}  // namespace wavewright
