// Where maps go, and placers that misbehave.
#include <gmock/gmock.h>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policies/fifo.h"

namespace wavewright {
namespace {

class PlacementModel : public OnEachEngine {};

TEST_P(PlacementModel, MapsGoWhereTheirBlocksAreAndPayForDistance) {
  Workload workload{{job_of("A", {10, 10, 10}, {})}};
  workload.jobs[0].splits = {{"b1"}, {"a1"}, {"a1"}};
  const auto result = run(workload, two_racks());
  EXPECT_EQ(result.trace[0], (TaskRecord{0, Kind::map, 1, 0, at_ms(0), at_ms(10), 0, Locality::node}));
  EXPECT_EQ(result.trace[1], (TaskRecord{0, Kind::map, 2, 1, at_ms(0), at_ms(15), 1, Locality::rack}));
  EXPECT_EQ(result.trace[2], (TaskRecord{0, Kind::map, 0, 2, at_ms(0), at_ms(10), 2, Locality::node}));
  workload.jobs[0].splits = {{"a1"}, {"a1"}, {"a2"}};
  const auto far = run(workload, two_racks());
  EXPECT_EQ(far.trace[2], (TaskRecord{0, Kind::map, 1, 2, at_ms(0), at_ms(30), 2, Locality::off_rack}));
  EXPECT_EQ(far.jobs[0].node_local, 2U);
  EXPECT_EQ(far.jobs[0].off_rack, 1U);
}

INSTANTIATE_TEST_SUITE_P(Engines, PlacementModel, cluster_engines(), name_of_engine);

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

std::string complaint(int fault, const Cluster& cluster, bool by_reference = false) {
  Policy policy{make_fifo(), std::make_unique<Wrong>(fault)};
  const Workload workload{{job_of("A", {10, 10}, {})}};
  const auto simulate = by_reference ? simulate_cluster_reference : simulate_cluster;
  try {
    (void)simulate(workload, policy, {cluster, 1, false});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ClusterSimulation, StopsAPlacerThatMisbehaves) {
  const Cluster cluster = two_racks();
  EXPECT_THAT(complaint(1, cluster),
              testing::HasSubstr("chose task 0 of job 'A' for node 'a2', which has started"));
  EXPECT_THAT(complaint(2, cluster), testing::HasSubstr("chose task 99 of job 'A'"));
  EXPECT_THAT(complaint(2, slot_nodes(1, {1, 0})), testing::HasSubstr("which is not the next one"));
}

TEST(ClusterSimulation, NamesTheJobThatAPlacerNeverPlaces) {
  Cluster cluster = slot_nodes(1, {1, 0});
  EXPECT_THAT(complaint(0, cluster), testing::HasSubstr("job 'A' can never be placed"));
  cluster.mode.heartbeat = ms(3);
  EXPECT_THAT(complaint(0, cluster), testing::HasSubstr("is never placed"));
  EXPECT_THAT(complaint(0, cluster, true), testing::HasSubstr("job 'A' can never be placed"));
}

TEST(ClusterSimulation, NamesTheJobThatFindsNoSlot) {
  Policy policy = make_policy("fair");
  try {
    (void)simulate_cluster({{job_of("A", {10}, {5})}}, policy, {slot_nodes(2, {1, 0}), 1, false});
    FAIL();
  } catch (const Infeasible& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("job 'A' can never be placed"));
  }
}

}  // namespace
}  // namespace wavewright
