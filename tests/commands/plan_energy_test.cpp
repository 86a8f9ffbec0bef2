// `wavewright plan --objective energy`: frontier, budget, exact search and page, as a user sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
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
  const auto exactly = run(plan_ + "--method exact");
  EXPECT_EQ(exactly.status, 0);
  EXPECT_THAT(exactly.err, Not(HasSubstr("no exact answer")));
  EXPECT_FALSE(found.contains("no_exact_reason"));
}

TEST_F(PlanEnergyCommand, SaysWhyThereIsNoExactAnswer) {
  const std::string plan = " --cluster two.toml --objective energy --evaluations 20 --method exact";
  write("late.jsonl", R"({"id":"A","map_ms":[100000],"deadline_ms":1})");
  const auto late = run("plan late.jsonl --json" + plan);
  EXPECT_EQ(late.status, 1);
  EXPECT_THAT(late.err, HasSubstr("no exact answer: no schedule is in time"));
  EXPECT_EQ(json::parse(late.out)["no_exact_reason"], "no schedule is in time");
  // Each map alone could be in time. Only the search finds that all together cannot.
  write("tight.jsonl", R"({"id":"A","map_ms":[100000,100000,100000,100000],"deadline_ms":100000})");
  const auto tight = run("plan tight.jsonl --json" + plan);
  EXPECT_EQ(tight.status, 1);
  EXPECT_EQ(json::parse(tight.out)["lower_bound_uj"], nullptr);
  EXPECT_EQ(json::parse(tight.out)["no_exact_reason"], "no schedule is in time");
  EXPECT_THAT(run("plan tight.jsonl" + plan).out, HasSubstr("\nNo schedule is in time.\n"));
  // No two halves of their sum are equal, so that no plan reaches the bound, and the search goes on for long.
  write("long.jsonl",
        R"({"id":"A","map_ms":[50001,51003,52007,53013,54021,55031,56043,57057,58073,59091,60111,61133,)"
        R"(62157,63183,64211,65240]})");
  const auto stopped = run("plan long.jsonl --time-limit 0" + plan);
  EXPECT_EQ(stopped.status, 0) << "as of other plans that a limit stops";
  EXPECT_THAT(stopped.out, HasSubstr("No exact answer: the time limit ran out.\n"));
  EXPECT_THAT(stopped.err, HasSubstr("no exact answer: the time limit ran out\n"));
  EXPECT_THAT(stopped.err, HasSubstr("stopped before it was done"));
  const json told = json::parse(run("plan long.jsonl --time-limit 0 --json" + plan).out);
  EXPECT_EQ(told["exact"], nullptr);
  EXPECT_EQ(told["no_exact_reason"], "the time limit ran out");
  EXPECT_EQ(told["partial"], true);
}

// The slot would have to wait for B, and no plan lets it.
TEST_F(PlanEnergyCommand, SaysThatAScheduleIsInTimeWhereThePlanIsLate) {
  write("wait.jsonl", R"({"id":"A","map_ms":[100000],"deadline_ms":200000})"
                      "\n"
                      R"({"id":"B","submit_ms":1000,"map_ms":[10000],"deadline_ms":50000})");
  write("one.toml", "[[nodes]]\nmap_slots = 1\npower_idle_w = 5\npower_busy_w = 50\nprice_per_hour = 1\n");
  const std::string plan = "plan wait.jsonl --cluster one.toml --objective energy --evaluations 20 ";
  const std::string words = "The exact search found a schedule in time, but no plan in time was found";
  const auto late = run(plan + "--report wait.html");
  EXPECT_EQ(late.status, 1);
  EXPECT_THAT(late.out, AllOf(HasSubstr("No schedule in time takes less than"), HasSubstr(words + ".\n"),
                              HasSubstr("1 job is tardy")));
  EXPECT_THAT(read("wait.html"), HasSubstr(words));
  EXPECT_THAT(run(plan + "--budget 5").out, HasSubstr(words + " within the budget.\n"));
  const json told = json::parse(run(plan + "--json").out);
  EXPECT_EQ(told["exact"]["schedule"][0]["id"], "B");
  EXPECT_EQ(told["gap"], nullptr);
  EXPECT_THAT(run(plan_).out, Not(HasSubstr(words)));
}

// No idle power: a machine that is on costs nothing more.
TEST_F(PlanEnergyCommand, SaysHowLongIdleMachinesStayOn) {
  const auto shown = [&](const std::string& idle, const std::string& wake) {
    write("rent.toml",
          "[classes.here]\npower_idle_w = 0\npower_map_w = 50\n[[nodes]]\nclass = \"here\"\nmap_slots = 1\n"
          "[classes.there]\npower_map_w = 20\npower_idle_w = " +
              idle + "\nwake_j = " + wake + "\n[[nodes]]\nclass = \"there\"\nmap_slots = 1\nrent = true\n");
    return run("plan jobs.jsonl --cluster rent.toml --objective energy --evaluations 20").out;
  };
  EXPECT_THAT(shown("0", "0"), HasSubstr("at most 1 machines for rent on, idle ones until the batch ends\n"));
  EXPECT_THAT(shown("1", "60"), HasSubstr("at most 1 machines for rent on, idle ones for 1min\n"));
}

// They start on machines that are on, and may take less than the least of all plans.
TEST_F(PlanEnergyCommand, SaysThatSchedulesWithAllMachinesOnAreNoCandidates) {
  const std::string note = "Rows with all machines on are no candidates";
  EXPECT_THAT(run(plan_ + "--evaluations 20").out, Not(HasSubstr(note)));
  cluster("rent = true\n");
  const std::string shown = run(plan_ + "--evaluations 20").out;
  EXPECT_THAT(shown, HasSubstr("efh, all machines on"));
  EXPECT_THAT(shown, HasSubstr(note));
}

TEST_F(PlanEnergyCommand, OfManyTasksTellsHowFarTheBestMayBeAndRefusesTheExactSearch) {
  std::string maps = "1000";
  for (int i = 0; i < 16; ++i) maps += ",1000";
  write("many.jsonl", R"({"id":"A","map_ms":[)" + maps + "]}");
  const std::string plan = "plan many.jsonl --cluster two.toml --objective energy --evaluations 20";
  const auto ran = run(plan + " --method exact");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--method exact takes at most 16 tasks, and many.jsonl has 17"));
  const json found = json::parse(run(plan + " --json").out);
  EXPECT_EQ(found["exact"], nullptr);
  const double energy = found["energy_uj"].get<double>(), least = found["lower_bound_uj"].get<double>();
  EXPECT_GT(least, 17 * 40e6) << "the work on the slow machines alone";
  EXPECT_LE(least, energy);
  EXPECT_NEAR(found["gap"].get<double>(), energy / least - 1, 1e-9);
  const std::string text = run(plan).out;
  EXPECT_THAT(text, HasSubstr(least < energy ? "above the best." : "This plan is optimal"));
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
  EXPECT_THAT(ran.err, HasSubstr("written to energy.html"));
  EXPECT_THAT(page, HasSubstr("Energy of jobs"));
  EXPECT_THAT(page, HasSubstr("class=\"bound-line\""));
  EXPECT_THAT(page, HasSubstr("No schedule takes less: proved."));
  EXPECT_THAT(page, HasSubstr("plans that none beats"));
  EXPECT_THAT(page, Not(HasSubstr("Energy and cost")));
  cluster("price_per_hour = 3.6\n");
  ASSERT_EQ(run(plan_ + "--report energy.html --budget 5").status, 0);
  EXPECT_THAT(read("energy.html"), HasSubstr("Energy and cost"));
}

// The labelled class has no map slots: without adaptive execution EFH starts nothing.
TEST_F(PlanEnergyCommand, NamesPoliciesThatCannotDoTheBatch) {
  write("gpu.toml",
        "[classes.gpu]\nlabel = \"gpu\"\npower_idle_w = 5\npower_map_w = 9\n"
        "[classes.cpu]\npower_idle_w = 5\npower_map_w = 9\n"
        "[[nodes]]\nclass = \"cpu\"\nmap_slots = 2\n[[nodes]]\nclass = \"gpu\"\nreduce_slots = 1\nmap_slots "
        "= 0\n");
  write("gpu.jsonl", R"({"id":"A","map_ms":[1000,1000],"classes":{"gpu":{"speed":2}}})");
  const std::string plan = "plan gpu.jsonl --cluster gpu.toml --objective energy ";
  const auto ran = run(plan);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("\nefh.adaptive=no. cannot do the batch: job 'A'"));
  EXPECT_THAT(ran.out, Not(HasSubstr("fifo cannot")));
  const json told = json::parse(run(plan + "--json").out);
  for (const json& rival : told["rivals"]) {
    const bool stays = rival["policy"] == "efh(adaptive=no)";
    EXPECT_EQ(rival.contains("reason"), stays) << rival;
    EXPECT_EQ(rival.contains("energy_uj"), !stays) << rival;
  }
  ASSERT_EQ(run(plan + "--report gpu.html").status, 0);
  EXPECT_THAT(read("gpu.html"), ContainsRegex("efh.adaptive=no.*cannot do the batch: job &#39;A&#39;"));
}

// A simulation of the plan finds the same. The grid's intensity changes in the middle.
TEST_F(PlanEnergyCommand, TellsTheCarbonDioxideOfEachSchedule) {
  EXPECT_FALSE(json::parse(run(plan_ + "--json").out).contains("carbon_g"));
  write("grid.toml", "[grid]\nco2_g_per_kwh = [[0, 360], [150000, 7200]]\n" + read("two.toml"));
  const std::string plan = "plan jobs.jsonl --cluster grid.toml --objective energy --frontier ";
  const auto ran = run(plan + "--out night.plan.json --report grid.html");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("CO2 g"), ContainsRegex("\ncarbon dioxide [0-9.]+ g\n")));
  EXPECT_THAT(read("grid.html"), AllOf(HasSubstr("carbon dioxide"), HasSubstr("CO2")));
  const json found = json::parse(read("night.plan.json"));
  const auto simulated = [&](const std::string& how) {
    const auto again = run("simulate jobs.jsonl --cluster grid.toml --json " + how);
    EXPECT_EQ(again.status, 0) << again.err;
    return json::parse(again.out)["energy"]["carbon_g"].get<double>();
  };
  EXPECT_GT(found["carbon_g"], 0);
  EXPECT_NEAR(found["carbon_g"], simulated("--plan night.plan.json"), 1e-12);
  for (const json& rival : found["rivals"]) {
    if (rival["policy"] == "fifo" && !rival["all_machines_on"].get<bool>()) {
      EXPECT_NEAR(rival["carbon_g"], simulated("--policy fifo"), 1e-12);
    }
  }
  for (const json& each : found["frontier"]) EXPECT_TRUE(each.contains("carbon_g")) << each;
}

// Both charts show each schedule: those of the frontier, and those of other policies on the same machines.
TEST_F(PlanEnergyCommand, DrawsEachScheduleOverMakespanAndOverCost) {
  cluster("price_per_hour = 3.6\n");
  const auto ran = run(plan_ + "--report energy.html --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json found = json::parse(ran.out);
  std::size_t rivals = 0;
  for (const json& rival : found["rivals"]) {
    if (rival.contains("energy_uj") && !rival["all_machines_on"].get<bool>()) ++rivals;
  }
  ASSERT_GE(found["frontier"].size(), 2U);
  ASSERT_GE(rivals, 1U);
  const std::string page = read("energy.html");
  const auto shown = [&](const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(shown("class=\"dot f0\""), 2 * found["frontier"].size());
  EXPECT_EQ(shown("class=\"dot f1\""), 2 * rivals);
  EXPECT_EQ(shown("class=\"dot best\""), 2U) << "this plan";
  EXPECT_EQ(shown("class=\"bound-line\""), 2U);
}

TEST_F(PlanEnergyCommand, RefusesStatesThatNoMachineForRentHas) {
  const auto refusal = [&](const std::string& states) {
    const auto ran = run(plan_ + "--states " + states);
    EXPECT_EQ(ran.status, 2) << states;
    EXPECT_EQ(lines_of(ran.err), 1U) << ran.err;
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(refusal("slwo,fast"), HasSubstr("no node has the class 'slwo'"));
  EXPECT_THAT(refusal("fast,slow"), HasSubstr("class 'fast' is a state of machines, but is not for rent"));
}

TEST_F(PlanEnergyCommand, RefusesContainersAsEfhDoesAndSaysWhatToDo) {
  write("containers.toml",
        "[mode]\nkind = \"containers\"\n"
        "[[nodes]]\nmemory_mb = 9000\nvcores = 9\npower_idle_w = 3\npower_busy_w = 3\n");
  const auto refusal = [&](const std::string& command) {
    const auto ran = run(command);
    EXPECT_EQ(ran.status, 2) << command;
    EXPECT_EQ(lines_of(ran.err), 1U) << ran.err;
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(refusal("plan jobs.jsonl --cluster containers.toml --objective energy"),
              AllOf(HasSubstr("plans for energy need a cluster of slots"), HasSubstr("kind = \"slots\"")));
  EXPECT_THAT(refusal("simulate jobs.jsonl --cluster containers.toml --policy efh"),
              AllOf(HasSubstr("policy 'efh' gives out slots"), HasSubstr("kind = \"slots\"")));
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

// A map on `slow` takes 200 s at 20 W, on `fast` 100 s at 100 W.
TEST_F(PlanEnergyCommand, TellsTheEnergyOfAMapByClassAndTheNodesThatSuitAJob) {
  const json slow = {{"class", "slow"}, {"mean_map_ms", 200'000}, {"map_j", 4'000}, {"efficiency", 2.5}};
  const json fast = {{"class", "fast"}, {"mean_map_ms", 100'000}, {"map_j", 10'000}, {"efficiency", 1}};
  const json anywhere = json::parse(run(plan_ + "--json").out)["map_energy"];
  ASSERT_EQ(anywhere.size(), 1U);
  EXPECT_EQ(anywhere[0]["id"], "A");
  EXPECT_EQ(anywhere[0]["classes"], json::array({slow, fast}));
  EXPECT_EQ(anywhere[0]["nodes"], json::array()) << "blocks have no places";
  // Three of four blocks lie on the fast node1, one on the slow node2: h = 1 · 3/4 and 2.5 · 1/4.
  write("two.toml", read("two.toml") + "[reads]\nkind = \"slowdown\"\nrack = 3\n");
  write("jobs.jsonl", R"({"id":"A","map_ms":[100000,100000,100000,100000],)"
                      R"("splits":[["node1"],["node1"],["node1"],["node2"]]})");
  const json first = {
      {"node", "node1"}, {"class", "fast"}, {"blocks", 3}, {"overlap", 0.75}, {"fitness", 0.75}};
  const json second = {
      {"node", "node2"}, {"class", "slow"}, {"blocks", 1}, {"overlap", 0.25}, {"fitness", 0.625}};
  const json placed = json::parse(run(plan_ + "--json").out)["map_energy"];
  EXPECT_EQ(placed[0]["classes"], json::array({slow, fast}));
  EXPECT_EQ(placed[0]["nodes"], json::array({first, second}));
  const std::string text = run(plan_).out;
  EXPECT_THAT(text, ContainsRegex("job +class +mean map +E_map J +ef"));
  EXPECT_THAT(text, ContainsRegex("A +slow +[0-9a-z]+ +4,000 +2.500"));
  EXPECT_THAT(text, ContainsRegex("job +best nodes +class +blocks +dop +h"));
  EXPECT_THAT(text, ContainsRegex("A +node2 +slow +1 +0.250 +0.625"));
}

// Frugal machines are slow, quick ones are dear, and cheap quick ones are greedy. In time are 100 s.
TEST_F(PlanEnergyCommand, KeepsADeadlineAndABudgetTogether) {
  const auto rented = [](const char* name, const char* speed, const char* watts, const char* price) {
    const std::string row =
        std::string("[[nodes]]\ncount = 4\nmap_slots = 1\nrent = true\nclass = \"") + name + "\"\n";
    return row + "speed = " + speed + "\nprice_per_hour = " + price + "\n[classes." + name +
           "]\npower_idle_w = 1\npower_map_w = " + watts + "\n";
  };
  write("three.toml", "[[nodes]]\nclass = \"here\"\npower_idle_w = 1\npower_busy_w = 1\nreduce_slots = 1\n" +
                          rented("frugal", "0.5", "5", "0.36") + rented("dear", "1", "20", "3.6") +
                          rented("greedy", "1", "50", "0.36"));
  const auto job = [&](const std::string& due) {
    write("jobs.jsonl", R"({"id":"A","map_ms":[100000,100000,100000,100000])" + due + "}");
  };
  const std::string plan = "plan jobs.jsonl --cluster three.toml --objective energy --evaluations 300";
  const auto planned = [&](const std::string& flags) {
    const auto ran = run(plan + " --json" + flags);
    EXPECT_EQ(ran.status, 0) << ran.err << ran.out;
    return json::parse(ran.out);
  };
  const auto joules = [](const json& found) { return found["energy_uj"].get<double>() / 1e6; };
  job("");
  const json neither = planned("");
  EXPECT_GT(neither["makespan_ms"], 150'000) << "four maps of 200 s at 5 W";
  EXPECT_LT(joules(neither), 5'500);
  const json cheap = planned(" --budget 0.25");
  EXPECT_NEAR(joules(cheap), joules(neither), 50) << "the price alone binds nothing";
  job(R"(,"deadline_ms":150000)");
  const json quick = planned("");
  EXPECT_GT(quick["cost_usd"], 0.25) << "four maps of 100 s at 20 W, for 0.1 USD each";
  EXPECT_LT(joules(quick), 9'500);
  const json both = planned(" --budget 0.25");
  EXPECT_EQ(both["tardy_jobs"], 0);
  EXPECT_LE(both["makespan_ms"], 150'000);
  EXPECT_LE(both["cost_usd"], 0.25);
  // Two maps on each kind of quick machines: 2 · 2 kJ + 2 · 5 kJ of work, for 0.22 USD. Four on greedy ones
  // take 20 kJ.
  EXPECT_GT(joules(both), 14'000);
  EXPECT_LT(joules(both), 15'500);
  const auto none = run(plan + " --budget 0.01");
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out, HasSubstr("No plan was found that costs at most"));
}

TEST_F(PlanEnergyCommand, RefusesItsFlagsForOtherObjectives) {
  for (const char* const flag : {"--frontier", "--budget 3", "--report x.html"}) {
    const auto ran = run(std::string("plan jobs.jsonl --map-slots 2 --reduce-slots 1 ") + flag);
    EXPECT_EQ(ran.status, 2) << flag;
    EXPECT_THAT(ran.err, HasSubstr("without --objective energy"));
  }
  EXPECT_EQ(run("plan jobs.jsonl --map-slots 2 --reduce-slots 1 --method exact").status, 2);
  const auto other = run(plan_ + "--method best");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err,
              HasSubstr("--method best is not for --objective energy; leave it out, or take exact"));
}

}  // namespace
}  // namespace wavewright
