// The policies that save energy keep the promises of the contract (wavewright/sched/policy.h).
#include "tests/sched/conformance.h"

#include <string>

#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

FakeSetup setup() {
  FakeSetup setup;
  setup.classes = {{.name = "cpu"}, {.name = "gpu", .percent = 50, .label = "gpu"}};
  setup.nodes = {{.map_slots = 5, .reduce_slots = 2},
                 {.map_slots = 3, .reduce_slots = 2},
                 {.map_slots = 1, .node_class = 1}};
  setup.jobs = jobs_with_deadlines();
  for (std::size_t i = 0; i < setup.jobs.size(); ++i) {
    if (i % 2 == 0) setup.jobs[i].efficiency = {{1, 1.41}};
    for (Count map = 0; map < setup.jobs[i].maps; ++map)
      setup.jobs[i].blocks.push_back({static_cast<NodeIndex>((i + static_cast<std::size_t>(map)) % 3)});
  }
  return setup;
}

class EnergyPolicy : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static Policy make() {
    return make_policy(GetParam(), {.places = true}, PolicyRegistry(energy_policies()));
  }
};

TEST_P(EnergyPolicy, DecidesOnEveryJobOnce) {
  decides_on_every_job_once(make, setup());
}
TEST_P(EnergyPolicy, DecidesAlikeWhereTheSameHappens) {
  same_events_same_decisions(make, setup());
}
// A restart forgets the containers that nobody took yet: they are given out anew, perhaps otherwise. No job
// is forgotten.
TEST_P(EnergyPolicy, EndsAllJobsAfterARestart) {
  holds_always([] {
    FakeCluster before(setup(), make());
    for (const Step& step : any_script()) play(before, setup(), step);
    before.advance(ms(1));
    FakeCluster after(before, make());
    play_to_the_end(after, setup());
    for (const FakeJob& job : setup().jobs) RC_ASSERT(after.standing_of(job.id) == "finished");
  });
}

INSTANTIATE_TEST_SUITE_P(Each, EnergyPolicy,
                         testing::Values("efh", "efh(adaptive=no)", "efh(threshold=0s)",
                                         "efh(oversize=wait, threshold=5s)", "ideal"));

TEST(IdealPolicy, GoesOnAfterARestart) {
  goes_on_after_a_restart([] { return make_policy("ideal", {}, PolicyRegistry(energy_policies())); },
                          setup());
}

}  // namespace
}  // namespace wavewright
