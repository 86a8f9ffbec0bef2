// What a Hadoop 1 job history log tells.
#include "tests/history/samples.h"
#include "wavewright/history/hadoop1/counters.h"

namespace wavewright {
namespace {

using namespace tests;

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

TEST(Hadoop1, ANumberOfTasksThatCannotBeRefusesTheJob) {
  for (const std::string field : {"TOTAL_MAPS=\"", "TOTAL_REDUCES=\""}) {
    for (const std::string number : {"2147483647", "-7"}) {
      std::string log = word_count_log();
      log.replace(log.find(field) + field.size(), 1, number);
      const Outcome told = read(log);
      EXPECT_TRUE(told.runs.empty()) << field << number;
      EXPECT_TRUE(told.says("number of planned tasks that cannot be"));
    }
  }
}

TEST(Hadoop1, OnlyAHeaderIsAReason) {
  EXPECT_TRUE(read("Meta VERSION=\"1\" .\n").says("no record that names a job"));
}

// As JobHistory and Counters of Hadoop 0.18 and 0.19 write: no Meta, no setup and cleanup, records that end
// with the line, counters by the names that pages showed.
TEST(Hadoop1, LogsBefore020TellTheirVolumes) {
  const Outcome told = read(
      R"(Job JOBID="job_200903062215_0577" JOBNAME="sort" USER="ada" SUBMIT_TIME="1236386526000" JOBCONF="hdfs://nn:9000/x/job.xml"
Job JOBID="job_200903062215_0577" LAUNCH_TIME="1236386526545" TOTAL_MAPS="1" TOTAL_REDUCES="1"
Task TASKID="task_200903062215_0577_m_000000" TASK_TYPE="MAP" START_TIME="1236386527000" SPLITS=""
MapAttempt TASK_TYPE="MAP" TASKID="task_200903062215_0577_m_000000" TASK_ATTEMPT_ID="attempt_200903062215_0577_m_000000_0" START_TIME="1236386527100" HOSTNAME="tracker_node7.example.org:localhost/127.0.0.1:4711"
MapAttempt TASK_TYPE="MAP" TASKID="task_200903062215_0577_m_000000" TASK_ATTEMPT_ID="attempt_200903062215_0577_m_000000_0" TASK_STATUS="SUCCESS" FINISH_TIME="1236386530000" HOSTNAME="node7.example.org"
Task TASKID="task_200903062215_0577_m_000000" TASK_TYPE="MAP" TASK_STATUS="SUCCESS" FINISH_TIME="1236386530100" COUNTERS="File Systems.HDFS bytes read:4194420,File Systems.Local bytes written:123,Map-Reduce Framework.Map output bytes:200000,my.Group$X.a,b: c:-7"
Task TASKID="task_200903062215_0577_r_000000" TASK_TYPE="REDUCE" START_TIME="1236386527000" SPLITS=""
ReduceAttempt TASK_TYPE="REDUCE" TASKID="task_200903062215_0577_r_000000" TASK_ATTEMPT_ID="attempt_200903062215_0577_r_000000_0" START_TIME="1236386531000" HOSTNAME="tracker_node7.example.org:localhost/127.0.0.1:4711"
ReduceAttempt TASK_TYPE="REDUCE" TASKID="task_200903062215_0577_r_000000" TASK_ATTEMPT_ID="attempt_200903062215_0577_r_000000_0" TASK_STATUS="SUCCESS" SHUFFLE_FINISHED="1236386533000" SORT_FINISHED="1236386533100" FINISH_TIME="1236386538500" HOSTNAME="node7.example.org"
Task TASKID="task_200903062215_0577_r_000000" TASK_TYPE="REDUCE" TASK_STATUS="SUCCESS" FINISH_TIME="1236386538540" COUNTERS="Map-Reduce Framework.Reduce shuffle bytes:9,File Systems.HDFS bytes written:8"
Job JOBID="job_200903062215_0577" FINISH_TIME="1236386539000" JOB_STATUS="SUCCESS" FINISHED_MAPS="1" FINISHED_REDUCES="1" COUNTERS="Job Counters .Launched map tasks:1,my.Group$X.a,b: c:-7"
)");
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_TRUE(told.diagnostics.empty()) << told.diagnostics.front().reason;
  const JobRun& run = told.runs.front();
  EXPECT_EQ(run.state, RunState::succeeded);
  EXPECT_EQ(run.tasks.at(0).input.value(), Bytes{4'194'420});
  EXPECT_EQ(run.tasks[0].output.value(), Bytes{200'000});
  EXPECT_EQ(run.tasks[0].attempts.at(0).node, "node7.example.org");
  EXPECT_EQ(run.tasks[1].input.value(), Bytes{9});
  EXPECT_EQ(run.tasks[1].output.value(), Bytes{8});
  const std::map<std::string, std::int64_t> counters = {
      {"org.apache.hadoop.mapred.JobInProgress$Counter/TOTAL_LAUNCHED_MAPS", 1}, {"my.Group$X/a,b: c", -7}};
  EXPECT_EQ(run.counters, counters);
}

// As JobHistory.logJobInfo of 0.20 and 1.x writes after a restart: earlier records come again, times stay.
TEST(Hadoop1, ARestartedJobTrackerTellsTheJobOnce) {
  std::string log = word_count_log();
  const auto at = log.find(R"(Job JOBID="job_1700000000000_0007" FINISH_TIME)");
  const std::string earlier = log.substr(0, at);
  log.insert(
      at, earlier +
              R"(Job JOBID="job_1700000000000_0007" SUBMIT_TIME="1000" LAUNCH_TIME="2000" RESTART_COUNT="1" .
Job JOBID="job_1700000000000_0007" JOB_STATUS="RUNNING" .
)");
  const Outcome told = read(log);
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(describe(told.runs.front()), describe(read(word_count_log()).runs.at(0)));
}

// A task whose first attempt was lost is told again with a later start.
TEST(Hadoop1, ATaskStartsWhenItIsFirstToldTo) {
  std::string log = word_count_log();
  log.insert(log.find("Task TASKID=\"task_1700000000000_0007_m_000000\" TASK_TYPE=\"MAP\" TASK_STATUS"),
             "Task TASKID=\"task_1700000000000_0007_m_000000\" TASK_TYPE=\"MAP\" START_TIME=\"4050\" .\n");
  EXPECT_EQ(read(log).runs.at(0).tasks.at(0).start, at_ms(2100));
}

TEST(Hadoop1, OnlyWhatSucceededTellsVolumes) {
  const std::string bytes =
      R"( COUNTERS="{(FileSystemCounters)(FileSystemCounters)[(HDFS_BYTES_READ)(HDFS_BYTES_READ)(77)]}" .)";
  const std::string lost = R"(Task TASKID="task_1700000000000_0007_m_000002" TASK_TYPE="MAP")";
  const std::string begun_again =
      R"(MapAttempt TASK_TYPE="MAP" TASKID="task_1700000000000_0007_m_000001")"
      R"( TASK_ATTEMPT_ID="attempt_1700000000000_0007_m_000001_0" START_TIME="2300" .)";
  std::string log = word_count_log();
  const auto told = log.find(R"(Task TASKID="task_1700000000000_0007_m_000001" TASK_TYPE="MAP" TASK_STATUS)");
  const auto counters = log.find(" COUNTERS", told);
  log.erase(counters, log.find('\n', counters) - counters - 2);  // the task's own: the attempt has them
  const auto behind = log.find('\n', told) + 1;
  log.insert(behind,
             lost + R"( TASK_STATUS="FAILED" FINISH_TIME="6600")" + bytes + "\n" + begun_again + "\n");
  const JobRun run = read(log).runs.at(0);
  EXPECT_EQ(run.tasks.at(1).input, Bytes{4'194'420})
      << "of its success; that its start is told again takes nothing back";
  EXPECT_EQ(run.tasks.at(2).id, "task_1700000000000_0007_m_000002");
  EXPECT_FALSE(run.tasks.at(2).input);
}

// CDH3 compiled Hadoop 0.20.2 with locality, ACLs and failure reasons of 0.20.203: words we do not use.
TEST(Hadoop1, FieldsOfDistributionsAreNoHindrance) {
  std::string log = word_count_log();
  const std::string mark = "HTTP_PORT=\"50060\"";
  for (auto at = log.find(mark); at != std::string::npos; at = log.find(mark, at + mark.size() + 40)) {
    log.insert(at + mark.size(), R"( LOCALITY="NODE_LOCAL" AVATAAR="VIRGIN" VENDOR_FIELD="a\=\"b\" \.")");
  }
  EXPECT_EQ(describe(read(log).runs.at(0)), describe(read(word_count_log()).runs.at(0)));
}

TEST(Hadoop1Counters, WhatIsNoCounterIsRefused) {
  const auto accepted = [](std::string_view text) {
    return hadoop1::parse_counters(text, [](const auto&, const auto&, auto) {});
  };
  EXPECT_TRUE(accepted(""));
  EXPECT_TRUE(accepted("{(g)(G)}"));
  for (const char* bad : {"x", "g:1", "g.n:", "g.n:one", "g.n:1,x", "g.n:99999999999999999999", "{", "{(g)",
                          "{(g)(G)", "{(g)(G)[(n)(N)(1)}", "{(g)(G)[(n)(N)(one)]}", "{(g)(G)[(n)(N)()]}",
                          "{(g)(G)[(n)(N)(99999999999999999999)]}", "{(g)(G)}x", "{(g\\"}) {
    EXPECT_FALSE(accepted(bad)) << bad;
  }
}

}  // namespace
}  // namespace wavewright
