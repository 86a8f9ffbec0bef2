// The rules of the model, one by one, on both engines.
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

using Engine = SimulationResult (*)(const Workload&, Allocator&, const SimulationOptions&);

class Model : public ::testing::TestWithParam<Engine> {
 protected:
  [[nodiscard]] static SimulationResult run(const Workload& workload, SimulationOptions options) {
    const auto policy = make_fifo();
    options.trace = true;
    return GetParam()(workload, *policy, options);
  }
};

TEST_P(Model, ReducesWaitForTheJobsLastMap) {
  const auto result = run({{job_of("A", {5, 9}, {3, 3})}}, {{2, 2}});
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(9));
  EXPECT_EQ(result.jobs[0].finish, at_ms(12));
  EXPECT_EQ(result.events, 5U);
}

TEST_P(Model, FirstWavePaysTheFirstShuffleAndLaterOnesTheirOwn) {
  Workload workload{{job_of("A", {10}, {5, 5, 5})}};
  workload.jobs[0].first_shuffles = {ms(1), ms(1), ms(1)};
  workload.jobs[0].shuffles = {ms(7), ms(7), ms(7)};
  const auto result = run(workload, {{1, 2}});
  EXPECT_EQ(result.trace[1].end, at_ms(16));
  EXPECT_EQ(result.trace[2].end, at_ms(16));
  EXPECT_EQ(result.trace[3].end, at_ms(16 + 12));
}

TEST_P(Model, EarlyReducesHoldTheirSlotUntilTheMapsAreDone) {
  Workload workload{{job_of("A", {10, 30}, {5, 5}), job_of("B", {1}, {1})}};
  workload.jobs[0].first_shuffles = {ms(2), ms(2)};
  const auto result = run(workload, {{2, 2}, 0.5, false});
  EXPECT_EQ(result.jobs[0].finish, at_ms(37));
  EXPECT_EQ(result.jobs[1].maps_done, at_ms(11));
  EXPECT_EQ(result.jobs[1].finish, at_ms(38)) << "both reduce slots were held from 10 to 37";
  EXPECT_EQ(result.reduce_busy, ms(27 + 27 + 1));
}

TEST_P(Model, EndsAndArrivalsOfAnInstantComeBeforeSlotsAreGivenOut) {
  // B arrives at the instant at which A's first map ends; A is first in line for the slot all the same.
  const auto result = run({{job_of("A", {10, 10}, {}), job_of("B", {1}, {}, 10)}}, {{1, 0}});
  EXPECT_EQ(result.jobs[0].finish, at_ms(20));
  EXPECT_EQ(result.jobs[1].finish, at_ms(21));
}

TEST_P(Model, TheLowestFreeSlotTakesTheTask) {
  const auto result = run({{job_of("A", {4, 2, 3, 5}, {})}}, {{3, 0}});
  EXPECT_EQ(result.trace.back(), (TaskRecord{0, Kind::map, 3, 1, at_ms(2), at_ms(7)}));
}

TEST_P(Model, EmptyStagesTakeNoTime) {
  const auto result =
      run({{job_of("none", {}, {}, 5), job_of("reduces", {}, {4}, 6), job_of("maps", {3}, {}, 7)}}, {{1, 1}});
  EXPECT_EQ(result.jobs[0].finish, at_ms(5));
  EXPECT_EQ(result.jobs[1].finish, at_ms(10));
  EXPECT_EQ(result.jobs[2].finish, at_ms(10));
}

TEST_P(Model, AnEmptyWorkloadTakesNoTime) {
  const auto result = run({}, {{1, 1}});
  EXPECT_EQ(result.makespan, ms(0));
  EXPECT_EQ(result.events, 0U);
}

TEST_P(Model, AJobThatNoSlotCanTakeIsNamed) {
  try {
    (void)run({{job_of("A", {1}, {}), job_of("needs-reduces", {1}, {1})}}, {{1, 0}});
    FAIL() << "a job was placed on no slots";
  } catch (const Infeasible& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("needs-reduces"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Engines, Model,
    ::testing::Values(Engine{[](const Workload& w, Allocator& p, const SimulationOptions& o) {
                        return simulate(w, p, o);
                      }},
                      Engine{[](const Workload& w, Allocator& p, const SimulationOptions& o) {
                        return simulate_reference(w, p, o);
                      }}),
    [](const auto& instance) { return instance.index == 0 ? "fast" : "reference"; });

// Policies that break their promises are stopped, by name.
class Broken : public Allocator {
 public:
  using Act = void (*)(const Event&, Decisions&);
  explicit Broken(Act act, Features needed = Features::of(Feature::rank)) : act_(act), needs_(needed) {}
  [[nodiscard]] std::string name() const override { return "broken"; }
  [[nodiscard]] Features needs() const override { return needs_; }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override { act_(event, decisions); }

 private:
  Act act_;
  Features needs_;
};

std::string complaint(Broken policy) {
  try {
    (void)simulate(Workload{{job_of("A", {1}, {}), job_of("B", {1}, {}, 5)}}, policy, {{1, 1}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Misbehaviour, IsStoppedWithAClearMessage) {
  using testing::HasSubstr;
  EXPECT_THAT(complaint(Broken([](const Event&, Decisions&) {})),
              HasSubstr("neither admitted nor rejected job 'A'"));
  EXPECT_THAT(complaint(Broken([](const Event& e, Decisions& d) {
                d.admit(e.job, root_group);
                d.admit(e.job, root_group);
              })),
              HasSubstr("decided twice on job 'A'"));
  EXPECT_THAT(complaint(Broken([](const Event&, Decisions& d) { d.admit(1, root_group); })),
              HasSubstr("has not arrived"));
  EXPECT_THAT(complaint(Broken([](const Event& e, Decisions& d) { d.cap(e.job, Kind::map, any_class, 1); })),
              HasSubstr("used caps without declaring"));
  EXPECT_THAT(complaint(Broken([](const Event& e, Decisions& d) { d.admit(e.job, 4); },
                               Features::of(Feature::groups))),
              HasSubstr("group 4, which does not exist"));
}

TEST(Features, ThatTheSimulatorHasNotAreRefusedByNameBeforeAnythingStarts) {
  EXPECT_THAT(complaint(Broken([](const Event&, Decisions&) { FAIL() << "the policy was asked"; },
                               Features::of(Feature::preemption) | Features::of(Feature::timers))),
              testing::HasSubstr("needs preemption, timers, which the simulator cannot enforce"));
}

TEST(Rejection, LeavesTheJobOutOfTheSums) {
  Broken policy([](const Event& e, Decisions& d) {
    if (e.job == 0) return d.reject(e.job, {"TooLarge", "it has too many maps"});
    d.admit(e.job, root_group);
  });
  const auto result = simulate(Workload{{job_of("A", {100}, {}), job_of("B", {1}, {}, 5)}}, policy, {{1, 1}});
  EXPECT_TRUE(result.jobs[0].rejected);
  EXPECT_EQ(result.rejections.at(0).code, "TooLarge");
  EXPECT_EQ(result.makespan, ms(6));
  EXPECT_EQ(result.total_completion, ms(1));
}

}  // namespace
}  // namespace wavewright
