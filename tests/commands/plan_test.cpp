// `wavewright plan` as a user calls it: the order of tasks, plans of a file, one answer for one question.
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using Json = nlohmann::json;
using PlanCommand = CommandTest;

// Small batches where a job's tasks had better start as listed, and another order of jobs with it.
TEST_F(PlanCommand, TriesTheTasksAsListedWithEveryMethod) {
  write("two.jsonl", R"({"id":"J0","map_ms":[2,9,2],"reduce_ms":[9,5]})"
                     "\n"
                     R"({"id":"J1","map_ms":[5,6,8,1,9,9,3],"reduce_ms":[1]})"
                     "\n");
  const CommandResult two =
      run("plan two.jsonl --map-slots 3 --reduce-slots 1 --objective total-completion --json");
  ASSERT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(Json::parse(two.out)["total_completion_ms"], 43);

  write("three.jsonl", R"({"id":"J0","map_ms":[3,20,20,8,3],"reduce_ms":[11,5,5]})"
                       "\n"
                       R"({"id":"J1","map_ms":[5,30],"reduce_ms":[1]})"
                       "\n"
                       R"({"id":"J2","submit_ms":6,"map_ms":[2,2,1,22,9],"reduce_ms":[1,2,8]})"
                       "\n");
  for (const char* method : {"", " --method best"}) {
    const CommandResult three = run(
        std::string("plan three.jsonl --map-slots 2 --reduce-slots 2 --objective total-completion --json") +
        method);
    ASSERT_EQ(three.status, 0) << three.err;
    EXPECT_LE(Json::parse(three.out)["total_completion_ms"], 147) << method;
  }
}

TEST_F(PlanCommand, AnswersForThePlanOfAFileAsItIs) {
  write("jobs.jsonl", R"({"id":"J0","map_ms":[5,16,8,5]})"
                      "\n"
                      R"({"id":"J1","map_ms":[3]})"
                      "\n");
  write("plan.json", R"({"order":["J1","J0"],"task_order":"longest-first"})");
  const std::string slots = " --map-slots 2 --reduce-slots 1 --json";
  const CommandResult simulated = run("simulate jobs.jsonl --plan plan.json" + slots);
  EXPECT_EQ(Json::parse(simulated.out)["makespan_ms"], 21) << simulated.err;
  const CommandResult planned = run("plan jobs.jsonl --plan plan.json --deadline 20ms" + slots);
  EXPECT_EQ(planned.status, 1) << planned.err;
  EXPECT_EQ(Json::parse(planned.out)["makespan_ms"], 21);
}

TEST_F(PlanCommand, AnOrderOfTasksThatWasAskedForIsKept) {
  write("jobs.jsonl", R"({"id":"J","map_ms":[3,2,2,3,2]})"
                      "\n");
  const std::string slots = " --map-slots 2 --reduce-slots 1";
  const CommandResult free = run("plan jobs.jsonl --json" + slots);
  EXPECT_EQ(Json::parse(free.out)["makespan_ms"], 6);
  const CommandResult kept = run("plan jobs.jsonl --task-order longest-first --json" + slots);
  EXPECT_EQ(Json::parse(kept.out)["makespan_ms"], 7);
  const CommandResult shown = run("plan jobs.jsonl" + slots);
  EXPECT_EQ(shown.out.find("7ms"), std::string::npos) << "one value of a plan everywhere: " << shown.out;
}

TEST_F(PlanCommand, SaysNoLessThanTheGap) {
  write("jobs.jsonl", R"({"id":"A","map_ms":[3000001,2000000,2000000]})"
                      "\n");
  const CommandResult plan = run("plan jobs.jsonl --map-slots 2 --reduce-slots 1 --method submission");
  EXPECT_EQ(plan.out.find("at most 0.0 %"), std::string::npos) << plan.out;
}

}  // namespace
}  // namespace wavewright
