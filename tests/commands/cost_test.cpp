// `wavewright cost` and `plan --objective tardiness|cost`: what a user sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Cost : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    // 3.6 USD an hour: 1 mUSD a second. Twelve jobs of two maps of 20 s, every 10 s, due 60 s later.
    write("cloud.toml",
          "[[nodes]]\ncount = 40\nmap_slots = 1\nprice_per_hour = 3.6\nrent = true\n"
          "spot = [[0, 1.8], [100000, 5], [110000, 0.9]]\n");
    std::string jobs;
    for (int i = 0; i < 12; ++i) {
      jobs += fmt::format(R"({{"id":"j{}","submit_ms":{},"map_ms":[20000,20000],"deadline_ms":{}}})", i,
                          10'000 * i, 10'000 * i + 60'000) +
              "\n";
    }
    write("jobs.jsonl", jobs);
  }
};

TEST_F(Cost, AnswersWithTheCheapestOption) {
  const auto ran = run("cost jobs.jsonl --cluster cloud.toml --policies edf,mdasa --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json found = json::parse(ran.out);
  const json& best = found["best"];
  ASSERT_TRUE(best.is_object());
  EXPECT_LE(best["tardy_share"]["mean"], 0.05);
  EXPECT_EQ(best["cost_usd"]["half_width"], nullptr);  // nothing is drawn: one run
  EXPECT_EQ(found["seeds"].size(), 1U);
  for (const json& option : found["options"]) {
    if (option["tardy_share"]["mean"] > 0.05) continue;
    EXPECT_GE(option["cost_usd"]["mean"], best["cost_usd"]["mean"]);
  }
  // The simulator says the same of that policy, and pays no less than the bounds.
  const auto simulated = run("simulate jobs.jsonl --cluster cloud.toml --json --policy '" +
                             best["spec"].get<std::string>() + "'");
  ASSERT_EQ(simulated.status, 0) << simulated.err;
  const json run_of_it = json::parse(simulated.out);
  EXPECT_EQ(run_of_it["rented"]["cost_usd"], best["cost_usd"]["mean"]);
  EXPECT_EQ(run_of_it["cost_bound"]["as_this_run_usd"], found["bound"]["as_best_usd"]);
  EXPECT_LE(found["bound"]["as_best_usd"], best["cost_usd"]["mean"]);
}

TEST_F(Cost, ShowsTheFrontierAndWritesThePage) {
  const auto ran = run("cost jobs.jsonl --cluster cloud.toml --report cost.html");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("cheapest within the limit"));
  EXPECT_THAT(ran.out, HasSubstr("policy: "));
  EXPECT_THAT(ran.out, HasSubstr("no schedule has all jobs in time for less than"));
  EXPECT_THAT(ran.out, HasSubstr("--all shows them"));
  const std::string page = read("cost.html");
  EXPECT_THAT(page, HasSubstr("Cost and tardiness"));
  EXPECT_THAT(page, HasSubstr("cheapest within the limit"));
  const auto all = run("cost jobs.jsonl --cluster cloud.toml --all");
  EXPECT_GT(lines_of(all.out), lines_of(ran.out));
}

TEST_F(Cost, DrawnLengthsHaveIntervals) {
  const auto ran =
      run("cost jobs.jsonl --cluster cloud.toml --policies edf --machines on-demand --spread 50% --seeds 4 "
          "--json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json found = json::parse(ran.out);
  EXPECT_EQ(found["best"]["runs"], 4);
  EXPECT_GT(found["best"]["cost_usd"]["half_width"], 0);
}

TEST_F(Cost, SaysNoInOneLine) {
  // One machine: the work of 480 s does not fit.
  write("one.toml", "[[nodes]]\ncount = 1\nmap_slots = 1\nprice_per_hour = 3.6\nrent = true\n");
  const auto no = run("cost jobs.jsonl --cluster one.toml --policies edf -q");
  EXPECT_EQ(no.status, 1);
  EXPECT_THAT(no.err, HasSubstr("no option keeps the share of tardy jobs at 5"));
  EXPECT_EQ(lines_of(no.err), 1U) << no.err;
  // No policy can have `late` in time: it takes 20 s.
  write("late.jsonl", "{\"id\":\"late\",\"submit_ms\":5000,\"map_ms\":[20000],\"deadline_ms\":24999}\n");
  for (const char* command :
       {"cost late.jsonl --cluster cloud.toml", "plan late.jsonl --cluster cloud.toml --objective cost"}) {
    const auto early = run(command);
    EXPECT_EQ(early.status, 1) << command;
    EXPECT_EQ(early.out, "");
    EXPECT_EQ(lines_of(early.err), 1U) << early.err;
    EXPECT_THAT(early.err, HasSubstr("'late' ends at 25s at the earliest, 1ms after its deadline"));
  }
  EXPECT_EQ(run("cost late.jsonl --cluster cloud.toml --late-at-most 100% --policies edf").status, 0);
}

TEST_F(Cost, RefusesInOneLine) {
  const auto refuses = [this](const std::string& arguments, int status, const std::string& words) {
    const auto ran = run("cost " + arguments);
    EXPECT_EQ(ran.status, status) << arguments << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(words));
    EXPECT_EQ(lines_of(ran.err), 1U) << ran.err;
    EXPECT_EQ(ran.out, "");
  };
  write("fixed.toml", "[[nodes]]\nmap_slots = 1\n");
  write("no-deadline.jsonl", "{\"id\":\"a\",\"map_ms\":[20000]}\n");
  refuses("jobs.jsonl", 2, "which machines are for rent?");
  refuses("jobs.jsonl --cluster fixed.toml", 2, "no machines for rent");
  refuses("no-deadline.jsonl --cluster cloud.toml", 3, "no job has a deadline");
  refuses("jobs.jsonl --cluster cloud.toml --late-at-most 5", 2, "--late-at-most");
  refuses("jobs.jsonl --cluster cloud.toml --late-at-most 200%", 2, "--late-at-most");
  refuses("jobs.jsonl --cluster cloud.toml --policies edg", 2, "edf");
  refuses("jobs.jsonl --cluster cloud.toml --machines spots", 2, "did you mean 'spot'?");
  refuses("jobs.jsonl --cluster cloud.toml --bids cheap", 2, "'cheap', which is no price");
  refuses("jobs.jsonl --cluster cloud.toml --report jobs.jsonl", 2, "jobs.jsonl");
}

TEST_F(Cost, StopsWithWhatItHas) {
  const auto ran = run_interrupted("cost jobs.jsonl --cluster cloud.toml --seeds 100000 --json");
  EXPECT_EQ(ran.status, 130) << ran.err;
  const json found = json::parse(ran.out);
  EXPECT_EQ(found["partial"], true);
  EXPECT_FALSE(found["options"].empty());
}

class PlanTardiness : public Cost {};

TEST_F(PlanTardiness, OrdersJobsAndProves) {
  write("two.jsonl",
        "{\"id\":\"long\",\"map_ms\":[4000],\"deadline_ms\":3000}\n{\"id\":\"short\",\"map_ms\":[2000],"
        "\"deadline_ms\":3000}\n");
  const auto ran =
      run("plan two.jsonl --map-slots 1 --reduce-slots 1 --objective tardiness --json --out plan.json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json plan = json::parse(ran.out);
  EXPECT_EQ(plan["order"], json::array({"short", "long"}));
  EXPECT_EQ(plan["total_tardiness_ms"], 3'000);
  EXPECT_EQ(plan["best_single_order"], true);
  EXPECT_LE(plan["lower_bound"], 3'000);
  EXPECT_EQ(json::parse(read("plan.json"))["order"], plan["order"]);
  const auto text = run("plan two.jsonl --map-slots 1 --reduce-slots 1 --objective tardiness");
  EXPECT_THAT(text.out, HasSubstr("1 of 2 jobs with a deadline are tardy; total tardiness 3s"));
}

TEST_F(PlanTardiness, RefusesFlagsOfOtherPlans) {
  const auto ran = run("plan jobs.jsonl --map-slots 1 --objective tardiness --method johnson");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--method has no meaning with --objective tardiness"));
  write("no-deadline.jsonl", "{\"id\":\"a\",\"map_ms\":[20000]}\n");
  EXPECT_EQ(run("plan no-deadline.jsonl --map-slots 1 --reduce-slots 1 --objective tardiness").status, 3);
}

TEST_F(Cost, TellsHowFarTardyJobsAndTardinessVary) {
  const std::string call =
      "cost jobs.jsonl --cluster cloud.toml --policies 'fixed-size(3)' --machines on-demand "
      "--late-at-most 100% --spread 60% --seeds 5 ";
  const auto ran = run(call + "--json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json best = json::parse(ran.out)["best"];
  EXPECT_NEAR(best["tardy_jobs"]["mean"].get<double>(), 12 * best["tardy_share"]["mean"].get<double>(), 1e-9);
  EXPECT_GT(best["tardy_jobs"]["half_width"].get<double>(), 0);
  EXPECT_GT(best["tardiness_ms"]["half_width"].get<double>(), 0);
  const auto text = run(call + "--report page.html");
  EXPECT_THAT(text.out,
              testing::ContainsRegex("tardy jobs: [0-9.]+ ± [0-9.]+ of 12, total tardiness: .+ ± .+"));
  EXPECT_THAT(read("page.html"), HasSubstr("Tardy jobs"));
}

TEST_F(Cost, TakesATemplateThatLeavesOutWhatTheAnswerSays) {
  const std::string apply =
      "cost jobs.jsonl --cluster cloud.toml --policies edf --machines on-demand --apply order.toml "
      "--dry-run ";
  write("order.toml", "type = 'm3.large'\nimage = 'ami-1'\nbudget = 9\n");
  const auto ran = run(apply + "--write-order full.toml --report page.html");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string page = read("page.html");
  EXPECT_THAT(page, HasSubstr("A dry run: nothing was rented."));
  EXPECT_THAT(page, HasSubstr("m3.large, on demand"));
  EXPECT_THAT(page, HasSubstr("Budget of the batch</th><td>9"));
  EXPECT_THAT(ran.out, HasSubstr("would rent"));
  EXPECT_THAT(read("full.toml"), HasSubstr("count = "));
  EXPECT_THAT(read("full.toml"), HasSubstr("price = 3.60\n"));
  // The same file is no order; a full order is no template.
  const auto no_order = run("machines rent --order order.toml --batch b --region eu-west-1");
  EXPECT_NE(no_order.status, 0);
  EXPECT_THAT(no_order.err, HasSubstr("order.toml"));
  write("order.toml", read("full.toml"));
  const auto no_template = run(apply);
  EXPECT_EQ(no_template.status, 3);
  EXPECT_THAT(no_template.err, HasSubstr("'count' has no place in a template"));
  // What it says beside must be what was simulated.
  write("order.toml", "type = 'm3.large'\nimage = 'ami-1'\nbudget = 9\nprice = 2\n");
  EXPECT_THAT(run(apply).err, HasSubstr("price 2 is not the 3.6"));
  write("order.toml", "type = 'm3.large'\nimage = 'ami-1'\nbudget = 9\nfor = '1min'\n");
  EXPECT_THAT(run(apply).err, HasSubstr("the template rents for 1min, and the answer needs"));
}

}  // namespace
}  // namespace wavewright
