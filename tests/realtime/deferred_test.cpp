// Feedback that waits until an answer needs it: the same answers.
#include "wavewright/realtime/admission.h"

#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {
RealtimeJob a_map(JobIndex number, std::int64_t deadline, std::int64_t length) {
  return {.job = number, .deadline = at_ms(deadline), .maps = 1, .map = ms(length)};
}

// One slot of each kind. A first job has started at 0 and ended at 1.
AdmissionController after_a_first_job(bool defers = true) {
  AdmissionController controller({1, 1}, {.defers = defers});
  EXPECT_TRUE(controller.admit(a_map(0, 1'000, 1), at_ms(0)).accepted);
  controller.started(0, at_ms(0));
  const Time first = at_ms(1);
  controller.finished(0, {&first, 1}, {}, first);
  return controller;
}

// Job 2 waits for the slot of job 1, which ends long behind its bound, at 50. By the bound it would end at
// 21, and job 3 at 55.
TEST(DeferredFeedback, AnEndBehindTheBoundIsFedBackBeforeTheNextAnswer) {
  for (const bool defers : {false, true}) {
    AdmissionController controller = after_a_first_job(defers);
    const Time late = at_ms(50);
    ASSERT_TRUE(controller.admit(a_map(1, 1'000, 10), at_ms(1)).accepted);
    ASSERT_TRUE(controller.admit(a_map(2, 1'000, 10), at_ms(1)).accepted);
    controller.started(1, at_ms(1));
    controller.started(2, at_ms(2));
    controller.finished(1, {&late, 1}, {}, late);
    EXPECT_FALSE(controller.admit(a_map(3, 60, 5), late).accepted);
    EXPECT_TRUE(controller.admit(a_map(3, 65, 5), late).accepted);
  }
}

TEST(DeferredFeedback, WaitsWhileTheBoundAnswers) {
  AdmissionController controller = after_a_first_job();
  ASSERT_TRUE(controller.admit(a_map(1, 1'000, 10), at_ms(1)).accepted);
  ASSERT_TRUE(controller.admit(a_map(2, 1'000, 10), at_ms(1)).accepted);
  EXPECT_THROW((void)controller.estimate(2), InternalError);
  controller.catch_up();
  EXPECT_EQ(controller.estimate(2), at_ms(21));
}

// A refusal by the bound tells the earliest deadline, too, and leaves what waits.
TEST(DeferredFeedback, ARefusalNeedsNoEstimatesOfJobsThatWait) {
  AdmissionController controller = after_a_first_job();
  ASSERT_TRUE(controller.admit(a_map(1, 1'000, 10), at_ms(1)).accepted);
  ASSERT_TRUE(controller.admit(a_map(2, 1'000, 10), at_ms(1)).accepted);
  const AdmissionAnswer refused = controller.admit(a_map(3, 5, 10), at_ms(1));
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(refused.end, at_ms(11));
  EXPECT_EQ(refused.earliest_deadline, at_ms(11));
  EXPECT_THROW((void)controller.estimate(2), InternalError);
  controller.catch_up();
  EXPECT_EQ(controller.estimate(2), at_ms(21));
}

// Behind three jobs that were accepted by bounds of their ends, the last one ends just in time.
TEST(DeferredFeedback, BoundsOfEndsGrowWithEachJobBefore) {
  AdmissionController controller = after_a_first_job();
  ASSERT_TRUE(controller.admit(a_map(1, 51, 10), at_ms(1)).accepted);
  ASSERT_TRUE(controller.admit(a_map(2, 500, 1), at_ms(1)).accepted);
  for (const JobIndex next : {3U, 4U})
    ASSERT_TRUE(controller.admit(a_map(next, 50, 15), at_ms(1)).accepted) << next;
  EXPECT_FALSE(controller.admit(a_map(5, 50, 11), at_ms(1)).accepted);
  EXPECT_TRUE(controller.admit(a_map(5, 50, 10), at_ms(1)).accepted);
  controller.catch_up();
  EXPECT_EQ(controller.estimate(1), at_ms(51));
  EXPECT_EQ(controller.estimate(2), at_ms(52));
}

}  // namespace
}  // namespace wavewright
