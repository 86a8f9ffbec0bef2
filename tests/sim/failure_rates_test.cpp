// How often attempts fail where the cluster, a node and a job each have a rate of their own.
#include "tests/sim/small_jobs.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

struct Rates {
  double cluster = 0;
  double node = 0;
  double job = 0;
};

// Failed attempts of all that ended, over 1,000 maps that are tried until each has succeeded.
double failing_share(const Rates& rates) {
  NodeGroup group;
  group.count = 4;
  group.slots = {5, 0};
  group.task_failure = rates.node;
  Cluster cluster;
  cluster.nodes.push_back(group);
  cluster.faults.task_failure = rates.cluster;
  cluster.faults.max_attempts = 1'000;
  Job job = job_of("A", std::vector<int>(1'000, 10), {});
  job.task_failure = rates.job;
  Policy policy = make_policy("fifo");
  const SimulationResult result = simulate_on({{job}}, policy, {cluster, 1, false});
  EXPECT_FALSE(result.jobs.at(0).failed);
  const double failed = result.jobs.at(0).failed_attempts;
  return failed / (failed + 1'000);
}

// An attempt succeeds only where none of the three lets it fail: 1 − (1 − a)(1 − b)(1 − c). Of 1,000 maps
// and more, one standard deviation is below 0.016.
TEST(FailureRates, OfClusterNodeAndJobAddUpAsIndependentRisks) {
  EXPECT_NEAR(failing_share({.cluster = 0.3, .node = 0.3}), 0.51, 0.06) << "1 − 0.7²";
  EXPECT_NEAR(failing_share({.cluster = 0.3, .job = 0.3}), 0.51, 0.06);
  EXPECT_NEAR(failing_share({.node = 0.3, .job = 0.3}), 0.51, 0.06);
  EXPECT_NEAR(failing_share({.cluster = 0.3, .node = 0.3, .job = 0.3}), 0.657, 0.06) << "1 − 0.7³";
}

TEST(FailureRates, OneAloneIsWhatItSays) {
  EXPECT_NEAR(failing_share({.cluster = 0.3}), 0.3, 0.06);
  EXPECT_NEAR(failing_share({.node = 0.3}), 0.3, 0.06);
  EXPECT_NEAR(failing_share({.job = 0.3}), 0.3, 0.06);
  EXPECT_EQ(failing_share({}), 0);
}

}  // namespace
}  // namespace wavewright
