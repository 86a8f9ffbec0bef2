// By which estimate a policy counts the slots of a job.
#include <gtest/gtest.h>

#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// Machines of one map slot that are rented for ten maps of 10 s, due in 25 s.
std::size_t machines_by(const std::string& slots) {
  Workload workload;
  Job job;
  job.id = "j";
  job.maps.assign(10, ms(10'000));
  job.deadline = at_ms(25'000);
  workload.jobs.push_back(job);
  NodeGroup machine;
  machine.count = 20;
  machine.slots = {1, 1};
  machine.rent = true;
  Cluster cluster;
  cluster.nodes.push_back(machine);
  PolicyRegistry registry = standard_policies();
  for (PolicyEntry& entry : deadline_policies()) registry.add(std::move(entry));
  Policy policy = make_policy_on("ndasa(machines=on-demand, slots=" + slots + ")", cluster, registry);
  ClusterOptions options;
  options.cluster = cluster;
  return simulate_cluster(workload, policy, options).leases.size();
}

TEST(Estimators, CountSlotsEachByItsFormula) {
  EXPECT_EQ(machines_by("low"), 4U);      // 10·10 s / n ≤ 25 s
  EXPECT_EQ(machines_by("linear"), 4U);   // the same, as all maps are alike
  EXPECT_EQ(machines_by("average"), 5U);  // (100/n + 90/n + 10)/2
  EXPECT_EQ(machines_by("wave"), 5U);     // ⌈10/n⌉ ≤ 2
  EXPECT_EQ(machines_by("up"), 6U);       // 90/n + 10
}

}  // namespace
}  // namespace wavewright
