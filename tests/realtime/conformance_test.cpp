// The real-time policies keep the promises of the contract (wavewright/sched/policy.h).
#include "tests/sched/conformance.h"

#include <string>

#include <fmt/format.h>

#include "wavewright/realtime/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

FakeSetup setup() {
  FakeSetup setup;
  setup.nodes = {{.map_slots = 5, .reduce_slots = 2}, {.map_slots = 3, .reduce_slots = 2}};
  setup.jobs = jobs_with_deadlines();
  return setup;
}

// Accepted jobs go on. Which jobs are accepted later depends on estimates that a restart loses.
void keeps_what_it_accepted(const MakePolicy& make, const FakeSetup& setup) {
  holds_always([&] {
    FakeCluster before(setup, make());
    for (const Step& step : any_script()) play(before, setup, step);
    before.advance(ms(1));  // a job that comes in the instant of the restart is decided on again
    FakeCluster after(before, make());
    play_to_the_end(after, setup);
    for (const FakeJob& job : setup.jobs) {
      const std::string standing = after.standing_of(job.id);
      RC_ASSERT(standing == "finished" || standing == "rejected");
      RC_ASSERT(standing != "rejected" || before.standing_of(job.id) != "admitted");
    }
  });
}

class RealtimePolicy : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static Policy make() {
    return make_policy(GetParam(), {}, PolicyRegistry(realtime_policies()));
  }
};

TEST_P(RealtimePolicy, DecidesOnEveryJobOnce) {
  decides_on_every_job_once(make, setup());
}
TEST_P(RealtimePolicy, DecidesAlikeWhereTheSameHappens) {
  same_events_same_decisions(make, setup());
}
TEST_P(RealtimePolicy, KeepsWhatItAcceptedAfterARestart) {
  keeps_what_it_accepted(make, setup());
}

INSTANTIATE_TEST_SUITE_P(
    Each, RealtimePolicy,
    testing::Values("rtmr", "rtmr(feedback=none)", "rtmr(feedback=tasks, estimate=90%)",
                    "rtmr(admission=all)", "rtmr(slots=fewest)", "rtmr(feedback=tasks, reads=blocks)",
                    "rtmr(feedback=tasks, order=deadline)", "rtmr(feedback=tasks, order=any)",
                    "rtmr(feedback=tasks, order=any, admission=all)", "constraint",
                    "constraint(check=interval)", "reservations", "reservations(agent=aligned, step=1ms)"));

// The same on containers, each of 2 MiB.
FakeSetup on_memory() {
  FakeSetup setup;
  setup.nodes = {{.map_slots = 6}, {.map_slots = 4}};
  setup.container = 2;
  setup.jobs = jobs_with_deadlines();
  return setup;
}

class RealtimeOnContainers : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static Policy make() {
    return make_policy(GetParam(), {.containers = true, .room = {.rows = {{1, 12}, {1, 8}}}},
                       PolicyRegistry(realtime_policies()));
  }
};

TEST_P(RealtimeOnContainers, DecidesOnEveryJobOnce) {
  decides_on_every_job_once(make, on_memory());
}
TEST_P(RealtimeOnContainers, DecidesAlikeWhereTheSameHappens) {
  same_events_same_decisions(make, on_memory());
}
TEST_P(RealtimeOnContainers, KeepsWhatItAcceptedAfterARestart) {
  keeps_what_it_accepted(make, on_memory());
}

INSTANTIATE_TEST_SUITE_P(Each, RealtimeOnContainers,
                         testing::Values("rtmr", "rtmr(order=deadline)", "rtmr(order=any)",
                                         "rtmr(admission=all)"));

}  // namespace
}  // namespace wavewright
