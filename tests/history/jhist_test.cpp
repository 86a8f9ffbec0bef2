// What a jhist file tells, in both encodings and by schemas of three ages.
#include <fmt/format.h>

#include "tests/history/samples.h"

namespace wavewright {
namespace {

using namespace tests;

class EitherEncoding : public ::testing::TestWithParam<Encoding> {
 protected:
  [[nodiscard]] static Outcome outcome(const Json& schema, const std::vector<Json>& events) {
    return read(jhist(schema, events, GetParam()));
  }
  [[nodiscard]] static JobRun only_run(const Json& schema, const std::vector<Json>& events) {
    Outcome told = outcome(schema, events);
    EXPECT_EQ(told.runs.size(), 1U);
    return told.runs.empty() ? JobRun{} : std::move(told.runs.front());
  }
};

INSTANTIATE_TEST_SUITE_P(Jhist, EitherEncoding, ::testing::Values(Encoding::json, Encoding::binary),
                         [](const auto& it) { return it.param == Encoding::json ? "Json" : "Binary"; });

constexpr const char* word_count_told =
    R"(job_1700000000000_0007|word "count" |ada|root.night|SUCCEEDED|1000|2000|9500|2|1|
task_1700000000000_0007_m_000000|map|0|SUCCEEDED|2100|7010|4194420|146868|attempt_1700000000000_0007_m_000000_1|node1|node2.example.org
  attempt_1700000000000_0007_m_000000_0|0|FAILED|2200|4000|-|-|-|node1|/rack1|Error: java.io.IOException
	at Mapper
  attempt_1700000000000_0007_m_000000_1|1|SUCCEEDED|4100|7000|6500|-|-|node3|/rack1|
task_1700000000000_0007_m_000001|map|1|SUCCEEDED|2100|6010|4194420|146868|attempt_1700000000000_0007_m_000001_0
  attempt_1700000000000_0007_m_000001_0|0|SUCCEEDED|2300|6000|5500|-|-|node4|/rack1|
  attempt_1700000000000_0007_m_000001_1|1|KILLED|5000|6100|-|-|-|node2|/rack1|Speculation: attempt_…_0 succeeded first!
task_1700000000000_0007_r_000000|reduce|0|SUCCEEDED|7020|9010|287808|56944|attempt_1700000000000_0007_r_000000_0
  attempt_1700000000000_0007_r_000000_0|0|SUCCEEDED|7100|9000|-|8000|8100|node2|/rack2|
Words/ÄRGER=-3
org.apache.hadoop.mapreduce.JobCounter/TOTAL_LAUNCHED_MAPS=4
)";

TEST_P(EitherEncoding, TellsJobTasksAndAttempts) {
  const Outcome told = outcome(schema_3(), word_count());
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(describe(told.runs.front()), word_count_told);
  EXPECT_TRUE(told.diagnostics.empty());
  EXPECT_EQ(told.runs.front().hadoop,
            GetParam() == Encoding::json ? "3.x jhist (Avro-Json)" : "3.x jhist (Avro-Binary)");
}

TEST_P(EitherEncoding, OlderSchemasTellTheSameJob) {
  EXPECT_EQ(describe(only_run(schema_2(), word_count())), word_count_told);
  EXPECT_TRUE(only_run(schema_2(), word_count()).hadoop.starts_with("2.x"));
  EXPECT_EQ(describe(only_run(schema_0_23(), word_count())), word_count_told);
  EXPECT_TRUE(only_run(schema_0_23(), word_count()).hadoop.starts_with("0.23"));
}

// A later Hadoop may add types of fields, records and events that we have never seen.
TEST_P(EitherEncoding, UnknownFieldsAndEventsAreDecodedBySchemaAndPassedOver) {
  Json schema = schema_3();
  schema["fields"][0]["type"]["symbols"].push_back("MOON_LANDED");
  Json& fields = schema["fields"];
  fields = Json::array({Json::parse(R"({"name": "revision", "type": "long"})"), fields[0], fields[1]});
  fields[2]["type"].push_back(Json::parse(R"({"type": "record", "name": "MoonLanded", "fields": [
      {"name": "craters", "type": {"type": "map", "values": ["null", "long"]}},
      {"name": "inner", "type": ["null", "JhCounters", "MoonLanded"]},
      {"name": "bright", "type": "boolean"}]})"));
  std::vector<Json> events = word_count();
  insert(events, 2,
         event("MOON_LANDED", "MoonLanded",
               {{"craters", {{"Tycho", 85}, {"Linné", nullptr}}},
                {"inner", {{"@", "MoonLanded"}, {"bright", true}}}}));
  const Outcome told = outcome(schema, events);
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(describe(told.runs.front()), word_count_told);
  ASSERT_EQ(told.diagnostics.size(), 1U);
  EXPECT_EQ(told.diagnostics.front().reason, "events of an unknown kind");
  EXPECT_EQ(told.diagnostics.front().detail, "MOON_LANDED");
}

Json master_started(int number, std::int64_t at, const std::string& node) {
  return event("AM_STARTED", "AMStarted",
               {{"applicationAttemptId", fmt::format("appattempt_1700000000000_0007_{:06}", number)},
                {"startTime", at},
                {"containerId", fmt::format("container_1700000000000_0007_{:02}_000001", number)},
                {"nodeManagerHost", node},
                {"nodeManagerPort", 8041},
                {"nodeManagerHttpPort", 8042}});
}

TEST_P(EitherEncoding, TellsWhenAndWhereTheApplicationMasterStarted) {
  for (const Json& schema : {schema_3(), schema_2(), schema_0_23()}) {
    const JobRun run = only_run(schema, word_count());
    ASSERT_EQ(run.masters.size(), 1U);
    EXPECT_EQ(run.masters[0].number, 1);
    EXPECT_EQ(run.masters[0].start, at_ms(1100));
    EXPECT_EQ(run.masters[0].node, "node1");
  }
}

// The history of a second attempt tells its own start first, then those before it.
TEST_P(EitherEncoding, TellsEveryAttemptAtTheApplicationMasterOnceAndInOrder) {
  std::vector<Json> events = word_count();
  events[0] = master_started(2, 1800, "node2");
  insert(events, 1, master_started(1, 1200, "node1.example.org"));
  insert(events, 2, master_started(1, 1200, "node1.example.org"));
  const JobRun run = only_run(schema_3(), events);
  ASSERT_EQ(run.masters.size(), 2U);
  EXPECT_EQ(run.masters[0].node, "node1.example.org");
  EXPECT_EQ(run.masters[1].number, 2);
  EXPECT_EQ(run.masters[1].start, at_ms(1800));
  EXPECT_EQ(run.masters[1].node, "node2");
}

TEST_P(EitherEncoding, AMasterOutsideItsJobsTimeIsKeptAndNoted) {
  std::vector<Json> events = word_count();
  events[0] = master_started(1, 50'000, "node1");
  const Outcome told = outcome(schema_3(), events);
  EXPECT_EQ(told.runs.at(0).masters.at(0).start, at_ms(50'000));
  EXPECT_TRUE(told.says("application master started outside its job's time"));
  events[0] = master_started(1, -1, "");
  EXPECT_TRUE(only_run(schema_3(), events).masters.empty()) << "nothing is told";
}

TEST_P(EitherEncoding, KilledAndFailedJobsSaySoAndWhy) {
  std::vector<Json> events = word_count();
  const auto ended = [&](const std::string& type, const std::string& status) {
    events.back() = event(type, "JobUnsuccessfulCompletion",
                          {{"jobid", "job_1700000000000_0007"},
                           {"finishTime", 9600},
                           {"jobStatus", status},
                           {"diagnostics", "Task failed task_1\nJob failed as tasks failed."}});
    return only_run(schema_3(), events);
  };
  const JobRun failed = ended("JOB_FAILED", "FAILED");
  EXPECT_EQ(failed.state, RunState::failed);
  EXPECT_EQ(failed.finish, at_ms(9600));
  EXPECT_EQ(failed.diagnostics_text, "Task failed task_1 Job failed as tasks failed.");
  EXPECT_EQ(ended("JOB_KILLED", "KILLED").state, RunState::killed);
  EXPECT_EQ(ended("JOB_ERROR", "ERROR").state, RunState::failed);
}

// The node of a finished map is lost: the attempt is told again, killed, and the task succeeds elsewhere.
TEST_P(EitherEncoding, AMapLostAfterItsSuccessIsKilled) {
  std::vector<Json> events = word_count();
  Json lost = events[15];  // KILLED, of map 1's second attempt
  lost["event"]["attemptId"] = "attempt_1700000000000_0007_m_000001_0";
  lost["event"]["finishTime"] = 6500;
  insert(events, 16, lost);
  const JobRun run = only_run(schema_3(), events);
  EXPECT_EQ(run.tasks[1].attempts[0].state, AttemptState::killed);
  EXPECT_EQ(run.tasks[1].attempts[0].finish, at_ms(6500));
}

// Hadoop ends attempts of both fates with either event: the status says which it was.
TEST_P(EitherEncoding, TheStatusOfAnAttemptCountsNotTheNameOfItsEvent) {
  std::vector<Json> events = word_count();
  events[10]["event"]["status"] = "KILLED";  // MAP_ATTEMPT_FAILED of m_0_0
  events[15]["event"]["status"] = "FAILED";  // MAP_ATTEMPT_KILLED of m_1_1
  const JobRun run = only_run(schema_3(), events);
  EXPECT_EQ(run.tasks.at(0).attempts.at(0).state, AttemptState::killed);
  EXPECT_EQ(run.tasks.at(1).attempts.at(1).state, AttemptState::failed);
  events[10]["event"]["status"] = "";
  EXPECT_EQ(only_run(schema_3(), events).tasks.at(0).attempts.at(0).state, AttemptState::failed)
      << "none is told";
}

TEST_P(EitherEncoding, OnlyWhatSucceededTellsVolumes) {
  const Json partial = counters({{"org.apache.hadoop.mapreduce.FileSystemCounter", "HDFS_BYTES_READ", 77}});
  std::vector<Json> events = word_count();
  events[14]["event"]["counters"] = counters(std::vector<Counted>{});  // task m_1: its attempt has them
  Json lost = events[15];
  lost["event"]["attemptId"] = "attempt_1700000000000_0007_m_000001_0";
  lost["event"]["finishTime"] = 6500;
  lost["event"]["counters"] = partial;
  insert(events, 16, lost);
  insert(events, 17,
         event("TASK_FAILED", "TaskFailed",
               {{"taskid", "task_1700000000000_0007_m_000002"},
                {"taskType", "MAP"},
                {"finishTime", 6600},
                {"error", "no"},
                {"status", "FAILED"},
                {"counters", partial}}));
  const JobRun run = only_run(schema_3(), events);
  EXPECT_EQ(run.tasks.at(1).input, Bytes{4'194'420}) << "of its success, not of the node's loss";
  EXPECT_EQ(run.tasks.at(2).id, "task_1700000000000_0007_m_000002");
  EXPECT_FALSE(run.tasks.at(2).input);
}

TEST_P(EitherEncoding, InstantsNotToldAreAbsent) {
  std::vector<Json> events = word_count();
  events[8]["event"]["startTime"] = -1;                     // attempt m_0_0
  events[10]["event"]["finishTime"] = 0;                    // the same
  events[10]["event"]["hostname"] = "UNKNOWN";              // its container never ran
  events[9]["event"]["startTime"] = std::int64_t{1} << 62;  // attempt m_1_0: no clock says that
  const Outcome told = outcome(schema_3(), events);
  const std::vector<Attempt>& first = told.runs.at(0).tasks[0].attempts;
  EXPECT_EQ(first.back().start, std::nullopt);  // those without a start come last
  EXPECT_EQ(first.back().finish, std::nullopt);
  EXPECT_EQ(first.back().node, "node1");  // where it was to start
  EXPECT_EQ(told.runs.at(0).tasks[1].attempts.back().start, std::nullopt);
  EXPECT_TRUE(told.says("instants beyond the year 10000, taken as not told"));
}

TEST_P(EitherEncoding, ImpossibleNumbersAreKeptAndNoted) {
  std::vector<Json> events = word_count();
  events[13]["event"]["finishTime"] = 2000;  // map 1 ends before it starts, and before its map function
  events[20]["event"]["sortFinishTime"] = 7999;
  events[17]["event"]["finishTime"] = 1;
  events[3]["event"]["totalMaps"] = 3;
  const Outcome told = outcome(schema_3(), events);
  EXPECT_EQ(told.runs.at(0).tasks[1].attempts[0].finish, at_ms(2000));
  EXPECT_TRUE(told.says("attempt finishes before it starts"));
  EXPECT_TRUE(told.says("phases of an attempt out of order"));
  EXPECT_TRUE(told.says("task finishes before it starts"));
  EXPECT_TRUE(told.says("tasks told are not as many as the job planned: those told count"));
  for (const Diagnostic& diagnostic : told.diagnostics) {
    EXPECT_EQ(diagnostic.severity, Diagnostic::Severity::warning);
    EXPECT_EQ(diagnostic.reason.find_first_of("0123456789"), std::string::npos) << diagnostic.reason;
  }
}

TEST_P(EitherEncoding, ANumberOfTasksThatCannotBeRefusesTheJob) {
  for (const std::int64_t maps : {2'147'483'647LL, 100'000'001LL, -7LL}) {
    std::vector<Json> events = word_count();
    events[3]["event"]["totalMaps"] = maps;
    const Outcome told = outcome(schema_3(), events);
    EXPECT_TRUE(told.runs.empty()) << maps;
    ASSERT_EQ(told.diagnostics.size(), 1U);
    EXPECT_EQ(told.diagnostics.front().severity, Diagnostic::Severity::skipped);
    EXPECT_EQ(told.diagnostics.front().reason, "number of planned tasks that cannot be");
    EXPECT_EQ(told.diagnostics.front().detail,
              fmt::format("totalMaps {}: the history is damaged, take another copy of it", maps));
  }
  std::vector<Json> events = word_count();
  events[3]["event"]["totalReduces"] = 2'147'483'647;
  EXPECT_TRUE(outcome(schema_3(), events).says("number of planned tasks that cannot be"));
  events[3]["event"]["totalReduces"] = -1;
  EXPECT_EQ(outcome(schema_3(), events).runs.at(0).total_reduces, 1) << "not told: the tasks are";
}

TEST_P(EitherEncoding, VolumesComeFromTheAttemptWhereTheTaskHasNone) {
  std::vector<Json> events = word_count();
  events[14]["event"]["counters"] = counters(std::vector<Counted>{});
  const JobRun run = only_run(schema_3(), events);
  EXPECT_EQ(run.tasks[1].input, Bytes{4'194'420});
  EXPECT_EQ(run.tasks[1].output, Bytes{146'868});
}

TEST_P(EitherEncoding, InputFromElsewhereThanHdfsIsTheInputFormats) {
  std::vector<Json> events = word_count();
  events[14]["event"]["counters"] =
      counters({{"org.apache.hadoop.mapreduce.FileSystemCounter", "HDFS_BYTES_READ", 0},
                {"org.apache.hadoop.mapreduce.FileSystemCounter", "HDFS_BYTES_WRITTEN", 77},
                {"org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter", "BYTES_READ", 999}});
  const JobRun run = only_run(schema_3(), events);
  EXPECT_EQ(run.tasks[1].input, Bytes{999});
  EXPECT_EQ(run.tasks[1].output, Bytes{77});  // no map output: the job has no reduces
}

TEST_P(EitherEncoding, AJobStillRunningIsToldAsFarAsItWent) {
  std::vector<Json> events = word_count();
  events.resize(14);
  const Outcome told = outcome(schema_3(), events);
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(told.runs.front().state, RunState::unknown);
  EXPECT_EQ(told.runs.front().total_maps, 2);
  EXPECT_EQ(told.runs.front().tasks.size(), 2U);
  EXPECT_TRUE(told.says("history ends before its job does"));
}

TEST_P(EitherEncoding, ACutFileGivesTheRunAndTheWarning) {
  const std::string whole = jhist(schema_3(), word_count(), GetParam());
  const Outcome told = read(std::string_view(whole).substr(0, whole.size() - 20));
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(told.runs.front().state, RunState::unknown);
  EXPECT_EQ(told.runs.front().tasks.size(), 3U);
  ASSERT_EQ(told.diagnostics.size(), 1U);
  EXPECT_EQ(told.diagnostics.front().severity, Diagnostic::Severity::warning);
  EXPECT_EQ(told.diagnostics.front().reason, "cut off in the middle of an event");
  const Position& where = told.diagnostics.front().where;
  EXPECT_TRUE(GetParam() == Encoding::json ? where.line == 25 : where.offset > 10'000) << where.text();
}

TEST_P(EitherEncoding, NoEventsIsAReason) {
  const Outcome told = outcome(schema_3(), {});
  EXPECT_TRUE(told.runs.empty());
  EXPECT_TRUE(told.says("no events"));
}

TEST(JsonEncoding, BlankLinesAndBadLinesDoNotStopTheRest) {
  std::string bytes = jhist(schema_3(), word_count(), Encoding::json);
  bytes.insert(bytes.find("{\"type\":\"JOB_QUEUE"), "\n  \nnot json at all\n{\"type\":3}\n\r\n");
  const Outcome told = read(bytes);
  ASSERT_EQ(told.runs.size(), 1U);
  EXPECT_EQ(describe(told.runs.front()), word_count_told);
  ASSERT_EQ(told.diagnostics.size(), 1U);
  EXPECT_EQ(told.diagnostics.front().where.text(), "f:7");
  EXPECT_EQ(told.diagnostics.front().reason, "event that cannot be read");
  EXPECT_TRUE(told.diagnostics.front().detail.starts_with("2 times")) << told.diagnostics.front().detail;
  EXPECT_EQ(told.runs.front().quality_warnings.at("event that cannot be read"), 2);
}

TEST(JsonEncoding, TwoEventsInALineAreNotSilentlyOne) {
  std::string bytes = jhist(schema_3(), word_count(), Encoding::json);
  bytes[bytes.find("\n{\"type\":\"TASK_STARTED")] = ' ';
  EXPECT_TRUE(read(bytes).says("event that cannot be read"));
}

TEST(JsonEncoding, LinesOfACopiedWindowsFileAreRead) {
  std::string bytes;
  for (const char c : jhist(schema_3(), word_count(), Encoding::json))
    bytes += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(describe(read(bytes).runs.at(0)), word_count_told);
}

}  // namespace
}  // namespace wavewright
