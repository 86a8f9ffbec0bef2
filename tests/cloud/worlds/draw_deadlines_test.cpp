#include "wavewright/cloud/worlds/draw_deadlines.h"

#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

Job some_job(const std::string& id = "j") {
  Job job;
  job.id = id;
  job.submit = at_ms(1000);
  job.maps = {ms(10), ms(30), ms(20)};
  job.reduces = {ms(5), ms(7)};
  job.first_shuffles = {ms(2), ms(1)};
  job.shuffles = {ms(4), ms(4)};
  return job;
}

TEST(DrawDeadlines, ShortestIsOneWaveOfMapsAndOneOfReduces) {
  EXPECT_EQ(shortest_time(some_job(), {}, std::nullopt), ms(30 + 8));
  EXPECT_EQ(shortest_time(some_job(), {2, 1}, std::nullopt), ms(30 + 7 + 4 + 7));
}

TEST(DrawDeadlines, BoundsAreThoseOfTheEstimator) {
  EXPECT_EQ(shortest_time(some_job(), {1, 1}, TimeModel::low), ms(60 + 18));
  EXPECT_LE(shortest_time(some_job(), {2, 1}, TimeModel::low), shortest_time(some_job(), {2, 1}, {}));
  EXPECT_GE(shortest_time(some_job(), {2, 1}, TimeModel::up), shortest_time(some_job(), {2, 1}, {}));
}

TEST(DrawDeadlines, TheSimulatedTimeIsThatOfTheSimulator) {
  Workload workload;
  workload.jobs = {some_job()};
  workload.jobs[0].submit = {};
  for (const SlotPool pool : {SlotPool{1, 1}, SlotPool{2, 1}, SlotPool{3, 2}}) {
    const auto fifo = make_fifo();
    EXPECT_EQ(shortest_time(workload.jobs[0], pool, {}), simulate(workload, *fifo, {.pool = pool}).makespan);
  }
}

TEST(DrawDeadlines, FactorsFillTheRangeAndDependOnTheIdOnly) {
  Workload workload;
  for (int i = 0; i < 2000; ++i) workload.jobs.push_back(some_job("j" + std::to_string(i)));
  draw_deadlines(workload, {.least = 1, .most = 3, .boot = ms(100), .seed = 4});
  double sum = 0, least = 9, most = 0;
  for (const Job& job : workload.jobs) {
    const double factor = static_cast<double>(to_ms(*job.deadline - job.submit)) / (100 + 38);
    sum += factor;
    least = std::min(least, factor);
    most = std::max(most, factor);
  }
  EXPECT_GE(least, 1);
  EXPECT_LE(most, 3 + 1.0 / 138);
  EXPECT_LT(least, 1.05);
  EXPECT_GT(most, 2.95);
  EXPECT_NEAR(sum / 2000, 2, 0.06);
  Workload one;
  one.jobs = {workload.jobs[1234]};
  draw_deadlines(one, {.least = 1, .most = 3, .boot = ms(100), .seed = 4});
  EXPECT_EQ(one.jobs[0].deadline, workload.jobs[1234].deadline);
  draw_deadlines(one, {.least = 1, .most = 3, .boot = ms(100), .seed = 5});
  EXPECT_NE(one.jobs[0].deadline, workload.jobs[1234].deadline);
}

TEST(DrawDeadlines, RefusesARangeThatIsNone) {
  Workload workload;
  workload.jobs = {some_job()};
  EXPECT_THROW(draw_deadlines(workload, {.least = 3, .most = 1}), UsageError);
  EXPECT_THROW(draw_deadlines(workload, {.least = -1, .most = 1}), UsageError);
  EXPECT_THROW(draw_deadlines(workload, {.slots = {-1, 0}}), UsageError);
}

}  // namespace
}  // namespace wavewright
