// What a Hadoop 1 job history log tells.
#include "tests/history/samples.h"
#include "wavewright/history/hadoop1/counters.h"

namespace wavewright {
namespace {

using namespace testing;

TEST(Hadoop1, TellsJobTasksAndAttempts) {
  const Outcome told = read(word_count_log());
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(told.runs.front().hadoop, "1.x log");
  EXPECT_TRUE(told.diagnostics.empty()) << told.diagnostics.front().reason;
  EXPECT_EQ(describe(told.runs.front()),
            R"(job_1700000000000_0007|word "count" |ada|root.night|SUCCEEDED|1000|2000|9500|2|1|
task_1700000000000_0007_m_000000|map|0|SUCCEEDED|2100|7010|4194420|146868|attempt_1700000000000_0007_m_000000_1|node1|node2.example.org
  attempt_1700000000000_0007_m_000000_0|0|FAILED|2200|4000|-|-|-|node1||Error: java.io.IOException
	at Mapper
  attempt_1700000000000_0007_m_000000_1|1|SUCCEEDED|4100|7000|-|-|-|node3|/rack1|
task_1700000000000_0007_m_000001|map|1|SUCCEEDED|2100|6010|4194420|146868|attempt_1700000000000_0007_m_000001_0
  attempt_1700000000000_0007_m_000001_0|0|SUCCEEDED|2300|6000|-|-|-|node4|/rack1|
  attempt_1700000000000_0007_m_000001_1|1|KILLED|5000|6100|-|-|-|node2||
task_1700000000000_0007_r_000000|reduce|0|SUCCEEDED|7020|9010|287808|56944|attempt_1700000000000_0007_r_000000_0
  attempt_1700000000000_0007_r_000000_0|0|SUCCEEDED|7100|9000|-|8000|8100|node2|/rack2|
task_1700000000000_0007_m_000003|setup|3|SUCCEEDED|2010|2060|-|-|attempt_1700000000000_0007_m_000003_0
  attempt_1700000000000_0007_m_000003_0|0|SUCCEEDED|2020|2050|-|-|-|node9|/rack1|
Words/a(b)=-3
org.apache.hadoop.mapred.JobInProgress$Counter/TOTAL_LAUNCHED_MAPS=4
)");
}

TEST(Hadoop1, FailedAndKilledJobsSaySoAndWhy) {
  const std::string log = R"(Meta VERSION="1" .
Job JOBID="job_1_0002" JOBNAME="x" USER="u" SUBMIT_TIME="5" .
Job JOBID="job_1_0002" FINISH_TIME="9" JOB_STATUS="FAILED" FINISHED_MAPS="0" FAIL_REASON="# of failed Map Tasks exceeded allowed limit\." .
)";
  const JobRun failed = read(log).runs.at(0);
  EXPECT_EQ(failed.state, RunState::failed);
  EXPECT_EQ(failed.diagnostics_text, "# of failed Map Tasks exceeded allowed limit.");
  std::string killed = log;
  killed.replace(killed.find("FAILED"), 6, "KILLED");
  EXPECT_EQ(read(killed).runs.at(0).state, RunState::killed);
}

TEST(Hadoop1, LogsWithoutAVersionEndRecordsWithTheLine) {
  const Outcome told = read(
      "Job JOBID=\"job_1_0002\" JOBNAME=\"x\" SUBMIT_TIME=\"5\"\n"
      "Job JOBID=\"job_1_0002\" FINISH_TIME=\"9\" JOB_STATUS=\"SUCCESS\" TOTAL_MAPS=\"0\"\n");
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(told.runs.front().state, RunState::succeeded);
  EXPECT_TRUE(told.diagnostics.empty());
}

TEST(Hadoop1, ABrokenRecordIsNamedAndTheRestRead) {
  std::string log = word_count_log();
  log.insert(log.find("Job JOBID=\"job_1700000000000_0007\" LAUNCH"), "Task TASKID=oops .\n<<<<\n");
  const Outcome told = read(log);
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(told.runs.front().state, RunState::succeeded);
  EXPECT_EQ(told.runs.front().tasks.size(), 4U);
  ASSERT_EQ(told.diagnostics.size(), 1U);
  EXPECT_EQ(told.diagnostics.front().reason, "record that cannot be read");
  EXPECT_EQ(told.diagnostics.front().detail, "2 times");
  EXPECT_EQ(told.diagnostics.front().where.text(), "f:5");  // the job's name holds a newline
}

TEST(Hadoop1, ACutLogGivesTheRunAndTheWarning) {
  const std::string log = word_count_log();
  const Outcome told = read(std::string_view(log).substr(0, log.size() - 30));
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(told.runs.front().state, RunState::unknown);
  EXPECT_EQ(told.diagnostics.size(), 1U);
  EXPECT_TRUE(told.says("cut off in the middle of a record"));
}

TEST(Hadoop1, UnreadableCountersAreNotedAndTheRestKept) {
  std::string log = word_count_log();
  const auto at = log.rfind("(TOTAL_LAUNCHED_MAPS)");
  log.replace(at, 21, "[TOTAL_LAUNCHED_MAPS)");
  const Outcome told = read(log);
  EXPECT_EQ(told.runs.at(0).state, RunState::succeeded);
  EXPECT_TRUE(told.says("counters that cannot be read"));
}

TEST(Hadoop1, OnlyAHeaderIsAReason) {
  EXPECT_TRUE(read("Meta VERSION=\"1\" .\n").says("no record that names a job"));
}

TEST(Hadoop1Counters, WhatIsNoCounterIsRefused) {
  const auto accepted = [](std::string_view text) {
    return hadoop1::parse_counters(text, [](const auto&, const auto&, auto) {});
  };
  EXPECT_TRUE(accepted(""));
  EXPECT_TRUE(accepted("{(g)(G)}"));
  for (const char* bad :
       {"x", "{", "{(g)", "{(g)(G)", "{(g)(G)[(n)(N)(1)}", "{(g)(G)[(n)(N)(one)]}", "{(g)(G)[(n)(N)()]}",
        "{(g)(G)[(n)(N)(99999999999999999999)]}", "{(g)(G)}x", "{(g\\"}) {
    EXPECT_FALSE(accepted(bad)) << bad;
  }
}

}  // namespace
}  // namespace wavewright
