// Lengths that policies are told, where those of the run were drawn around them.
#include "wavewright/sim/model/estimate.h"

#include <gtest/gtest.h>

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/job/sampled.h"
#include "wavewright/sim/simulate.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// Notes what it is told of the first job.
class Curious final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "curious"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::rank); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      told.push_back(view.estimate(event.job, kind, 0).mean);
      told.push_back(view.estimate(event.job, kind, 0).max);
      told.push_back(view.quantile(event.job, kind, 0, 0.5));
    }
    decisions.admit(event.job, root_group);
  }
  std::vector<Duration> told;
};

Workload expected_jobs() {
  Job job;
  job.id = "a";
  job.maps = {ms(10'000), ms(20'000), ms(60'000)};
  job.reduces = {ms(1'000), ms(3'000)};
  job.shuffles = {ms(100), ms(100)};
  return {{job}};
}

TEST(Estimates, AreOfTheLengthsThatWereExpectedInAllEngines) {
  const std::vector<Duration> expected{ms(30'000), ms(60'000), ms(20'000), ms(2'100), ms(3'100), ms(1'100)};
  const Workload drawn = SampledBatch(std::make_shared<const Workload>(expected_jobs()), 0.5, 7).draw(0);
  ASSERT_NE(drawn.jobs[0].maps, expected_jobs().jobs[0].maps);
  for (const Workload& workload : {drawn, expected_jobs()}) {
    Curious flat, flat_reference, nodes, nodes_reference;
    (void)simulate(workload, flat, {.pool = {2, 1}});
    (void)simulate_reference(workload, flat_reference, {.pool = {2, 1}});
    const Cluster cluster = parse_cluster("[[nodes]]\ncount = 2\nmap_slots = 1\nreduce_slots = 1\n", "c");
    for (Curious* const each : {&nodes, &nodes_reference}) {
      auto own = std::make_unique<Curious>();
      Curious& curious = *own;
      Policy policy{.allocator = std::move(own), .placer = nullptr};
      (void)(each == &nodes ? simulate_cluster(workload, policy, {.cluster = cluster})
                            : simulate_cluster_reference(workload, policy, {.cluster = cluster}));
      each->told = curious.told;
    }
    EXPECT_EQ(flat.told, expected);
    EXPECT_EQ(flat_reference.told, expected);
    EXPECT_EQ(nodes.told, expected);
    EXPECT_EQ(nodes_reference.told, expected);
  }
}

// Both engines are asked about one job on the cluster: mean, maximum and median of its maps, then of its
// reduces.
std::vector<Duration> told_on(const Workload& workload, const std::string& nodes) {
  std::vector<Duration> first;
  for (const bool reference : {false, true}) {
    auto own = std::make_unique<Curious>();
    Curious& curious = *own;
    Policy policy{.allocator = std::move(own), .placer = nullptr};
    const Cluster cluster = parse_cluster(nodes, "c");
    (void)(reference ? simulate_cluster_reference(workload, policy, {.cluster = cluster})
                     : simulate_cluster(workload, policy, {.cluster = cluster}));
    if (reference) {
      EXPECT_EQ(curious.told, first);
    }
    first = curious.told;
  }
  return first;
}

// The mean is of the first row and the later shuffle; maximum and quantile are of the slowest row with slots
// of the kind, and of the longer shuffle. No node shortens a shuffle.
TEST(Estimates, AreUpperBoundsOnTheNodesOfAClass) {
  Workload workload = expected_jobs();
  Job& job = workload.jobs[0];
  job.first_shuffles = {ms(700), ms(50)};
  const std::string fast = "[[nodes]]\nspeed = 2\nmap_slots = 1\nreduce_slots = 1\n",
                    slow_maps = "[[nodes]]\nspeed = 0.5\nmap_slots = 1\n";
  const std::vector<Duration> on_fast{ms(15'000), ms(30'000), ms(10'000), ms(1'100), ms(2'200), ms(1'200)};
  EXPECT_EQ(told_on(workload, fast), on_fast);
  std::vector<Duration> on_both = on_fast;
  on_both[1] = ms(120'000);
  on_both[2] = ms(40'000);
  EXPECT_EQ(told_on(workload, fast + slow_maps), on_both);
  on_both[0] = ms(60'000);
  on_both[3] = ms(4'100);
  EXPECT_EQ(told_on(workload, slow_maps + fast), on_both);
  Curious flat;
  (void)simulate(workload, flat, {.pool = {2, 1}});
  EXPECT_EQ(flat.told, told_on(workload, "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n"));
}

}  // namespace
}  // namespace wavewright
