// The locality rate and the response time of maps [UNL eqs 4.1 and 4.2].
#include "wavewright/sim/metrics/map_locality.h"

#include <gtest/gtest.h>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"

namespace wavewright {
namespace {

class MapLocalityTest : public OnEachEngine {};

// a1, a2 in rack /a (1.5 times as long), b1 outside (3 times); A's blocks lie on a1. All three maps start at
// 100: they end at 110, 115 and 130.
TEST_P(MapLocalityTest, IsCountedByNodeAndFromTheSubmission) {
  Workload workload{{job_of("A", {10, 10, 10}, {}, 100)}};
  workload.jobs[0].splits.assign(3, {"a1"});
  const MapLocality found = map_locality(run(workload, two_racks()), workload);
  EXPECT_EQ(found.local, 1);
  EXPECT_EQ(found.elsewhere, 2) << "a block in the rack is elsewhere";
  EXPECT_DOUBLE_EQ(*found.rate(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(*found.local_response_ms(), 10);
  EXPECT_DOUBLE_EQ(*found.elsewhere_response_ms(), (15 + 30) / 2.0);
  EXPECT_DOUBLE_EQ(*found.response_ms(), *found.rate() * *found.local_response_ms() +
                                             (1 - *found.rate()) * *found.elsewhere_response_ms());
}

// B waits for A, which ends at 10; both of its maps wait for a1 as well: 20 and 30.
TEST_P(MapLocalityTest, CountsTheWaitForASlotButNotForPredecessors) {
  Workload workload{{job_of("A", {10}, {}), job_after("B", {10, 10}, {}, {"A"})}};
  for (Job& job : workload.jobs) job.splits.assign(job.maps.size(), {"a1"});
  const MapLocality found = map_locality(run(workload, two_racks(), "fifo+delay(1h)"), workload);
  EXPECT_EQ(found.local, 3);
  EXPECT_DOUBLE_EQ(*found.response_ms(), (10 + 10 + 20) / 3.0);
  EXPECT_FALSE(found.elsewhere_response_ms());
}

TEST_P(MapLocalityTest, IsUnknownWithoutMaps) {
  Cluster cluster = two_racks();
  cluster.nodes[0].slots.reduce_slots = 1;
  const Workload workload{{job_of("A", {}, {10})}};
  const MapLocality found = map_locality(run(workload, cluster), workload);
  EXPECT_FALSE(found.rate());
  EXPECT_FALSE(found.response_ms());
}

// Failed attempts take time, and are no maps of their own.
TEST_P(MapLocalityTest, CountsMapsNotAttempts) {
  Cluster cluster = two_racks();
  cluster.faults.task_failure = 0.5;
  cluster.faults.max_attempts = 99;
  const Workload workload{{job_of("A", std::vector<int>(40, 10), {})}};
  const SimulationResult result = run(workload, cluster);
  ASSERT_GT(result.jobs[0].failed_attempts, 0U);
  EXPECT_EQ(map_locality(result, workload).maps(), 40);
}

INSTANTIATE_TEST_SUITE_P(Engines, MapLocalityTest, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
