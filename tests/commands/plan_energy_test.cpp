// `wavewright plan --objective energy`: frontier, budget, exact search and page, as a user sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class PlanEnergyCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    cluster("");
    write("jobs.jsonl", R"({"id":"A","map_ms":[100000,100000,100000,100000]})");
  }
  // A fast class that draws much, and a slow one that draws little.
  void cluster(const std::string& of_fast) const {
    write("two.toml",
          "[classes.fast]\npower_idle_w = 5\npower_map_w = 100\n"
          "[classes.slow]\npower_idle_w = 5\npower_map_w = 20\n"
          "[[nodes]]\nclass = \"fast\"\nmap_slots = 2\n" +
              of_fast + "[[nodes]]\nclass = \"slow\"\nspeed = 0.5\nmap_slots = 2\n");
  }
  const std::string plan_ = "plan jobs.jsonl --cluster two.toml --objective energy ";
};

TEST_F(PlanEnergyCommand, SaysThatAPlanOfFewTasksIsOptimal) {
  const auto ran = run(plan_);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("This plan is optimal"));
  EXPECT_THAT(ran.out, Not(HasSubstr("frontier")));
  const json found = json::parse(run(plan_ + "--json").out);
  EXPECT_EQ(found["proved_optimal"], true);
  EXPECT_EQ(found["exact"]["energy_uj"], found["energy_uj"]);
  EXPECT_EQ(found["lower_bound_uj"], found["energy_uj"]);
  EXPECT_EQ(run(plan_ + "--method exact").status, 0);
}

TEST_F(PlanEnergyCommand, RefusesAnExactSearchOfManyTasks) {
  std::string maps = "1000";
  for (int i = 0; i < 16; ++i) maps += ",1000";
  write("many.jsonl", R"({"id":"A","map_ms":[)" + maps + "]}");
  const auto ran = run("plan many.jsonl --cluster two.toml --objective energy --method exact");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--method exact takes at most 16 tasks, and many.jsonl has 17"));
  EXPECT_EQ(
      json::parse(
          run("plan many.jsonl --cluster two.toml --objective energy --json --evaluations 20").out)["exact"],
      nullptr);
}

TEST_F(PlanEnergyCommand, ShowsTheFrontierWhosePlansCanBeSimulated) {
  const auto ran = run(plan_ + "--frontier");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("frontier"));
  const json found = json::parse(run(plan_ + "--frontier --json").out);
  ASSERT_EQ(found["frontier"].size(), 2U);
  const json& fast = found["frontier"][0];
  EXPECT_EQ(fast["makespan_ms"], 200'000);
  EXPECT_EQ(fast["this_plan"], false);
  write("fast.json", fast["plan"].dump());
  const auto simulated = run("simulate jobs.jsonl --cluster two.toml --plan fast.json --json");
  ASSERT_EQ(simulated.status, 0) << simulated.err;
  EXPECT_EQ(json::parse(simulated.out)["makespan_ms"], 200'000);
}

TEST_F(PlanEnergyCommand, WritesAPageWithTheFrontierAndTheBound) {
  const auto ran = run(plan_ + "--report energy.html");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string page = read("energy.html");
  EXPECT_THAT(page, HasSubstr("Energy of jobs"));
  EXPECT_THAT(page, HasSubstr("class=\"bound-line\""));
  EXPECT_THAT(page, HasSubstr("No schedule takes less: proved."));
  EXPECT_THAT(page, HasSubstr("plans that none beats"));
  EXPECT_THAT(page, Not(HasSubstr("Energy and cost")));
  cluster("price_per_hour = 3.6\n");
  ASSERT_EQ(run(plan_ + "--report energy.html --budget 5").status, 0);
  EXPECT_THAT(read("energy.html"), HasSubstr("Energy and cost"));
}

TEST_F(PlanEnergyCommand, KeepsABudgetOrSaysThatItCannot) {
  const auto without = run(plan_ + "--budget 1");
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, HasSubstr("a price limit needs prices"));
  cluster("price_per_hour = 3.6\n");  // 0.001 USD a second, until the batch ends
  const json found = json::parse(run(plan_ + "--budget 0.3 --json").out);
  EXPECT_EQ(found["budget_usd"], 0.3);
  EXPECT_LE(found["cost_usd"], 0.3);
  EXPECT_EQ(found["makespan_ms"], 200'000) << "the slow machines alone take 400 s";
  const auto none = run(plan_ + "--budget 0.1");
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out, HasSubstr("No plan was found that costs at most"));
  EXPECT_EQ(run(plan_ + "--budget much").status, 2);
}

TEST_F(PlanEnergyCommand, RefusesItsFlagsForOtherObjectives) {
  for (const char* const flag : {"--frontier", "--budget 3", "--report x.html"}) {
    const auto ran = run(std::string("plan jobs.jsonl --map-slots 2 --reduce-slots 1 ") + flag);
    EXPECT_EQ(ran.status, 2) << flag;
    EXPECT_THAT(ran.err, HasSubstr("without --objective energy"));
  }
  EXPECT_EQ(run("plan jobs.jsonl --map-slots 2 --reduce-slots 1 --method exact").status, 2);
}

}  // namespace
}  // namespace wavewright
