// FIFO: jobs in order of submission.
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

class FifoPolicy : public OnEachEngine {};

TEST_P(FifoPolicy, ServesTheJobThatWasSubmittedFirst) {
  // One slot, taken until 10: then the job of 3 ms, then that of 5 ms, though the file has them the other
  // way.
  const auto result =
      run({{job_of("first", {10}, {}), job_of("late", {4}, {}, 5), job_of("early", {4}, {}, 3)}},
          slot_nodes(1, {1, 0}));
  EXPECT_EQ(result.jobs[2].start, at_ms(10));
  EXPECT_EQ(result.jobs[1].start, at_ms(14));
}

TEST_P(FifoPolicy, ServesJobsOfOneInstantInTheOrderOfTheFile) {
  const auto result =
      run({{job_of("Z", {3}, {}), job_of("A", {3}, {}), job_of("M", {3}, {})}}, slot_nodes(1, {1, 0}));
  EXPECT_EQ(result.jobs[0].start, at_ms(0));
  EXPECT_EQ(result.jobs[1].start, at_ms(3));
  EXPECT_EQ(result.jobs[2].start, at_ms(6));
}

TEST_P(FifoPolicy, GivesALaterJobOnlyTheSlotsThatAnEarlierOneLeaves) {
  // Three slots. At 0 A takes two, B one; at 10 all are free, and A has nothing more to start.
  const auto result =
      run({{job_of("A", equal(2, 10), {}), job_of("B", equal(4, 10), {})}}, slot_nodes(1, {3, 0}));
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{2, 1}));
  EXPECT_EQ(running(result, Kind::map, 10), (Counts{0, 3}));
}

TEST_P(FifoPolicy, GivesAFreedSlotToTheEarliestJobThatHasATaskLeft) {
  // Two slots: A's third map goes before B, which came while A's first two ran.
  const auto result = run({{job_of("A", equal(3, 10), {}), job_of("B", {10}, {}, 1)}}, slot_nodes(1, {2, 0}));
  EXPECT_EQ(running(result, Kind::map, 10), (Counts{1, 1}));
  EXPECT_EQ(result.trace[2].job, 0U);
}

TEST_P(FifoPolicy, ServesReducesInTheSameOrder) {
  // C has the reduce slot until 20. Reduces of B are ready at 5, those of A at 10: at 20 A is first in line.
  const auto result =
      run({{job_of("C", {}, {20}), job_of("A", {10}, {6}), job_of("B", {5}, {6})}}, slot_nodes(1, {2, 1}));
  EXPECT_EQ(result.jobs[1].finish, at_ms(26));
  EXPECT_EQ(result.jobs[2].finish, at_ms(32));
}

TEST_P(FifoPolicy, KnowsNoQueues) {
  Cluster cluster = slot_nodes(1, {2, 0});
  cluster.queues = {{.name = "a", .weight = 1},
                    {.name = "b", .weight = 9, .minimum = {2, 0}, .capacity = 90}};
  const auto result =
      run({{in_queue("a", job_of("A", equal(2, 10), {})), in_queue("b", job_of("B", {10}, {}))}}, cluster);
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{2, 0}));
}

TEST_P(FifoPolicy, KeepsManyJobsInOrder) {
  Workload workload;
  for (int i = 0; i < 40; ++i)
    workload.jobs.push_back(job_of(fmt::format("J{}", i).c_str(), {7}, {}, (i * 17) % 40));
  // One slot and 7 ms a job: the job submitted at k ms, of which there is one for each k below 40, is the
  // k-th.
  const auto result = run(workload, slot_nodes(1, {1, 0}));
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_EQ(result.jobs[i].start, at_ms(7 * to_ms(workload.jobs[i].submit))) << i;
}

INSTANTIATE_TEST_SUITE_P(Engines, FifoPolicy, all_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
