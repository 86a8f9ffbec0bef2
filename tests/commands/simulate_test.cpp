// `wavewright simulate` and `sweep`: what they say of jobs that are not done, and of energy and cost.
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"

namespace wavewright {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class SimulateCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    // On one slot: A fails at its fourth attempt, B behind it is rejected, C takes 6 s and D 2 s.
    write("failing.jsonl", R"({"id":"A","map_ms":[1000],"task_failure":1}
{"id":"B","map_ms":[1000],"after":["A"],"deadline_ms":60000}
{"id":"C","map_ms":[6000]}
{"id":"D","map_ms":[2000]}
)");
    write("all-fail.jsonl", R"({"id":"A","map_ms":[1000],"task_failure":1}
)");
    write("one.toml", "[[nodes]]\nmap_slots = 1\n");
  }
  [[nodiscard]] json answer(const std::string& arguments) const {
    const CommandResult result = run("-q --json " + arguments);
    EXPECT_EQ(result.status, 0) << arguments << result.err;
    return json::parse(result.out);
  }
};

// When C and D are done, whatever the failed attempts of A took, by the jobs' own rows.
double mean_of_done(const json& document) {
  double sum = 0;
  for (const std::size_t job : {2, 3}) sum += document["jobs"][job]["finish_ms"].get<double>();
  return sum / 2;
}

TEST_F(SimulateCommand, MeansAreOfTheJobsDone) {
  const json document = answer("simulate failing.jsonl --cluster one.toml");
  EXPECT_EQ(document["job_counts"], json({{"done", 2}, {"failed", 1}, {"rejected", 1}, {"unfinished", 0}}));
  EXPECT_EQ(document["mean_completion_ms"].get<double>(), mean_of_done(document));
  EXPECT_EQ(document["total_completion_ms"].get<double>(), 2 * mean_of_done(document));
  const std::string text = run("-q simulate failing.jsonl --cluster one.toml").out;
  EXPECT_THAT(text, HasSubstr(" of the jobs done, slots in use"));
  EXPECT_THAT(text, HasSubstr("jobs: 2 done, 1 failed, 1 rejected\nattempts: 4 failed\n"));
  const std::string page = "simulate failing.jsonl --cluster one.toml --report run.html";
  ASSERT_EQ(run("-q " + page).status, 0);
  EXPECT_THAT(read("run.html"), HasSubstr("in all, of the jobs done"));
}

TEST_F(SimulateCommand, HasNoMeanWhereNoJobIsDone) {
  EXPECT_TRUE(answer("simulate all-fail.jsonl --cluster one.toml")["mean_completion_ms"].is_null());
  const std::string often = "simulate all-fail.jsonl --cluster one.toml --replications 3";
  const json document = answer(often);
  EXPECT_TRUE(document["mean_completion_ms"].is_null());
  EXPECT_EQ(document["job_counts"]["failed"], 3);
  EXPECT_EQ(document["attempt_counts"]["failed"], 12);
  EXPECT_THAT(run("-q " + often).out, HasSubstr("no job was done"));
}

TEST_F(SimulateCommand, SweepCountsWhatIsNotDone) {
  write("sweep.toml",
        "workloads=['failing.jsonl','all-fail.jsonl']\nclusters=['one.toml']\n"
        "policies=['fifo','fair']\nseeds=2\n");
  const json document = answer("sweep sweep.toml");
  const json& row = document["rows"][0];
  EXPECT_EQ(row["jobs"], 4);
  EXPECT_EQ(row["done"], 2);
  EXPECT_EQ(row["failed"], 1);
  EXPECT_EQ(row["rejected"], 1);
  EXPECT_EQ(row["late"], 1) << "B is not done by its deadline";
  EXPECT_EQ(row["failed_attempts"], 4);
  EXPECT_EQ(row["mean_completion_ms"].get<double>(),
            mean_of_done(answer("simulate failing.jsonl --cluster one.toml")));
  EXPECT_EQ(document["summary"][0]["failed"], 1) << "per run";
  EXPECT_EQ(document["summary"][0]["failed_attempts"], 4);
  EXPECT_TRUE(document["summary"][2]["mean_completion_ms"].is_null()) << "all-fail.jsonl";
  EXPECT_TRUE(document["summary"][3]["difference_percent"].is_null());
  const std::string text = run("-q sweep sweep.toml").out;  // of the rows that are there
  EXPECT_THAT(text, HasSubstr("failed jobs  rejected jobs  failed attempts\n"));
  EXPECT_THAT(text, HasSubstr("mean completion is of the jobs done"));
  EXPECT_LE(width_of(text), 100U);
}

// On one slot A ends at 1 s, in time, and B at 2 s, late: half of the slot's time was A's. No trace is asked
// for.
TEST_F(SimulateCommand, TellsHowJobsWithDeadlinesWereAdmitted) {
  write("due.jsonl", R"({"id":"A","map_ms":[1000],"deadline_ms":1000}
{"id":"B","map_ms":[1000],"deadline_ms":1500}
)");
  const json admission = answer("simulate due.jsonl --cluster one.toml")["admission"];
  EXPECT_EQ(admission, json({{"jobs", 2},
                             {"accepted", 2},
                             {"rejected", 0},
                             {"successful", 1},
                             {"accept_ratio", 1.0},
                             {"success_ratio", 0.5},
                             {"utilisation", 0.5},
                             {"utilisation_of_all", 1.0}}));
  const json rejecting = answer("simulate due.jsonl --cluster one.toml --policy rtmr")["admission"];
  EXPECT_EQ(rejecting["rejected"], 1);
  EXPECT_EQ(rejecting["accept_ratio"], 0.5);
  EXPECT_EQ(rejecting["utilisation"], 1.0);
  EXPECT_FALSE(answer("simulate all-fail.jsonl --cluster one.toml").contains("admission"));
}

// A busy slot of two draws half of 300 W − 100 W more than idle.
TEST_F(SimulateCommand, TellsEnergyAndCostWhereTheClusterFileDoes) {
  write("job.jsonl", R"({"id":"A","map_ms":[36000]})");
  write("power.toml",
        "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\npower_idle_w = 100\npower_busy_w = 300\n"
        "price_per_hour = 2\n");
  const json document = answer("simulate job.jsonl --cluster power.toml");
  EXPECT_DOUBLE_EQ(document["energy_j"].get<double>(), 36 * (100 + 200.0 / 2));
  EXPECT_DOUBLE_EQ(document["cost_usd"].get<double>(), 2 * 36 / 3600.0);
  EXPECT_THAT(run("-q simulate job.jsonl --cluster power.toml").out,
              HasSubstr("\nenergy 0.002 kWh, cost 0.02 USD\n"));
  const json without = answer("simulate job.jsonl --cluster one.toml");
  EXPECT_FALSE(without.contains("energy_j"));
  EXPECT_FALSE(without.contains("cost_usd"));
  write("priced.toml", "[[nodes]]\nmap_slots = 1\nreduce_slots = 1\nprice_per_hour = 2\n");
  const std::string priced = "simulate job.jsonl --cluster priced.toml --replications 2";
  const json means = answer(priced);
  EXPECT_DOUBLE_EQ(means["cost_usd"].get<double>(), 2 * 36 / 3600.0);
  EXPECT_FALSE(means.contains("energy_j"));
  EXPECT_THAT(run("-q " + priced).out, HasSubstr("\nmean cost 0.02 USD\n"));
}

// A's map fails at the end of each attempt of 1 s; nothing else runs meanwhile, as FIFO gives A the slot.
TEST_F(SimulateCommand, SaysWhyJobsAreNotDone) {
  const json why = answer("simulate failing.jsonl --cluster one.toml --why A --why B --why C")["why"];
  ASSERT_EQ(why.size(), 3U);
  EXPECT_EQ(why[0]["state"], "failed");
  const json& failure = why[0]["failed_because"];
  EXPECT_EQ(failure["kind"], "map");
  EXPECT_EQ(failure["task"], 0);
  ASSERT_EQ(failure["attempts"].size(), 4U) << "max_attempts";
  EXPECT_EQ(failure["attempts"][3]["attempt"], 3);
  EXPECT_EQ(failure["attempts"][3]["end_ms"], failure["at_ms"]);
  EXPECT_EQ(why[1]["state"], "rejected");
  EXPECT_EQ(why[1]["rejected_because"]["code"], "PredecessorRejected");
  EXPECT_EQ(why[2]["state"], "done");
  const std::string text = run("-q simulate failing.jsonl --cluster one.toml --why A --why B").out;
  EXPECT_THAT(text, HasSubstr("map 0 failed 4 times, as often as a task may"));
  EXPECT_THAT(text, HasSubstr("B was rejected: "));
}

// B would be in time on a slot of its own, or where A had none.
TEST_F(SimulateCommand, SaysWhatWouldHaveHadARejectedJobAccepted) {
  write("due.jsonl", R"({"id":"A","map_ms":[10],"deadline_ms":15}
{"id":"B","submit_ms":1,"map_ms":[10],"deadline_ms":15}
)");
  const std::string command = "simulate due.jsonl --cluster one.toml --policy rtmr";
  const json document = answer(command + " --why B");
  const json reason = document["jobs"][1]["rejected_because"];
  EXPECT_EQ(reason, document["why"][0]["rejected_because"]);
  EXPECT_EQ(reason["earliest_deadline_ms"], 20);
  EXPECT_EQ(reason["lacks"], json({{"map_slots", 1}, {"reduce_slots", 0}}));
  EXPECT_EQ(reason["give_way"], json::array({"A"}));
  EXPECT_EQ(reason["placed_anew"], false);
  EXPECT_FALSE(answer(command)["jobs"][1]["rejected_because"].contains("lacks")) << "nobody asked";
  const CommandResult told = run("-q " + command + " --why B --report due.html");
  EXPECT_THAT(told.out, HasSubstr("or its own with 1 more map slot, or without 'A'. (DeadlineNotSure)"));
  EXPECT_THAT(read("due.html"), HasSubstr("or its own with 1 more map slot"));
}

TEST_F(SimulateCommand, ExplainsJobsByPatternAndByName) {
  write("night.jsonl", R"({"id":"job_1_0001","name":"etl","map_ms":[1000]}
{"id":"job_1_0002","name":"etl","map_ms":[1000]}
{"id":"job_2_0003","name":"report","map_ms":[1000]}
)");
  const auto explained = [&](const std::string& patterns) {
    std::vector<std::string> ids;
    const json document = answer("simulate night.jsonl --cluster one.toml " + patterns);
    for (const json& each : document["why"]) ids.push_back(each["job"]);
    return ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(explained("--why 'job_1*'"), (Ids{"job_1_0001", "job_1_0002"}));
  EXPECT_EQ(explained("--why report --why '*' --why etl"), (Ids{"job_2_0003", "job_1_0001", "job_1_0002"}));
  EXPECT_EQ(explained("--why etl"), (Ids{"job_1_0001", "job_1_0002"}));
  const auto refusal = [&](const std::string& pattern) {
    const CommandResult refused = run("simulate night.jsonl --cluster one.toml --why " + pattern);
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(lines_of(refused.err), 1U);
    return refused.err;
  };
  EXPECT_THAT(refusal("reprot"), HasSubstr("no job 'reprot'; did you mean 'report'?"));
  EXPECT_THAT(refusal("job_2_0002"), HasSubstr("did you mean 'job_1_0002' or 'job_2_0003' or 'job_1_0001'?"));
  EXPECT_THAT(refusal("'x*'"),
              HasSubstr("no job 'x*'; its jobs are 'job_1_0001', 'job_1_0002', 'job_2_0003'"));
}

// One task on one slot: the makespan is its length, so its draws are those of the factor of mean 1.
TEST_F(SimulateCommand, SpreadDrawsLengthsBySeed) {
  write("job.jsonl", R"({"id":"A","map_ms":[1000000]})");
  const std::string simulate = "simulate job.jsonl --cluster one.toml ";
  const json one = answer(simulate + "--spread 20% --seed 3"),
             again = answer(simulate + "--spread 0.2 --seed 3");
  EXPECT_EQ(one["makespan_ms"], again["makespan_ms"]);
  EXPECT_NE(one["makespan_ms"], 1'000'000);
  EXPECT_EQ(one["spread"], 0.2);
  EXPECT_NE(one["makespan_ms"], answer(simulate + "--spread 20% --seed 4")["makespan_ms"]);
  EXPECT_EQ(answer(simulate)["makespan_ms"], 1'000'000);
  EXPECT_THAT(run("-q " + simulate + "--spread 20% --job-spread 5%").out,
              HasSubstr("\ntask lengths drawn with a spread of 20.0 % a task, of 5.0 % a job\n"));
  constexpr int count = 400;
  const json many = answer(simulate + "--spread 20% --replications " + std::to_string(count));
  const double deviation = 200'000 / std::sqrt(count);
  EXPECT_NEAR(many["makespan_ms"]["mean"].get<double>(), 1'000'000, 4 * deviation);
  EXPECT_NEAR(many["makespan_ms"]["half_width"].get<double>(), 1.966 * deviation, 0.3 * deviation);
}

// With a factor that both tasks share, two on two slots end together; with one each they do not.
TEST_F(SimulateCommand, JobSpreadIsSharedByTheTasksOfAJob) {
  write("job.jsonl", R"({"id":"A","map_ms":[1000000,1000000]})");
  const auto lengths = [&](const std::string& flag) {
    EXPECT_EQ(run("-q simulate job.jsonl --map-slots 2 --reduce-slots 1 --trace t.jsonl " + flag).status, 0);
    std::istringstream lines(read("t.jsonl"));
    std::vector<int> ends;
    for (std::string line; std::getline(lines, line);) ends.push_back(json::parse(line)["end_ms"]);
    return ends;
  };
  const std::vector<int> together = lengths("--job-spread 20%"), apart = lengths("--spread 20%");
  EXPECT_EQ(together.at(0), together.at(1));
  EXPECT_NE(together.at(0), 1'000'000);
  EXPECT_NE(apart.at(0), apart.at(1));
}

TEST_F(SimulateCommand, SweepWithASpreadVariesByTheSameDrawsForEveryPolicy) {
  write("job.jsonl", R"({"id":"A","map_ms":[1000000]})");
  write("sweep.toml", "workloads=['job.jsonl']\nclusters=['one.toml']\npolicies=['fifo','fair']\nseeds=5\n");
  const json document = answer("sweep sweep.toml --spread 20% --out spread.jsonl");
  EXPECT_GT(document["summary"][0]["makespan_ms"]["half_width"].get<double>(), 0);
  EXPECT_EQ(document["summary"][1]["difference_percent"], json({{"mean", 0.0}, {"half_width", 0.0}}));
  EXPECT_EQ(document["rows"][0]["makespan_ms"],
            answer("simulate job.jsonl --cluster one.toml --spread 20% --seed 1")["makespan_ms"]);
  const std::string text = run("-q sweep sweep.toml --spread 20% --out spread.jsonl").out;
  EXPECT_THAT(text, HasSubstr("±"));
  EXPECT_THAT(text, HasSubstr("+0.0 %"));
  EXPECT_THAT(text, Not(HasSubstr("± 0")));
  const CommandResult other = run("sweep sweep.toml --spread 10% --out spread.jsonl");
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("another --spread"));
}

TEST_F(SimulateCommand, RefusesASpreadThatIsNone) {
  for (const std::string command :
       {"simulate failing.jsonl --cluster one.toml", "plan all-fail.jsonl --map-slots 1"}) {
    const CommandResult refused = run(command + " --spread 5");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("'5' is no share for --spread"));
    EXPECT_THAT(run(command + " --job-spread 2000%").err, HasSubstr("a spread of 2000 %"));
  }
}

// Two nodes, one map slot each; A's blocks lie on node1. Its first map ends after 2 s, the other after 6 s on
// node2.
TEST_F(SimulateCommand, TellsLocalityAndResponseOfMapsWhereBlocksHavePlaces) {
  write("near.jsonl", R"({"id":"A","submit_ms":1000,"map_ms":[2000,2000],"splits":[["node1"],["node1"]]})");
  write("far.toml", "[[nodes]]\ncount = 2\nmap_slots = 1\n[reads]\nkind = \"slowdown\"\nrack = 3\n");
  const json expected = {{"maps", 2},
                         {"local", 1},
                         {"rate", 0.5},
                         {"mean_response_ms", 4000.0},
                         {"mean_local_response_ms", 2000.0},
                         {"mean_elsewhere_response_ms", 6000.0}};
  const std::string command = "simulate near.jsonl --cluster far.toml";
  EXPECT_EQ(answer(command)["map_locality"], expected);
  EXPECT_EQ(answer(command + " --engine reference")["map_locality"], expected);
  EXPECT_EQ(answer(command + " --why A")["map_locality"], expected) << "where tasks are kept";
  EXPECT_THAT(run("-q " + command).out,
              HasSubstr("mean response of a map 4.0 s, 2.0 s on a node with its block, 6.0 s elsewhere\n"));
  EXPECT_FALSE(answer("simulate near.jsonl --cluster one.toml").contains("map_locality"));
}

TEST_F(SimulateCommand, SaysNothingOfLocalityWhereNoMapIsDone) {
  write("empty.jsonl", R"({"id":"A"})");
  write("far.toml", "[[nodes]]\ncount = 2\nmap_slots = 1\n[reads]\nkind = \"slowdown\"\nrack = 3\n");
  const std::string command = "simulate empty.jsonl --cluster far.toml";
  EXPECT_EQ(answer(command)["map_locality"]["rate"], nullptr);
  EXPECT_THAT(run("-q " + command).out, Not(HasSubstr("maps on a node with their block")));
}

TEST_F(SimulateCommand, RefusesPlacersOfHeartbeatsWithoutThem) {
  write("near.jsonl", R"({"id":"A","map_ms":[2000]})");
  write("far.toml", "[[nodes]]\nmap_slots = 1\n[reads]\nkind = \"slowdown\"\nrack = 3\n");
  const CommandResult refused = run("simulate near.jsonl --cluster far.toml --policy fifo+matchmaking");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("counts heartbeats, which this cluster has not; give its file [mode]"));
}

}  // namespace
}  // namespace wavewright
