// Jobs that wait for others on a flat pool, by hand.
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policies/ranked_order.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/simulate.h"
#include "wavewright/sim/simulate_cluster.h"

#include <gtest/gtest.h>

namespace wavewright {
namespace {

SimulationResult under_fifo(const Workload& workload, SlotPool pool) {
  const auto policy = make_fifo();
  return simulate(workload, *policy, {pool, 1.0, true});
}

JobOutcome outcome(int submit, int start, int maps_done, int finish) {
  JobOutcome outcome;
  outcome.submit = at_ms(submit);
  outcome.start = at_ms(start);
  outcome.maps_done = at_ms(maps_done);
  outcome.finish = at_ms(finish);
  return outcome;
}

// b comes the instant that a is done: under FIFO behind c, which was there before; in an order that names it
// first it takes the slot that a leaves.
TEST(Workflows, AJobComesWhenThoseBeforeItAreDoneAndBeforeSlotsAreGivenOut) {
  const Workload workload{
      {job_after("a", {4}, {}, {}), job_after("b", {2}, {3}, {"a"}), job_after("c", {5}, {}, {})}};
  const SimulationResult result = under_fifo(workload, {1, 1});
  EXPECT_EQ(result.jobs[0], outcome(0, 0, 4, 4));
  EXPECT_EQ(result.jobs[1], outcome(0, 9, 11, 14)) << "first in, first out by arrival: c came before";
  EXPECT_EQ(result.jobs[2], outcome(0, 4, 9, 9));
  const auto b_first = make_ranked_order(std::vector<JobIndex>{1, 0, 2});
  const SimulationResult ranked = simulate(workload, *b_first, {{1, 1}, 1.0, false});
  EXPECT_EQ(ranked.jobs[1], outcome(0, 4, 6, 9));
  EXPECT_EQ(ranked.jobs[2], outcome(0, 6, 11, 11));
  EXPECT_EQ(result.total_completion, ms(4 + 14 + 9)) << "from the submission on";
  const Explanation why = explain(result, workload, flat_cluster({1, 1}), 1);
  ASSERT_FALSE(why.parts.empty());
  EXPECT_EQ(why.parts[0].what, TimePart::What::predecessors);
  EXPECT_EQ(why.parts[0].time, ms(4));
}

TEST(Workflows, AJobComesAtItsSubmissionWhereThatIsLater) {
  Workload workload{{job_after("b", {2}, {}, {"a", "none"}), job_after("a", {4}, {}, {}),
                     job_after("none", {}, {}, {"a"})}};
  EXPECT_EQ(under_fifo(workload, {1, 1}).jobs[0], outcome(0, 4, 6, 6));
  EXPECT_EQ(under_fifo(workload, {1, 1}).jobs[2], outcome(0, 4, 4, 4)) << "without tasks: done when it comes";
  workload.jobs[0].submit = at_ms(9);
  EXPECT_EQ(under_fifo(workload, {1, 1}).jobs[0], outcome(9, 9, 11, 11));
}

// It is b that no slot can take; a, before it in the file, only waits.
TEST(Workflows, TheJobThatIsStuckIsNamed) {
  const Workload workload{{job_after("a", {4}, {}, {"b"}), job_after("b", {4}, {1}, {})}};
  for (auto *const engine :
       {+[](const Workload& w, Allocator& p, const SimulationOptions& o) { return simulate(w, p, o); },
        +[](const Workload& w, Allocator& p, const SimulationOptions& o) {
          return simulate_reference(w, p, o);
        }}) {
    try {
      const auto fifo = make_fifo();
      (void)engine(workload, *fifo, {{1, 0}, 1.0, false});
      FAIL();
    } catch (const Infeasible& error) {
      EXPECT_NE(std::string(error.what()).find("job 'b' can never be placed"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace wavewright
