// A given order of jobs, which planners simulate.
#include "wavewright/sched/policies/ranked_order.h"

#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

class RankedOrder : public OnEachEngine {
 protected:
  static SimulationResult run_in(const std::vector<JobIndex>& order, const Workload& workload,
                                 SlotPool slots) {
    Policy policy{make_ranked_order(order), nullptr};
    return GetParam()(workload, policy, {slot_nodes(1, slots), 1, true});
  }
};

TEST_P(RankedOrder, IsThatOfMapsAndOfReduces) {
  // One slot of each kind and 3 ms a map: maps of C, B, A end at 3, 6, 9, their reduces of 20 ms at 23,
  // 43, 63.
  const auto result =
      run_in({2, 1, 0}, {{job_of("A", {3}, {20}), job_of("B", {3}, {20}), job_of("C", {3}, {20})}}, {1, 1});
  EXPECT_EQ(result.jobs[2].finish, at_ms(23));
  EXPECT_EQ(result.jobs[1].finish, at_ms(43));
  EXPECT_EQ(result.jobs[0].finish, at_ms(63));
  EXPECT_EQ(result.jobs[1].maps_done, at_ms(6));
}

TEST_P(RankedOrder, PutsAJobThatComesLateBeforeThoseThatWait) {
  // B comes at 5, before A's second map: it is served at 10, when the slot is free.
  const auto result = run_in({1, 0}, {{job_of("A", equal(2, 10), {}), job_of("B", {10}, {}, 5)}}, {1, 0});
  EXPECT_EQ(result.jobs[1].start, at_ms(10));
  EXPECT_EQ(result.jobs[0].finish, at_ms(30));
}

INSTANTIATE_TEST_SUITE_P(Engines, RankedOrder, all_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
