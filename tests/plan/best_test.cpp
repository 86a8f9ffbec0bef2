#include "tests/property.h"
#include "wavewright/job/generators.h"
#include "wavewright/plan/planner.h"

namespace wavewright {
namespace {

// Of many slots and few long tasks: from orders alone so few schedules end 15 % above the bound, not 8.
TEST(Best, BeginsWhereDemandOfBothStagesFits) {
  if (under_sanitizers) return;  // the code of demand_fit_test.cpp, for a quarter of a minute
  const Workload batch = generate(generator("synthetic-unimodal"), 3, {{"jobs", "100"}});
  PlanningProblem problem{shared(batch), {{256, 256}}};
  problem.evaluations = 100;
  const Plan plan = plan_by("best", problem, Stop());
  EXPECT_LE(plan.makespan, plan.lower_bound * 111 / 100);
}

}  // namespace
}  // namespace wavewright
