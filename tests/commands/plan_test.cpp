// `wavewright plan` as a user calls it: the order of tasks, plans of a file, one answer for one question.
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"
#include "tests/property.h"

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
    if (under_sanitizers && *method == 0) continue;  // as above, for ten seconds
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

TEST_F(PlanCommand, SaysThatAPlanWasMadeForFewerSlots) {
  write("jobs.jsonl", R"({"id":"a","map_ms":[5,5],"reduce_ms":[2]})"
                      "\n");
  ASSERT_EQ(run("plan jobs.jsonl --map-slots 2 --reduce-slots 1 --out p.json").status, 0);
  for (const std::string command : {"plan jobs.jsonl --plan p.json", "simulate jobs.jsonl --plan p.json",
                                    "report --workload jobs.jsonl --plan p.json --out r.html"}) {
    const std::string text =
        "p.json was made for 2 map and 1 reduce slots; it leaves the rest of 3 and 1 idle";
    EXPECT_NE(run(command + " --map-slots 3 --reduce-slots 1").err.find(text), std::string::npos) << command;
    EXPECT_EQ(run(command + " --map-slots 2 --reduce-slots 1").err.find("was made for"), std::string::npos);
  }
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

TEST_F(PlanCommand, ANumberOfEvaluationsIsKept) {
  std::string jobs;
  for (int i = 0; i < 20; ++i)
    jobs += R"({"id":"J)" + std::to_string(i) + R"(","map_ms":[)" + std::to_string(3 + i * 7 % 11) +
            R"(],"reduce_ms":[4]})" + "\n";
  write("jobs.jsonl", jobs);
  for (const int most : {1, 10, 100}) {
    const CommandResult made =
        run("plan jobs.jsonl --map-slots 2 --reduce-slots 2 --json --method genetic "
            "--evaluations " +
            std::to_string(most));
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_LE(Json::parse(made.out)["evaluated"], most);
  }
}

// A plan worse under one objective has to be better under the other.
TEST_F(PlanCommand, WithinAShareNoPlanIsWorseUnderBothObjectives) {
  write(
      "jobs.jsonl",
      R"({"id":"J0","map_ms":[0,5,8,0,5],"reduce_ms":[0]})"
      "\n"
      R"({"id":"J1","map_ms":[0,24,8,0],"reduce_ms":[0,1,0],"first_shuffle_ms":[5,3,1],"shuffle_ms":[1,2,5]})"
      "\n"
      R"({"id":"J2","map_ms":[5,2],"reduce_ms":[0,15,3],"first_shuffle_ms":[6,5,2],"shuffle_ms":[0,0,0]})"
      "\n"
      R"({"id":"J3","map_ms":[11]})"
      "\n"
      R"({"id":"J4","map_ms":[2,0],"reduce_ms":[0,2,3],"first_shuffle_ms":[3,3,4],"shuffle_ms":[1,5,0]})"
      "\n"
      R"({"id":"J5","map_ms":[0,3,0,17]})"
      "\n"
      R"({"id":"J6","map_ms":[10,8],"reduce_ms":[2,19],"first_shuffle_ms":[2,6],"shuffle_ms":[5,4]})"
      "\n"
      R"({"id":"J7","map_ms":[3,0]})"
      "\n");
  const auto plan = [&](const std::string& within) {
    return Json::parse(run("plan jobs.jsonl --map-slots 2 --reduce-slots 2 --slowstart 0 --evaluations 2000 "
                           "--json --within " +
                           within)
                           .out);
  };
  const Json strict = plan("0"), loose = plan("20%");
  EXPECT_GE(loose["makespan_ms"], strict["makespan_ms"]);
  EXPECT_LE(loose["makespan_ms"], strict["makespan_ms"].get<double>() * 1.2);
  EXPECT_LE(loose["total_completion_ms"], strict["total_completion_ms"]);
}

// A file that takes the number of a closed standard output would get what is printed.
TEST_F(PlanCommand, AClosedStandardOutputIsNoPlaceForAFileOfOurs) {
  write("jobs.jsonl", R"({"id":"J","map_ms":[3,2]})"
                      "\n");
  const CommandResult closed = run("plan jobs.jsonl --map-slots 2 --reduce-slots 1 --out p.json >&- #");
  EXPECT_EQ(closed.status, 4);
  EXPECT_TRUE(Json::accept(read("p.json"))) << read("p.json");
}

TEST_F(PlanCommand, SaysNoLessThanTheGap) {
  write("jobs.jsonl", R"({"id":"A","map_ms":[3000001,2000000,2000000]})"
                      "\n");
  const CommandResult plan = run("plan jobs.jsonl --map-slots 2 --reduce-slots 1 --method submission");
  EXPECT_EQ(plan.out.find("at most 0.0 %"), std::string::npos) << plan.out;
}

}  // namespace
}  // namespace wavewright
