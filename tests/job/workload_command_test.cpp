// The workload subcommands as a user calls them: what they print, write and return.
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/job/run_command.h"
#include "tests/job/temporary_file.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/store/store.h"

namespace wavewright {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(WorkloadCommand, GeneratesTheSameBytesForTheSameSeed) {
  const CommandResult first = run_command("workload gen facebook --jobs 20 --seed 5 -q");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.out, run_command("--seed 5 workload gen facebook --jobs 20 -q").out);
  EXPECT_NE(first.out, run_command("workload gen facebook --jobs 20 --seed 6 -q").out);
  const TemporaryFile file(first.out);
  EXPECT_EQ(read_workload(file.path()).jobs.size(), 20U);
}

TEST(WorkloadCommand, JsonIsOneDocument) {
  const TemporaryFile file("");
  const std::string path = file.path().string();
  const json made =
      json::parse(run_command("workload gen w1 --jobs 50 --set mean_gap_ms=5 --json --out " + path).out);
  EXPECT_EQ(made["jobs"], 50);
  EXPECT_EQ(made["parameters"]["mean_gap_ms"], "5");
  const json described = json::parse(run_command("workload describe --json --map-slots 10 " + path).out);
  EXPECT_EQ(described["jobs"], 50);
  EXPECT_EQ(described["map"]["tasks"], made["maps"]);
  EXPECT_GT(described["offered_map_load"], 1.0);
  EXPECT_TRUE(described["offered_reduce_load"].is_null());
  EXPECT_EQ(json::parse(run_command("workload gen --list --json").out)["generators"].size(), 13U);
}

TEST(WorkloadCommand, DrawsDeadlines) {
  const TemporaryFile jobs(R"({"id":"a","submit_ms":5,"map_ms":[10,20],"reduce_ms":[30],"deadline_ms":6})"
                           "\n");
  const TemporaryFile due("");
  const std::string files = jobs.path().string() + " --out " + due.path().string();
  const json made =
      json::parse(run_command("workload deadlines --json --factor 2 --map-slots 1 --boot 1s " + files).out);
  EXPECT_EQ(made["replaced"], 1);
  EXPECT_EQ(made["map_slots"], 1);
  EXPECT_TRUE(made["reduce_slots"].is_null());
  EXPECT_EQ(read_workload(due.path()).jobs[0].deadline, at_ms(5 + 2 * (60 + 1000)));
  EXPECT_EQ(run_command("-q workload deadlines --factor 1 --alone low " + files).status, 0);
  EXPECT_EQ(read_workload(due.path()).jobs[0].deadline, at_ms(5 + 20 + 30));
  for (const char* wrong : {"--factor 3..1", "--factor x", "--alone guessed", "--map-slots 0", "--boot -1s"})
    EXPECT_EQ(run_command("workload deadlines " + files + " " + wrong + " 2>&1").status, 2) << wrong;
}

TEST(WorkloadCommand, ConvertsThereAndBack) {
  const TemporaryFile jobs("");
  const TemporaryFile text("", ".txt");
  const TemporaryFile again("");
  EXPECT_EQ(run_command("workload gen order-testbed -q --out " + jobs.path().string()).status, 0);
  const std::string there =
      jobs.path().string() + " " + text.path().string() + " --map-slots 7 --reduce-slots 3";
  const json report = json::parse(run_command("workload convert --json " + there).out);
  EXPECT_EQ(report["from"], "jsonl");
  EXPECT_EQ(report["to"], "text");
  EXPECT_EQ(run_command("-q workload convert " + text.path().string() + " " + again.path().string()).status,
            0);
  const Workload before = read_workload(jobs.path());
  const Workload after = read_workload(again.path());
  ASSERT_EQ(before.jobs.size(), after.jobs.size());
  for (std::size_t i = 0; i < after.jobs.size(); ++i)
    EXPECT_EQ(to_line(before.jobs[i]), to_line(after.jobs[i]));
}

TEST(WorkloadCommand, DescribesWithinAHundredColumns) {
  const TemporaryFile file("");
  ASSERT_EQ(run_command("workload gen w1 -q --out " + file.path().string()).status, 0);
  const std::string shown = run_command("workload describe --map-slots 5 " + file.path().string()).out;
  EXPECT_THAT(shown, HasSubstr("1000 jobs"));
  std::size_t columns = 0;
  for (const char c : shown) {
    if (c == '\n') columns = 0;
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++columns;
    ASSERT_LE(columns, 101U) << shown;
  }
}

TEST(WorkloadCommand, BadInputIsOneLineAndLeavesNoFile) {
  const TemporaryFile bad("{\"id\":\"a\"}\n{\"id\":\"a\"}\n");
  const std::string out = bad.path().string() + ".out";
  const CommandResult refused = run_command("workload convert " + bad.path().string() + " " + out + " 2>&1");
  EXPECT_EQ(refused.status, 3);
  EXPECT_EQ(std::count(refused.out.begin(), refused.out.end(), '\n'), 1);
  EXPECT_THAT(refused.out, HasSubstr(":2: job 'a': the id was used before, on line 1"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(WorkloadCommand, StatusesTellUsageInputAndOutsideApart) {
  EXPECT_EQ(run_command("workload gen facebok 2>&1").status, 2);
  EXPECT_EQ(run_command("workload gen w1 --set jobs 2>&1").status, 2);
  EXPECT_EQ(run_command("workload gen w1 --json 2>&1").status, 2);
  EXPECT_EQ(run_command("workload gen w1 --jobs 5 --out /nonexistent/x 2>&1").status, 4);
  EXPECT_EQ(run_command("workload describe /nonexistent 2>&1").status, 4);
  EXPECT_EQ(run_command("workload describe /dev/null 2>&1").status, 3);
  EXPECT_EQ(run_command("workload convert /dev/null - --from swm 2>&1").status, 2);
  EXPECT_EQ(run_command("workload describe - --map-slots -1 < /dev/null 2>&1").status, 2);
}

// A store with runs of two evenings, one of them failed.
class HistoryCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(database_.path());
    std::vector<JobRun> runs;
    for (const auto& [number, submit, state] : {std::tuple{1, 1'700'000'000'000, RunState::succeeded},
                                                std::tuple{2, 1'700'000'060'000, RunState::succeeded},
                                                std::tuple{3, 1'700'000'070'000, RunState::failed},
                                                std::tuple{4, 1'700'090'000'000, RunState::succeeded}}) {
      JobRun run;
      run.id = "job_1_000" + std::to_string(number);
      run.name = number == 2 ? "grep" : "sort";
      run.state = state;
      run.submit = at_ms(submit);
      run.finish = at_ms(submit + 9'000);
      TaskRun task;
      task.id = "task";
      task.successful_attempt = "a";
      Attempt attempt;
      attempt.id = "a";
      attempt.state = AttemptState::succeeded;
      attempt.start = at_ms(submit + 1'000);
      attempt.finish = at_ms(submit + 1'000 + 1'000 * number);
      task.attempts = {attempt};
      run.tasks = {task};
      runs.push_back(run);
    }
    Store::open(url(), Store::Access::create).add(runs);
  }
  [[nodiscard]] std::string url() const { return "sqlite:" + database_.path().string(); }
  [[nodiscard]] std::string command(const std::string& rest) const {
    return "--store " + url() + " workload from-history " + rest;
  }
  TemporaryFile database_{"", ".db"};
};

TEST_F(HistoryCommand, TakesTheNightsSuccessfulRuns) {
  const std::string out = run_command(command("--from 1700000000000 --to 1700000100000 -q")).out;
  const TemporaryFile file(out);
  const Workload workload = read_workload(file.path());
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.jobs[0].id, "job_1_0001");
  EXPECT_EQ(workload.jobs[0].submit, at_ms(0));
  EXPECT_EQ(workload.jobs[1].submit, at_ms(60'000));
  EXPECT_EQ(workload.jobs[1].maps, std::vector{ms(2000)});
}

TEST_F(HistoryCommand, TakesLaunchesOffWhereTheClusterHasThem) {
  const TemporaryFile cluster(
      "[mode]\nlaunch_ms = 300\n[[nodes]]\ncount = 1\nmap_slots = 2\nreduce_slots = 1\n", ".toml");
  const std::string out =
      run_command(command("--from 1700000000000 -q --name grep --cluster " + cluster.path().string())).out;
  const TemporaryFile file(out);
  const Workload workload = read_workload(file.path());
  ASSERT_FALSE(workload.jobs.empty());
  EXPECT_EQ(to_ms(workload.jobs[0].maps.at(0)) % 1'000, 700);
  EXPECT_EQ(run_command(command("--from 1700000000000 --cluster /nowhere.toml 2>&1")).status, 4);
}

// Two runs of `sort` succeeded, with a map of 1 s and one of 4 s; `grep` ran once.
TEST_F(HistoryCommand, TakesRangesOfProfilesInsteadOfLengths) {
  const std::string out =
      run_command(command("--from 1700000000000 --to 1700000100000 --from-profiles -q")).out;
  std::istringstream lines(out);
  std::string sort, grep;
  std::getline(lines, sort);
  std::getline(lines, grep);
  EXPECT_EQ(json::parse(sort)["map_ms"],
            json::parse(R"({"count":1,"profile":{"min":1000,"avg":2500,"max":4000}})"));
  EXPECT_EQ(json::parse(grep)["map_ms"],
            json::parse(R"({"count":1,"profile":{"min":2000,"avg":2000,"max":2000}})"));
  const TemporaryFile file(out);
  const Duration one = read_workload(file.path(), {1, {}}).jobs[0].maps.at(0);
  const Duration other = read_workload(file.path(), {2, {}}).jobs[0].maps.at(0);
  EXPECT_NE(one, other) << "each seed draws others";
  EXPECT_EQ(run_command(command("--from 1700000000000 --from-profiles --cluster x.toml 2>&1")).status, 2);
}

TEST_F(HistoryCommand, SaysWhatItLeftOut) {
  const TemporaryFile file("");
  const json report = json::parse(
      run_command(command("--json --from 2023-11-14 --to 2023-11-16 --out " + file.path().string())).out);
  EXPECT_EQ(report["jobs"], 3);
  EXPECT_EQ(report["left_out"]["did not succeed"], 1);
  const CommandResult grep = run_command(command("--from 2023-11-14 --name GREP 2>&1"));
  EXPECT_THAT(grep.out, HasSubstr("1 jobs submitted between"));
}

TEST_F(HistoryCommand, AnEmptyNightIsANo) {
  const CommandResult none = run_command(command("--from 1970-01-02 --to 1970-01-03 2>&1"));
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out, HasSubstr("no successful run was submitted between 1970-01-0"));
  EXPECT_EQ(run_command(command("--from teatime 2>&1")).status, 2);
}

}  // namespace
}  // namespace wavewright
