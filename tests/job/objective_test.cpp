// Objectives by name and by value.
#include "wavewright/job/objective.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "wavewright/core/error.h"
#include "wavewright/job/job.h"

namespace wavewright {
namespace {

Time at(std::int64_t instant) {
  return Time{} + ms(instant);
}

const std::vector<FinishedJob> three = {
    {at(10), at(90), at(100), 2}, {at(30), at(300), std::nullopt, 1}, {at(40), at(70), at(50), 3}};

double value(Objective objective) {
  return value_of(objective, {three, from_usd(12.5), 3.6e6});
}

TEST(Objectives, HaveTheValuesOfTheirFormulas) {
  EXPECT_EQ(value(Objective::makespan), 300);
  EXPECT_EQ(value(Objective::total_completion), 80 + 270 + 30);
  EXPECT_EQ(value(Objective::weighted_completion), 2 * 80 + 270 + 3 * 30);
  EXPECT_EQ(value(Objective::max_lateness), 20);
  EXPECT_EQ(value(Objective::total_tardiness), 20);
  EXPECT_EQ(value({Objective::Kind::tardiness, Objective::Weights::delay_cost}), 3 * 20);
  EXPECT_EQ(value(Objective::cost), 12.5);
  EXPECT_EQ(value(Objective::energy), 3.6e6);
}

TEST(Objectives, LatenessIsNegativeIfAllJobsAreEarlyAndZeroWithoutDeadlines) {
  const std::span<const FinishedJob> jobs(three);
  EXPECT_EQ(value_of(Objective::max_lateness, {jobs.first(2)}), -10);
  EXPECT_EQ(value_of(Objective::total_tardiness, {jobs.first(2)}), 0);
  EXPECT_EQ(value_of(Objective::max_lateness, {jobs.subspan(1, 1)}), 0);
}

TEST(Objectives, AreFoundByTheirNames) {
  for (const ObjectiveEntry& entry : objectives()) {
    const std::array only{entry.objective};
    EXPECT_EQ(parse_objective(entry.name, only), entry.objective);
    EXPECT_EQ(to_string(entry.objective), entry.name);
  }
  EXPECT_EQ(parse_objective("total-completion"), Objective::total_completion);
}

TEST(Objectives, AreRefusedWhereNobodyOptimisesThem) {
  EXPECT_THROW((void)parse_objective("max-lateness"), UsageError) << "no planner";
  EXPECT_THROW((void)planned_value(Objective::max_lateness, {}, {}), InternalError);
  EXPECT_THROW((void)to_string({Objective::Kind::makespan, Objective::Weights::delay_cost}), InternalError);
  try {
    (void)parse_objective("makespam");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.remedy(), "did you mean 'makespan'?");
  }
}

TEST(Objectives, WeighJobsByTheirCostOfDelay) {
  Job job;
  EXPECT_EQ(delay_weight(job), 1);
  job.delay_cost_per_s = 0;
  EXPECT_EQ(delay_weight(job), 1) << "a weight is above 0";
  job.delay_cost_per_s = 2.5;
  EXPECT_EQ(delay_weight(job), 2.5);
}

}  // namespace
}  // namespace wavewright
