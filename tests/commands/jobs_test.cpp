#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <nlohmann/json.hpp>

#include "tests/commands/run.h"
#include "wavewright/store/store.h"

namespace wavewright {
namespace {

using Json = nlohmann::json;

JobRun run_named(const std::string& id, const std::string& name, std::int64_t submit) {
  JobRun run;
  run.id = id;
  run.name = name;
  run.user = "ada";
  run.queue = "root.default";
  run.state = RunState::succeeded;
  run.submit = at_ms(submit);
  run.launch = at_ms(submit + 2'000);
  run.finish = at_ms(submit + 65'000);
  run.total_maps = 4;
  run.total_reduces = 1;
  run.source = "/histories/" + id;
  return run;
}

class Jobs : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::vector<JobRun> runs = {
        run_named("job_1700000000000_0001", "WordCount", 1'700'000'100'000),
        run_named("job_1700000000000_0002", "a|b,\"c\"\n\x1b[31mred", 1'700'000'200'000),
        run_named("job_1700000000000_0003", std::string(300, 'x'), 1'700'000'300'000)};
    runs[2].state = RunState::failed;
    (void)Store::open(store_url(), Store::Access::create).add(runs);
  }
};

// A row that cannot be is listed as what it is; the others are read as ever.
TEST_F(Jobs, ADamagedRowIsShownAsDamaged) {
  soci::session other(soci::sqlite3, "db=\"" + (folder_ / "store.db").string() + "\"");
  other << "update wavewright_run set maps = 2147483647, submit_ms = -5 where job_id like '%0001'";
  const CommandResult result = run("jobs --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json jobs = Json::parse(result.out)["jobs"];
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[2]["state"], "DAMAGED");
  EXPECT_EQ(jobs[2]["damage"], "its submit_ms is -5");
  EXPECT_EQ(jobs[2]["maps"], 0);
  EXPECT_EQ(jobs[2]["submit_ms"], nullptr);
  EXPECT_EQ(jobs[1]["state"], "SUCCEEDED");
  EXPECT_EQ(jobs[1]["damage"], "");
  const CommandResult table = run("jobs");
  EXPECT_NE(table.out.find("DAMAGED"), std::string::npos) << table.out;
  EXPECT_NE(table.err.find("1 of them damaged"), std::string::npos) << table.err;
  for (const std::string command : {"profile", "profile WordCount", "store info", "predict --evaluate"}) {
    EXPECT_NE(run(command).status, 4) << command << run(command).err;
  }
  const CommandResult left_out = run("workload from-history --from 2000-01-01 --out all.jsonl");
  EXPECT_NE(left_out.err.find("left out: run job_1700000000000_0001 is damaged: its submit_ms is -5"),
            std::string::npos)
      << left_out.err;
}

TEST_F(Jobs, TextsOfCsvAreNoFormulas) {
  std::vector<JobRun> runs;
  for (const std::string name : {"=1+2", "+1", "-1", "@SUM(A1)", "\tx", "a=b", "=\"x\",y"}) {
    runs.push_back(run_named("job_1700000000000_1" + std::to_string(runs.size()), name,
                             1'700'001'000'000 - std::ssize(runs) * 1'000));
  }
  runs[0].finish = at_ms(to_ms(*runs[0].submit) - 7);
  (void)Store::open(store_url(), Store::Access::create).add(runs);
  EXPECT_EQ(run("jobs --output csv -n -o name --id 'job_1700000000000_1*'").out,
            "'=1+2\n'+1\n'-1\n'@SUM(A1)\n'\tx\na=b\n\"'=\"\"x\"\",y\"\n");
  EXPECT_EQ(run("jobs --output csv -n -o elapsed_ms --id job_1700000000000_10").out, "-7\n") << "a number";
}

TEST_F(Jobs, JsonIsThatOfTheContract) {
  const CommandResult result = run("jobs --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const Json jobs = Json::parse(result.out)["jobs"];
  ASSERT_EQ(jobs.size(), 3U);
  const Json& oldest = jobs[2];
  EXPECT_EQ(oldest["id"], "job_1700000000000_0001");
  EXPECT_EQ(oldest["name"], "WordCount");
  EXPECT_EQ(oldest["user"], "ada");
  EXPECT_EQ(oldest["queue"], "root.default");
  EXPECT_EQ(oldest["state"], "SUCCEEDED");
  EXPECT_EQ(oldest["maps"], 4);
  EXPECT_EQ(oldest["reduces"], 1);
  EXPECT_EQ(oldest["failed_attempts"], 0);
  EXPECT_EQ(oldest["killed_attempts"], 0);
  EXPECT_EQ(oldest["submit_ms"], 1'700'000'100'000);
  EXPECT_EQ(oldest["start_ms"], 1'700'000'102'000);
  EXPECT_EQ(oldest["finish_ms"], 1'700'000'165'000);
  EXPECT_EQ(oldest["source"], "/histories/job_1700000000000_0001");
  EXPECT_EQ(oldest["elapsed_ms"], 65'000);
}

TEST_F(Jobs, ATableCannotTouchTheTerminal) {
  const CommandResult result = run("jobs");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines_of(result.out), 4U) << result.out;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
  EXPECT_NE(result.out.find("2023-11-14 22:15:00"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("1m5s"), std::string::npos) << result.out;
}

TEST_F(Jobs, ATableFitsTheTerminalAndIsCutNowhereElse) {
  const std::string whole(300, 'x');
  EXPECT_NE(run("jobs").out.find(whole), std::string::npos);
  for (const int columns : {110, 130, 400}) {
    const CommandResult shown = run_on_terminal("jobs", columns);
    ASSERT_EQ(shown.status, 0) << shown.out;
    EXPECT_EQ(lines_of(shown.out), 4U) << shown.out;
    EXPECT_LE(width_of(shown.out), static_cast<std::size_t>(columns)) << shown.out;
    EXPECT_EQ(shown.out.find(whole) != std::string::npos, columns == 400) << shown.out;
    if (columns == 130) {
      EXPECT_GT(width_of(shown.out), 110U) << shown.out;
    }
  }
}

TEST_F(Jobs, ProgramsGetRawValuesInTheFieldsTheyAskFor) {
  EXPECT_EQ(run("jobs -P -o id,submit_ms --name wordcount").out,
            "id|submit_ms\njob_1700000000000_0001|1700000100000\n");
  EXPECT_EQ(run("jobs -P -n -o state --state failed").out, "FAILED\n");
  EXPECT_EQ(run("jobs --output csv -n -o name --id '*_0002'").out, "\"a|b,\"\"c\"\"\n\x1b[31mred\"\n");
  EXPECT_EQ(run("jobs -P -n -o name --id '*_0002'").out, "a b,\"c\" \x1b[31mred\n");
  EXPECT_EQ(run("jobs --output jsonl -o id,maps --limit 1").out,
            "{\"id\":\"job_1700000000000_0003\",\"maps\":4}\n");
  EXPECT_EQ(run("jobs --output markdown -o id,maps --limit 1").out,
            "| job | maps |\n| --- | ---: |\n| job_1700000000000_0003 | 4 |\n");
  EXPECT_NE(run("jobs --help-fields").out.find("elapsed_ms"), std::string::npos);
}

TEST_F(Jobs, FiltersByTime) {
  EXPECT_EQ(run("jobs -P -n -o id --from 2023-11-14T22:16:00Z --to 2023-11-14T22:17:00Z").out,
            "job_1700000000000_0002\n");
  EXPECT_EQ(run("jobs -q -P -n -o id --from now-2h").out, "");
}

TEST_F(Jobs, WrongWordsAreWrongUsageWithTheNearestOne) {
  const auto refused = [&](const std::string& arguments, const std::string& told) {
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(lines_of(result.err), 1U) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(told), std::string::npos) << result.err;
  };
  refused("jobs -o id,sumbit_ms", "did you mean 'submit_ms'?");
  refused("jobs --state succeded", "did you mean 'SUCCEEDED'?");
  refused("jobs --output cvs", "did you mean 'csv'?");
  refused("jobs --from tomorrowish", "write it like");
  refused("jobs --limit -1", "--limit");
  refused("jobs --statte failed", "did you mean '--state'?");
}

TEST_F(Jobs, WithoutAStoreItSaysHowToMakeOne) {
  const CommandResult result = run("jobs --store sqlite:none.db");
  EXPECT_EQ(result.status, 4);
  EXPECT_NE(result.err.find("wavewright import"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.db"));
}

}  // namespace
}  // namespace wavewright
