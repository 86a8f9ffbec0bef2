// Random changes of drafts: each draft is one that can be carried out, and every kind of change comes.
#include "wavewright/energy/plan/draft_changes.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"

namespace wavewright {
namespace {

// Class "small" has no reduce slots. Machines of "fast" and "slow" are the same three, in two states.
Cluster mixed() {
  return parse_cluster(R"(
[classes.fast]
power_idle_w = 10
power_map_w = 100
wake_j = 500
[classes.slow]
power_idle_w = 10
power_map_w = 20
wake_j = 500
[[nodes]]
class = "small"
map_slots = 1
power_idle_w = 5
power_busy_w = 50
[[nodes]]
class = "fast"
count = 3
map_slots = 2
reduce_slots = 1
rent = true
[[nodes]]
class = "slow"
count = 3
speed = 0.5
map_slots = 2
reduce_slots = 1
rent = true
)",
                       "test");
}

TEST(DraftChanges, EachDraftCanBeCarriedOutAndEveryKindOfChangeComes) {
  const Workload workload{{job_of("A", {60'000, 60'000}, {30'000}), job_of("B", {60'000, 60'000}, {30'000}),
                           job_of("C", {10'000}, {})}};
  const Cluster cluster = mixed();
  const LeastEnergy least = least_energy(workload, cluster);
  const EnergyBound bound = energy_bound(least, cluster).value();
  const Drafts drafts(workload, cluster, least, bound, TaskOrder::longest_first, {{"fast", "slow"}});
  Random random(7, "changes");
  DraftChanges changes(drafts, random);
  Draft draft = drafts.draft(any_slack, 600'000);
  const Draft first = draft;
  ASSERT_EQ(draft.machines.size(), 2U);
  bool reordered = false, closed = false, closed_later = false, alike = false, alone = false;
  std::set<Count> most;
  std::set<Duration> kept;
  for (int i = 0; i < 3'000; ++i) {
    const Draft before = draft;
    changes.change(draft, 600'000);
    ASSERT_TRUE(std::is_permutation(draft.order.begin(), draft.order.end(), first.order.begin()));
    reordered |= draft.order != first.order;
    std::array<std::size_t, 3> changed{};  // closings, by job
    for (std::size_t stage = 0; stage < drafts.stages().size(); ++stage) {
      const TaskStage& of = drafts.stages()[stage];
      const std::size_t kind = of.kind == Kind::map ? 0 : 1;
      for (std::size_t c = 0; c < drafts.classes(); ++c) {
        const std::int64_t until = draft.until[kind][of.job][c];
        ASSERT_GE(until, 0);
        if (until == before.until[kind][of.job][c]) continue;
        ASSERT_FALSE(std::isinf(drafts.time_of(stage, static_cast<ClassId>(c)))) << "no task can run there";
        ++changed.at(of.job);
        closed |= until == 0;
        closed_later |= until > 0 && until != always;
      }
    }
    alike |= changed[0] > 0 && changed[1] > 0;
    alone |= (changed[0] > 0) != (changed[1] > 0);
    Count on = 0;
    for (std::size_t which = 0; which < draft.machines.size(); ++which) {
      const Draft::Machines& machines = draft.machines[which];
      ASSERT_GE(machines.most, 0);
      ASSERT_EQ(machines.there, 3);
      on += machines.most;
      most.insert(machines.most);
      ASSERT_TRUE(machines.keep == ms(1) || machines.keep == machines.even ||
                  machines.keep == machines.even * 3 || machines.keep == first.machines[which].keep)
          << machines.keep.count();
      kept.insert(machines.keep);
    }
    ASSERT_LE(on, 3) << "a machine is in one state at a time";
  }
  EXPECT_TRUE(reordered && closed && closed_later);
  EXPECT_TRUE(alike) << "jobs with the same costs change together";
  EXPECT_TRUE(alone) << "or one of them alone";
  EXPECT_THAT(most, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(kept.size(), 3U) << "leaves at once, or idles as long as a wake-up is worth, or three times that";
}

TEST(DraftChanges, ASingleJobOnASingleClassStaysAsItIs) {
  const Cluster cluster = parse_cluster("[[nodes]]\nmap_slots = 1\nreduce_slots = 1\n", "test");
  const Workload workload{{job_of("A", {10'000}, {10'000})}};
  const LeastEnergy least = least_energy(workload, cluster);
  const EnergyBound bound = energy_bound(least, cluster).value();
  const Drafts drafts(workload, cluster, least, bound, TaskOrder::longest_first);
  Random random(3, "changes");
  DraftChanges changes(drafts, random);
  Draft draft = drafts.draft(any_slack, 60'000);
  const Draft first = draft;
  for (int i = 0; i < 50; ++i) changes.change(draft, 60'000);
  EXPECT_EQ(draft.order, first.order);
  EXPECT_EQ(draft.until, first.until);
}

}  // namespace
}  // namespace wavewright
