#include "wavewright/history/rumen/reader.h"

#include <algorithm>
#include <array>

#include "wavewright/history/findings.h"
#include "wavewright/history/run_builder.h"
#include "wavewright/history/settings.h"
#include "wavewright/history/text.h"
#include "wavewright/history/trace.h"

namespace wavewright::rumen {

namespace {

using json::integer;
using json::text;
using json::Value;

template <class State>
State state_of(std::string_view word) {
  if (word == "SUCCESS" || word == "SUCCEEDED") return State::succeeded;
  if (word == "FAILED") return State::failed;
  if (word == "KILLED") return State::killed;
  return State::unknown;
}

// `{"layers": ["rack1", "node1"]}`: from the rack to the host.
std::vector<std::string> layers(Value location) {
  std::vector<std::string> names;
  const auto list = json::member(location, "layers");
  if (simdjson::dom::array array; list && list->get(array) == simdjson::SUCCESS) {
    for (const Value one : array) {
      if (std::string_view name; one.get(name) == simdjson::SUCCESS) names.push_back(clean_text(name));
    }
  }
  return names;
}

void take_attempt(Value told, std::string_view task_id, std::string_view type, RunBuilder& builder) {
  const std::string_view id = text(told, "attemptID");
  Attempt* const attempt = builder.attempt(task_id, type, id);
  if (attempt == nullptr) return;
  attempt->state = state_of<AttemptState>(text(told, "result"));
  attempt->start = builder.instant(integer(told, "startTime"));
  attempt->finish = builder.instant(integer(told, "finishTime"));
  attempt->shuffle_finish = builder.instant(integer(told, "shuffleFinished"));
  attempt->sort_finish = builder.instant(integer(told, "sortFinished"));
  attempt->node = host_of(text(told, "hostName"));
  attempt->rack = rack_of(text(told, "hostName"));
  IoCounters counters;
  const auto count = [&](std::string_view key, std::string_view group, std::string_view name) {
    if (const auto bytes = integer(told, key)) counters.add(group, name, *bytes);  // -1 = unknown
  };
  count("hdfsBytesRead", "FileSystemCounters", "HDFS_BYTES_READ");
  count("hdfsBytesWritten", "FileSystemCounters", "HDFS_BYTES_WRITTEN");
  count("mapOutputBytes", "org.apache.hadoop.mapred.Task$Counter", "MAP_OUTPUT_BYTES");
  count("reduceShuffleBytes", "org.apache.hadoop.mapred.Task$Counter", "REDUCE_SHUFFLE_BYTES");
  if (attempt->state == AttemptState::succeeded) builder.attempt_counters(id, counters);
}

bool tells_hdfs_input(Value task) {
  bool tells = false;
  json::for_each(task, "attempts",
                 [&](Value attempt) { tells |= integer(attempt, "hdfsBytesRead").value_or(-1) >= 0; });
  return tells;
}

void take_task(Value told, RunBuilder& builder) {
  const std::string_view id = text(told, "taskID");
  const std::string_view type = text(told, "taskType");
  TaskRun* const task = builder.task(id, type);
  if (task == nullptr) return;
  task->state = state_of<AttemptState>(text(told, "taskStatus"));
  task->start = builder.instant(integer(told, "startTime"));
  task->finish = builder.instant(integer(told, "finishTime"));
  json::for_each(told, "preferredLocations", [&](Value location) {
    const std::vector<std::string> names = layers(location);
    if (names.empty()) return;
    if (std::string host = host_of(names.back()); !host.empty()) task->split_nodes.push_back(std::move(host));
  });
  // Input from outside HDFS is reported for the task only.
  const auto input = integer(told, "inputBytes");
  const bool other_input = task->kind == TaskKind::map && !tells_hdfs_input(told);
  if (other_input && input && *input >= 0) task->input = Bytes{*input};
  json::for_each(told, "attempts", [&](Value attempt) { take_attempt(attempt, id, type, builder); });
}

void take_job(Value told, RunBuilder& builder) {
  builder.name_job(text(told, "jobID"));
  JobRun& run = builder.run;
  run.hadoop = "Rumen trace";
  run.name = clean_text(text(told, "jobName"));
  run.user = clean_text(text(told, "user"));
  run.queue = clean_text(text(told, "queue"));
  run.state = state_of<RunState>(text(told, "outcome"));
  run.submit = builder.instant(integer(told, "submitTime"));
  run.launch = builder.instant(integer(told, "launchTime"));
  run.finish = builder.instant(integer(told, "finishTime"));
  run.total_maps = builder.planned("totalMaps", integer(told, "totalMaps"));
  run.total_reduces = builder.planned("totalReduces", integer(told, "totalReduces"));
  const auto properties = json::member(told, "jobProperties");
  if (simdjson::dom::object object; properties && properties->get(object) == simdjson::SUCCESS) {
    for (const auto property : object) {
      if (std::string_view value; property.value.get(value) == simdjson::SUCCESS) {
        take_setting(run.settings, property.key, value);
      }
    }
  }
  for (const char* kind : {"mapTasks", "reduceTasks", "otherTasks"}) {
    json::for_each(told, kind, [&](Value task) { take_task(task, builder); });
  }
}

}  // namespace

bool TraceReader::accepts(std::string_view first_bytes) const {
  constexpr std::array marks = {"\"computonsPerMapInputByte\"", "\"directDependantJobs\"",
                                "\"heapMegabytes\"", "\"mapTasks\""};
  const auto first = first_bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || first_bytes[first] != '{') return false;
  return std::any_of(marks.begin(), marks.end(),
                     [&](const char* mark) { return first_bytes.find(mark) != std::string_view::npos; });
}

void TraceReader::read(std::string_view bytes, const std::string& source, const RunSink& runs,
                       const DiagnosticSink& diagnostics) const {
  const auto job = [&](Value told, const Position& where) {
    RunBuilder builder;
    take_job(told, builder);
    if (!builder.has_job()) throw InputError(where, "it has no jobID");
    if (builder.run.state == RunState::unknown) {
      diagnostics(diagnosed(Diagnostic::Severity::warning, where, "history ends before its job does"));
    }
    runs(std::move(builder).finish(source, diagnostics));
    return true;
  };
  read_trace(bytes, source,
             "trace: nothing imputed; counters, errors and ends of map functions are not in it", job,
             diagnostics);
}

}  // namespace wavewright::rumen
