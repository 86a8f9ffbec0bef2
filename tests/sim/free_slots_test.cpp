// The free slots that the View shows, against a count of what is on every slot.
#include <memory>
#include <vector>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

// First come, first served. Counts at every event.
class CountsSlots final : public Allocator {
 public:
  explicit CountsSlots(std::size_t& free_ones) : free_ones_(free_ones) {}

  [[nodiscard]] std::string name() const override { return "counts-slots"; }
  [[nodiscard]] Features needs() const override { return Feature::node_classes | Feature::occupancy; }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | started | ended | lost | finished | node_up | node_down | node_notice;
  }
  void begin(const View& view, Decisions&) override { count(view); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    count(view);
    if (event.what == Event::What::arrived) decisions.admit(event.job, root_group);
  }

 private:
  void count(const View& view) {
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      std::vector<Count> free(view.nodes()), of_class(view.classes());
      for (NodeIndex node = 0; node < view.nodes(); ++node) free[node] = view.slots_on(node, kind);
      for (SlotIndex slot = 0; slot < view.slots(kind); ++slot) {
        const auto on = view.occupant(kind, slot);
        if (on && view.slots_on(on->node, kind) > 0) --free[on->node];
      }
      for (NodeIndex node = 0; node < view.nodes(); ++node) {
        of_class[view.node_class(node)] += free[node];
        if (view.slots_on(node, kind) > 0) RC_ASSERT(Count{view.free_slots(kind)[node]} == free[node]);
        for (ClassId c = 0; c < view.classes(); ++c) {
          const bool listed = (view.free_nodes(c, kind)[node / 64] >> (node % 64) & 1) != 0;
          RC_ASSERT(listed == (free[node] > 0 && view.node_class(node) == c));
        }
      }
      for (ClassId c = 0; c < view.classes(); ++c) {
        RC_ASSERT(view.free_slots_of_classes(kind)[c] == of_class[c]);
        free_ones_ += of_class[c] > 0 ? 1 : 0;
      }
    }
  }

  std::size_t& free_ones_;
};

TEST(FreeSlots, AreThoseThatNothingRunsOn) {
  std::size_t free_ones = 0;
  holds_always([&] {
    Cluster cluster = *rc::gen::arbitrary<bool>() ? worlds::some_cluster() : worlds::some_faulty_cluster();
    const Workload workload = worlds::some_dependent_workload();
    // Containers have no slots. Without jobs nobody asks.
    if (cluster.mode.kind != ClusterMode::Kind::slots || workload.jobs.empty()) return;
    const ClusterOptions options{cluster, *rc::gen::inRange<std::uint64_t>(0, 50), true};
    Policy one{std::make_unique<CountsSlots>(free_ones), nullptr};
    Policy other{std::make_unique<CountsSlots>(free_ones), nullptr};
    (void)worlds::unless_stuck([&] { return simulate_cluster(workload, one, options); });
    (void)worlds::unless_stuck([&] { return simulate_cluster_reference(workload, other, options); });
  });
  EXPECT_GT(free_ones, 1000U);
}

}  // namespace
}  // namespace wavewright
