// Whether a plan is one for a workload and a pool, case by case.
#include "wavewright/sched/plan_check.h"

#include <gmock/gmock.h>

#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using testing::HasSubstr;

// Job A has two maps and two reduces, B one map; the pool is of 4 map and 3 reduce slots.
std::string complaint(const Plan& plan) {
  try {
    check_plan(plan, {{job_of("A", {1, 1}, {1, 1}), job_of("B", {1}, {})}}, {4, 3}, "the plan");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Plan both() {
  Plan plan;
  plan.order = {"B", "A"};
  return plan;
}

TEST(PlanCheck, LetsPoolsTakeAllSlots) {
  Plan plan = both();
  plan.pools = {{{4, 3}, {"A", "B"}}};
  EXPECT_EQ(complaint(plan), "");
  plan.pools = {{{3, 2}, {"A"}}, {{1, 1}, {"B"}}};
  EXPECT_EQ(complaint(plan), "");
}

TEST(PlanCheck, RefusesAPoolThatIsLargerThanTheWhole) {
  Plan plan = both();
  plan.pools = {{{5, 3}, {"A", "B"}}};
  EXPECT_THAT(complaint(plan), HasSubstr("a pool of the plan is larger than the whole"));
  plan.pools = {{{4, 4}, {"A", "B"}}};
  EXPECT_THAT(complaint(plan), HasSubstr("a pool of the plan is larger than the whole"));
}

TEST(PlanCheck, RefusesPoolsThatAreTogetherLargerThanTheWhole) {
  Plan plan = both();
  plan.pools = {{{3, 1}, {"A"}}, {{2, 1}, {"B"}}};
  EXPECT_THAT(complaint(plan), HasSubstr("need 5 map and 2 reduce slots"));
  plan.pools = {{{2, 2}, {"A"}}, {{2, 2}, {"B"}}};
  EXPECT_THAT(complaint(plan), HasSubstr("need 4 map and 4 reduce slots"));
}

TEST(PlanCheck, WantsEachJobInOnePool) {
  Plan plan = both();
  plan.pools = {{{3, 2}, {"A", "B"}}, {{1, 1}, {"B"}}};
  EXPECT_THAT(complaint(plan), HasSubstr("list of pools names job 'B' twice"));
  plan.pools[0].jobs = {};
  EXPECT_THAT(complaint(plan), HasSubstr("list of pools does not name job 'A'"));
}

TEST(PlanCheck, WantsEachJobOnceInTheOrdersOfAKind) {
  Plan plan = both();
  plan.map_order = {"A"};
  EXPECT_THAT(complaint(plan), HasSubstr("the plan's map order does not name job 'B'"));
  plan.map_order = {"A", "B"};
  plan.reduce_order = {"A", "A"};
  EXPECT_THAT(complaint(plan), HasSubstr("the plan's reduce order names job 'A' twice"));
}

TEST(PlanCheck, WantsTurnsOfAllTasksOfTheirKind) {
  Plan plan = both();
  plan.reduce_turns = {{"A", 1}, {"A", 1}};
  EXPECT_EQ(complaint(plan), "");
  plan.reduce_turns = {{"A", 1}};
  EXPECT_THAT(complaint(plan), HasSubstr("the plan's turns of reduces leave out 1 of job 'A'"));
  plan.reduce_turns = {{"A", 2}, {"B", 1}};
  EXPECT_THAT(complaint(plan), HasSubstr("turns of reduces give job 'B' more tasks than it has"));
}

TEST(PlanCheck, WantsOneCapAJob) {
  Plan plan = both();
  plan.caps = {{"A", 1, 1}, {"B", 1, std::nullopt}};
  EXPECT_EQ(complaint(plan), "");
  plan.caps = {{"A", 1, 1}, {"A", 2, 2}};
  EXPECT_THAT(complaint(plan), HasSubstr("two caps of the plan are for job 'A'"));
}

}  // namespace
}  // namespace wavewright
