#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/plan_check.h"

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

Workload two_jobs() {
  Workload workload;
  workload.jobs.resize(2);
  workload.jobs[0].id = "A";
  workload.jobs[1].id = "B";
  workload.jobs[1].maps = {ms(1), ms(2), ms(3)};
  return workload;
}

Plan plan_of(const std::string& text) {
  return plan_from_json(text, "night.plan.json");
}

TEST(PlanFile, ReadsBackWhatItWrites) {
  Plan plan;
  plan.objective = Objective::total_completion;
  plan.method = "balanced-pools";
  plan.order = {"A", "B"};
  plan.pools = {{{3, 1}, {"A"}}, {{5, 7}, {"B"}}};
  plan.reduce_order = {"B", "A"};
  plan.map_turns = {{"A", 2}, {"B", 1}, {"A", 1}};
  plan.reduce_turns = {{"B", 1}};
  plan.caps = {{"A", 2, std::nullopt}, {"B", 1, 3}};
  plan.makespan = ms(1234);
  plan.lower_bound = ms(1000);
  const Plan back = plan_of(plan_to_json(plan).dump());
  EXPECT_EQ(back.order, plan.order);
  EXPECT_EQ(back.pools[1].slots, plan.pools[1].slots);
  EXPECT_EQ(back.pools[1].jobs, plan.pools[1].jobs);
  EXPECT_EQ(back.reduce_order, plan.reduce_order);
  EXPECT_EQ(back.map_turns, plan.map_turns);
  EXPECT_EQ(back.reduce_turns, plan.reduce_turns);
  EXPECT_EQ(back.caps, plan.caps);
  EXPECT_EQ(back.objective, plan.objective);
  EXPECT_EQ(back.makespan, plan.makespan);
}

TEST(PlanFile, SaysWhatIsWrongWithABadOne) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      (void)plan_of(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint(""), testing::StartsWith("night.plan.json@"));
  EXPECT_THAT(complaint("{\"order\":[\"A\""), testing::HasSubstr("not JSON"));
  EXPECT_THAT(complaint("[]"), testing::HasSubstr("not a JSON object"));
  EXPECT_THAT(complaint("{}"), testing::HasSubstr("has no 'order'"));
  EXPECT_THAT(complaint(R"({"order":[1]})"), testing::HasSubstr("no id"));
  EXPECT_THAT(complaint(R"({"order":[],"pools":[{"map_slots":-1,"reduce_slots":1,"jobs":[]}]})"),
              testing::HasSubstr("pool 1 has a 'map_slots' that is negative"));
  EXPECT_THAT(complaint(R"({"order":[],"pools":[{"map_slots":1.5,"reduce_slots":1,"jobs":[]}]})"),
              testing::HasSubstr("no integer"));
  EXPECT_THAT(complaint(R"({"order":[],"map_turns":3})"),
              testing::HasSubstr("has 'map_turns' that are no list"));
  EXPECT_THAT(complaint(R"({"order":[],"map_turns":["A"]})"),
              testing::HasSubstr("entry 1 of 'map_turns' is not a JSON object"));
  EXPECT_THAT(complaint(R"({"order":[],"reduce_turns":[{"id":"A","tasks":1},{"id":"A","tasks":0}]})"),
              testing::HasSubstr("entry 2 of 'reduce_turns' has a 'tasks' of 0"));
  EXPECT_THAT(complaint(R"({"order":[],"map_turns":[{"id":7,"tasks":1}]})"), testing::HasSubstr("no text"));
  EXPECT_THAT(complaint(R"({"order":[],"caps":[{"id":"A","maps":-1}]})"),
              testing::HasSubstr("entry 1 of 'caps' has a 'maps' that is negative"));
  EXPECT_THAT(complaint(R"({"order":[],"objective":"makspan"})"),
              testing::HasSubstr("did you mean 'makespan'?"));
  EXPECT_THAT(complaint(std::string(100'000, '[')), testing::HasSubstr("not JSON"));
  EXPECT_THAT(complaint(R"({"order":[],"makespan_ms":1e999})"), testing::HasSubstr("too large"));
}

TEST(PlanFile, MayHaveTheOrderOfLeastTardiness) {
  // As `plan --objective tardiness` writes it.
  const Plan plan = plan_of(R"({"objective":"total-tardiness","method":"search","order":["B","A"],"value":1.5,
      "lower_bound":1.0,"weighted":false,"total_tardiness_ms":1500,"tardy_jobs":1,"jobs_with_deadline":2,
      "jobs":[],"gap":0.5,"makespan_ms":7})");
  EXPECT_EQ(plan.order, (std::vector<std::string>{"B", "A"}));
  EXPECT_EQ(plan.makespan, ms(7));
}

TEST(PlanFile, IsNoAnswerAboutMachines) {
  try {
    (void)plan_of(R"({"jobs":2,"late_at_most":0.0,"best":{"spec":"edf"},"options":[]})");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("which machines to rent"));
    EXPECT_THAT(error.remedy(), testing::HasSubstr("--policy"));
  }
}

TEST(PlanFile, MustNameTheWorkloadsJobsOnceAndFitThePool) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      check_plan(plan_of(text), two_jobs(), {4, 4}, "night.plan.json");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(R"({"order":["B","A"]})"), "");
  EXPECT_EQ(complaint(R"({"order":["B","A"],"map_turns":[{"id":"B","tasks":2},{"id":"B","tasks":1}]})"), "");
  EXPECT_THAT(complaint(R"({"order":["B","A"],"map_turns":[{"id":"B","tasks":2}]})"),
              testing::HasSubstr("the plan's turns of maps leave out 1 of job 'B'"));
  EXPECT_THAT(complaint(R"({"order":["B","A"],"map_turns":[{"id":"B","tasks":4}]})"),
              testing::HasSubstr("give job 'B' more tasks than it has"));
  EXPECT_THAT(complaint(R"({"order":["B","A"],"reduce_turns":[{"id":"C","tasks":4}]})"),
              testing::HasSubstr("the plan's turns of reduces name job 'C'"));
  EXPECT_THAT(complaint(R"({"order":["B","A"],"caps":[{"id":"B","maps":1},{"id":"B","maps":2}]})"),
              testing::HasSubstr("two caps of the plan are for job 'B'"));
  EXPECT_THAT(complaint(R"({"order":["B","A"],"caps":[{"id":"D","maps":1}]})"),
              testing::HasSubstr("is for job 'D', which the workload has not"));
  EXPECT_THAT(complaint(R"({"order":["B"]})"), testing::HasSubstr("does not name job 'A'"));
  EXPECT_THAT(complaint(R"({"order":["B","A","B"]})"), testing::HasSubstr("names job 'B' twice"));
  EXPECT_THAT(complaint(R"({"order":["B","A","C"]})"), testing::HasSubstr("'C', which the workload has not"));
  EXPECT_THAT(
      complaint(
          R"({"order":["B","A"],"pools":[{"map_slots":3,"reduce_slots":1,"jobs":["A","B"]},{"map_slots":2,"reduce_slots":1,"jobs":[]}]})"),
      testing::HasSubstr("need 5 map and 2 reduce slots"));
}

}  // namespace
}  // namespace wavewright
