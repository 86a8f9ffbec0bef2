#include "tests/history/samples.h"
#include "tests/paths.h"

#include <fstream>
#include <sstream>

namespace wavewright::tests {

namespace {

void drop_fields(Json& type, const std::string& record, const std::vector<std::string>& names) {
  if (type.is_array()) {
    for (Json& inner : type) drop_fields(inner, record, names);
  } else if (type.is_object() && type.contains("fields")) {
    Json kept = Json::array();
    for (Json& field : type["fields"]) {
      const bool dropped = type.value("name", "") == record &&
                           std::find(names.begin(), names.end(), field["name"]) != names.end();
      if (dropped) continue;
      drop_fields(field["type"], record, names);
      kept.push_back(field);
    }
    type["fields"] = kept;
  }
}

const std::string job = "job_1700000000000_0007";
std::string task(char kind, int number) {
  return fmt::format("task_1700000000000_0007_{}_{:06}", kind, number);
}
std::string attempt(char kind, int number, int tried) {
  return fmt::format("attempt_1700000000000_0007_{}_{:06}_{}", kind, number, tried);
}

Json started(char kind, int number, int tried, std::int64_t at) {
  const std::string word = kind == 'm' ? "MAP" : "REDUCE";
  return event(word + "_ATTEMPT_STARTED", "TaskAttemptStarted",
               {{"taskid", task(kind, number)},
                {"taskType", word},
                {"attemptId", attempt(kind, number, tried)},
                {"startTime", at},
                {"trackerName", "node" + std::to_string(number + 1)},
                {"httpPort", 8042},
                {"shufflePort", 13562},
                {"containerId", "container_1"}});
}

Json task_started(char kind, int number, std::int64_t at, const std::string& splits) {
  return event("TASK_STARTED", "TaskStarted",
               {{"taskid", task(kind, number)},
                {"taskType", kind == 'm' ? "MAP" : "REDUCE"},
                {"startTime", at},
                {"splitLocations", splits}});
}

Json map_counters() {
  return counters({{"org.apache.hadoop.mapreduce.FileSystemCounter", "HDFS_BYTES_READ", 4'194'420},
                   {"org.apache.hadoop.mapreduce.TaskCounter", "MAP_OUTPUT_BYTES", 200'000},
                   {"org.apache.hadoop.mapreduce.TaskCounter", "MAP_OUTPUT_MATERIALIZED_BYTES", 146'868},
                   {"my.own.Counters", "HDFS_BYTES_READ", 1}});
}

Json map_finished(int number, int tried, std::int64_t at) {
  return event("MAP_ATTEMPT_FINISHED", "MapAttemptFinished",
               {{"taskid", task('m', number)},
                {"attemptId", attempt('m', number, tried)},
                {"taskType", "MAP"},
                {"taskStatus", "SUCCEEDED"},
                {"mapFinishTime", at - 500},
                {"finishTime", at},
                {"hostname", "node" + std::to_string(number + 3)},
                {"port", 8041},
                {"rackname", "/rack1"},
                {"state", "map"},
                {"counters", map_counters()},
                {"clockSplits", {100, 200, -1}}});
}

Json task_finished(char kind, int number, int tried, std::int64_t at, const Json& told) {
  return event("TASK_FINISHED", "TaskFinished",
               {{"taskid", task(kind, number)},
                {"taskType", kind == 'm' ? "MAP" : "REDUCE"},
                {"finishTime", at},
                {"status", "SUCCEEDED"},
                {"counters", told},
                {"successfulAttemptId", attempt(kind, number, tried)}});
}

Json unsuccessful(const std::string& how, int number, int tried, std::int64_t at, const std::string& why) {
  return event("MAP_ATTEMPT_" + how, "TaskAttemptUnsuccessfulCompletion",
               {{"taskid", task('m', number)},
                {"taskType", "MAP"},
                {"attemptId", attempt('m', number, tried)},
                {"finishTime", at},
                {"hostname", "node" + std::to_string(number + 1)},
                {"port", 8041},
                {"rackname", "/rack1"},
                {"status", how},
                {"error", why}});
}

}  // namespace

Json schema_3() {
  std::ifstream in(wavewright::source_dir() + "/data/formats/events-3.4.2.schema.json");
  return Json::parse(in);
}

Json schema_2() {
  Json schema = schema_3();
  drop_fields(schema, "JobFinished", {"killedMaps", "killedReduces"});
  drop_fields(schema, "JobUnsuccessfulCompletion",
              {"failedMaps", "failedReduces", "killedMaps", "killedReduces"});
  return schema;
}

Json schema_0_23() {
  Json schema = schema_2();
  drop_fields(schema, "JobSubmitted",
              {"workflowId", "workflowName", "workflowNodeName", "workflowAdjacencies", "workflowTags"});
  drop_fields(schema, "JobUnsuccessfulCompletion", {"diagnostics"});
  drop_fields(schema, "TaskAttemptStarted", {"locality", "avataar"});
  drop_fields(schema, "TaskAttemptUnsuccessfulCompletion", {"counters"});
  drop_fields(schema, "TaskFailed", {"counters"});
  drop_fields(schema, "TaskFinished", {"successfulAttemptId"});
  return schema;
}

Json event(const std::string& type, const std::string& record, Json fields) {
  fields["@"] = record;
  return {{"type", type}, {"event", std::move(fields)}};
}

void insert(std::vector<Json>& events, std::ptrdiff_t at, const Json& added) {
  events.push_back(added);
  std::rotate(events.begin() + at, events.end() - 1, events.end());
}

Json counters(const std::vector<Counted>& values) {
  Json groups = Json::array();
  for (const Counted& counted : values) {
    if (groups.empty() || groups.back()["name"] != counted.group) {
      groups.push_back({{"name", counted.group}, {"displayName", "shown"}, {"counts", Json::array()}});
    }
    groups.back()["counts"].push_back(
        {{"name", counted.name}, {"displayName", "shown"}, {"value", counted.value}});
  }
  return {{"name", "COUNTERS"}, {"groups", groups}};
}

std::vector<Json> word_count() {
  const Json reduced =
      counters({{"org.apache.hadoop.mapreduce.FileSystemCounter", "HDFS_BYTES_WRITTEN", 56'944},
                {"org.apache.hadoop.mapreduce.TaskCounter", "REDUCE_SHUFFLE_BYTES", 287'808}});
  return {
      event("AM_STARTED", "AMStarted",
            {{"applicationAttemptId", "appattempt_1"}, {"startTime", 1100}, {"nodeManagerHost", "node1"}}),
      event("JOB_SUBMITTED", "JobSubmitted",
            {{"jobid", job},
             {"jobName", "word \"count\"\n"},
             {"userName", "ada"},
             {"submitTime", 1000},
             {"jobConfPath", "hdfs://nn/job.xml"},
             {"acls", {{"mapreduce.job.acl-view-job", "*"}}},
             {"jobQueueName", "root.default"}}),
      event("JOB_QUEUE_CHANGED", "JobQueueChange", {{"jobid", job}, {"jobQueueName", "root.night"}}),
      event("JOB_INITED", "JobInited",
            {{"jobid", job},
             {"launchTime", 2000},
             {"totalMaps", 2},
             {"totalReduces", 1},
             {"jobStatus", "INITED"}}),
      event("JOB_INFO_CHANGED", "JobInfoChange",
            {{"jobid", job}, {"submitTime", 1000}, {"launchTime", 2000}}),
      event("JOB_STATUS_CHANGED", "JobStatusChanged", {{"jobid", job}, {"jobStatus", "RUNNING"}}),
      task_started('m', 0, 2100, "node1,node2.example.org"),
      task_started('m', 1, 2100, ""),
      started('m', 0, 0, 2200),
      started('m', 1, 0, 2300),
      unsuccessful("FAILED", 0, 0, 4000, "Error: java.io.IOException\n\tat Mapper"),
      started('m', 0, 1, 4100),
      started('m', 1, 1, 5000),
      map_finished(1, 0, 6000),
      task_finished('m', 1, 0, 6010, map_counters()),
      unsuccessful("KILLED", 1, 1, 6100, "Speculation: attempt_…_0 succeeded first!"),
      map_finished(0, 1, 7000),
      task_finished('m', 0, 1, 7010, map_counters()),
      task_started('r', 0, 7020, ""),
      started('r', 0, 0, 7100),
      event("REDUCE_ATTEMPT_FINISHED", "ReduceAttemptFinished",
            {{"taskid", task('r', 0)},
             {"attemptId", attempt('r', 0, 0)},
             {"taskType", "REDUCE"},
             {"taskStatus", "SUCCEEDED"},
             {"shuffleFinishTime", 8000},
             {"sortFinishTime", 8100},
             {"finishTime", 9000},
             {"hostname", "node2"},
             {"rackname", "/rack2"},
             {"counters", reduced}}),
      task_finished('r', 0, 0, 9010, reduced),
      event("JOB_FINISHED", "JobFinished",
            {{"jobid", job},
             {"finishTime", 9500},
             {"finishedMaps", 2},
             {"finishedReduces", 1},
             {"failedMaps", 1},
             {"totalCounters", counters({{"org.apache.hadoop.mapreduce.JobCounter", "TOTAL_LAUNCHED_MAPS", 4},
                                         {"Words", "ÄRGER", -3}})},
             {"mapCounters", map_counters()},
             {"reduceCounters", reduced}}),
  };
}

std::string word_count_log() {
  const std::string map_counters =
      R"(COUNTERS="{(FileSystemCounters)(FileSystemCounters)[(HDFS_BYTES_READ)(HDFS_BYTES_READ)(4194420)]})"
      R"({(org\.apache\.hadoop\.mapred\.Task$Counter)(Map-Reduce Framework)[(MAP_OUTPUT_BYTES)(Map output bytes)(200000)])"
      R"([(MAP_OUTPUT_MATERIALIZED_BYTES)(Map output materialized bytes)(146868)]}" .)";
  const std::string reduce_counters =
      R"(COUNTERS="{(FileSystemCounters)(FileSystemCounters)[(HDFS_BYTES_WRITTEN)(HDFS_BYTES_WRITTEN)(56944)]})"
      R"({(org\.apache\.hadoop\.mapred\.Task$Counter)(Map-Reduce Framework)[(REDUCE_SHUFFLE_BYTES)(Reduce shuffle bytes)(287808)]}" .)";
  const auto id = [](const char* text) { return fmt::format("{}_1700000000000_0007", text); };
  const std::string m0 = id("task") + "_m_000000", m1 = id("task") + "_m_000001",
                    r0 = id("task") + "_r_000000";
  const auto tried = [&](const std::string& task_id, int number) {
    return fmt::format(R"(TASKID="{}" TASK_ATTEMPT_ID="attempt{}_{}")", task_id, task_id.substr(4), number);
  };
  const auto setup = id("task") + "_m_000003";
  std::vector<std::string> lines = {
      R"(Meta VERSION="1" .)",
      R"(Job JOBID="job_1700000000000_0007" JOBNAME="word \"count\"
" USER="ada" SUBMIT_TIME="1000" JOBCONF="file:/tmp/job\.xml" VIEW_JOB="*" MODIFY_JOB="*" JOB_QUEUE="root\.night" .)",
      R"(Job JOBID="job_1700000000000_0007" JOB_PRIORITY="NORMAL" .)",
      R"(Job JOBID="job_1700000000000_0007" LAUNCH_TIME="2000" TOTAL_MAPS="2" TOTAL_REDUCES="1" JOB_STATUS="PREP" .)",
      R"(Task TASKID=")" + setup + R"(" TASK_TYPE="SETUP" START_TIME="2010" SPLITS="" .)",
      R"(MapAttempt TASK_TYPE="SETUP" )" + tried(setup, 0) +
          R"( START_TIME="2020" TRACKER_NAME="tracker_node9:localhost/127\.0\.0\.1:33445" HTTP_PORT="50060" .)",
      R"(MapAttempt TASK_TYPE="SETUP" )" + tried(setup, 0) +
          R"( TASK_STATUS="SUCCESS" FINISH_TIME="2050" HOSTNAME="/rack1/node9" STATE_STRING="setup" COUNTERS="" .)",
      R"(Task TASKID=")" + setup +
          R"(" TASK_TYPE="SETUP" TASK_STATUS="SUCCESS" FINISH_TIME="2060" COUNTERS="" .)",
      R"(Task TASKID=")" + m0 +
          R"(" TASK_TYPE="MAP" START_TIME="2100" SPLITS="/rack1/node1,/rack2/node2\.example\.org" .)",
      R"(Task TASKID=")" + m1 + R"(" TASK_TYPE="MAP" START_TIME="2100" SPLITS="" .)",
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m0, 0) +
          R"( START_TIME="2200" TRACKER_NAME="tracker_node1:x" HTTP_PORT="50060" .)",
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m1, 0) +
          R"( START_TIME="2300" TRACKER_NAME="tracker_node2:x" .)",
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m0, 0) +
          R"( TASK_STATUS="FAILED" FINISH_TIME="4000" HOSTNAME="node1" ERROR="Error: java\.io\.IOException
	at Mapper" .)",
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m0, 1) +
          R"( START_TIME="4100" TRACKER_NAME="tracker_node1:x" .)",
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m1, 1) +
          R"( START_TIME="5000" TRACKER_NAME="tracker_node2:x" .)",
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m1, 0) +
          R"( TASK_STATUS="SUCCESS" FINISH_TIME="6000" HOSTNAME="/rack1/node4" )" + map_counters,
      R"(Task TASKID=")" + m1 + R"(" TASK_TYPE="MAP" TASK_STATUS="SUCCESS" FINISH_TIME="6010" )" +
          map_counters,
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m1, 1) +
          R"( TASK_STATUS="KILLED" FINISH_TIME="6100" HOSTNAME="node2" ERROR="" .)",
      R"(MapAttempt TASK_TYPE="MAP" )" + tried(m0, 1) +
          R"( TASK_STATUS="SUCCESS" FINISH_TIME="7000" HOSTNAME="/rack1/node3" )" + map_counters,
      R"(Task TASKID=")" + m0 + R"(" TASK_TYPE="MAP" TASK_STATUS="SUCCESS" FINISH_TIME="7010" )" +
          map_counters,
      R"(Task TASKID=")" + r0 + R"(" TASK_TYPE="REDUCE" START_TIME="7020" SPLITS="" .)",
      R"(ReduceAttempt TASK_TYPE="REDUCE" )" + tried(r0, 0) +
          R"( START_TIME="7100" TRACKER_NAME="tracker_node2:x" .)",
      R"(ReduceAttempt TASK_TYPE="REDUCE" )" + tried(r0, 0) +
          R"( TASK_STATUS="SUCCESS" SHUFFLE_FINISHED="8000" SORT_FINISHED="8100" FINISH_TIME="9000" HOSTNAME="/rack2/node2" )" +
          reduce_counters,
      R"(Task TASKID=")" + r0 + R"(" TASK_TYPE="REDUCE" TASK_STATUS="SUCCESS" FINISH_TIME="9010" )" +
          reduce_counters,
      R"(Job JOBID="job_1700000000000_0007" FINISH_TIME="9500" JOB_STATUS="SUCCESS" FINISHED_MAPS="2" FINISHED_REDUCES="1" FAILED_MAPS="1" FAILED_REDUCES="0" MAP_COUNTERS="" REDUCE_COUNTERS="" COUNTERS="{(org\.apache\.hadoop\.mapred\.JobInProgress$Counter)(Job Counters )[(TOTAL_LAUNCHED_MAPS)(Launched map tasks)(4)]}{(Words)(Words)[(a\\(b\\))(A \\\\\\[x\\\\\\])(-3)]}" .)",
  };
  std::string log;
  for (const std::string& line : lines) log += line + "\n";
  return log;
}

bool Outcome::says(const std::string& reason) const {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [&](const Diagnostic& diagnostic) { return diagnostic.reason == reason; });
}

Outcome read(std::string_view bytes) {
  Outcome outcome;
  read_history(
      bytes, "f", [&](JobRun&& run) { outcome.runs.push_back(std::move(run)); },
      [&](Diagnostic&& diagnostic) { outcome.diagnostics.push_back(std::move(diagnostic)); });
  return outcome;
}

std::string describe(const JobRun& run) {
  std::ostringstream out;
  const auto when = [](const std::optional<Time>& time) { return time ? std::to_string(to_ms(*time)) : "-"; };
  const auto size = [](const std::optional<Bytes>& bytes) {
    return bytes ? std::to_string(bytes->count) : "-";
  };
  out << run.id << '|' << run.name << '|' << run.user << '|' << run.queue << '|' << to_string(run.state)
      << '|' << when(run.submit) << '|' << when(run.launch) << '|' << when(run.finish) << '|'
      << run.total_maps << '|' << run.total_reduces << '|' << run.diagnostics_text << '\n';
  for (const TaskRun& task : run.tasks) {
    out << task.id << '|' << to_string(task.kind) << '|' << task.number << '|' << to_string(task.state) << '|'
        << when(task.start) << '|' << when(task.finish) << '|' << size(task.input) << '|' << size(task.output)
        << '|' << task.successful_attempt;
    for (const std::string& host : task.split_nodes) out << '|' << host;
    out << '\n';
    for (const Attempt& attempt : task.attempts) {
      out << "  " << attempt.id << '|' << attempt.number << '|' << to_string(attempt.state) << '|'
          << when(attempt.start) << '|' << when(attempt.finish) << '|' << when(attempt.map_finish) << '|'
          << when(attempt.shuffle_finish) << '|' << when(attempt.sort_finish) << '|' << attempt.node << '|'
          << attempt.rack << '|' << attempt.error << '\n';
    }
  }
  for (const auto& [name, value] : run.counters) out << name << '=' << value << '\n';
  return out.str();
}

}  // namespace wavewright::tests
