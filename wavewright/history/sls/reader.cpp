#include "wavewright/history/sls/reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/history/findings.h"
#include "wavewright/history/run_builder.h"
#include "wavewright/history/text.h"
#include "wavewright/history/trace.h"

namespace wavewright::sls {

namespace {

using json::integer;
using json::text;
using json::Value;

// A `count` of a few bytes must not create any number of tasks; a larger trace lists them.
constexpr std::int64_t most_copies = 100'000;

// Counts from the trace's start, where 0 is a valid instant.
std::optional<Time> instant(std::optional<std::int64_t> told) {
  if (!told || *told < 0 || *told > to_ms(longest_duration)) return std::nullopt;
  return at_ms(*told);
}

std::optional<Time> later(std::optional<Time> start, std::optional<std::int64_t> duration) {
  if (!start || !duration || *duration < 0 || *duration > to_ms(longest_duration)) return std::nullopt;
  return *start + ms(*duration);
}

// Gives any id the form `job_1_0001`: task ids are made from it.
std::string job_id(std::string_view told, std::int64_t copy) {
  std::string id = clean_text(told);
  if (!id.starts_with("job_")) id.insert(0, "job_");
  return copy == 0 ? id : fmt::format("{}-{}", id, copy + 1);
}

std::int64_t count_of(Value of, std::string_view key, const Position& where) {
  const std::int64_t count = integer(of, key).value_or(1);
  if (count < 1 || count > most_copies) throw InputError(where, fmt::format("a {} that is none", key));
  return count;
}

struct Tasks {
  RunBuilder& builder;
  const Position& where;
  bool listed = true;             // not a copy of a job that is listed once
  std::int64_t& copies;           // that this trace may still make
  std::int64_t made[2] = {0, 0};  // maps, reduces
  std::int64_t other = 0;         // containers of another kind

  void take(Value told) {
    const std::string_view type = text(told, "container.type");
    if (type != "map" && type != "reduce") {
      ++other;
      return;
    }
    const int kind = type == "map" ? 0 : 1;
    const std::int64_t count = count_of(told, "count", where);
    copies -= listed ? count - 1 : count;
    if (copies < 0) throw InputError(where, "counts that make more than 100,000 tasks");
    for (std::int64_t i = 0; i < count; ++i) add(told, kind);
  }

  void add(Value told, int kind) {
    const std::string stem =
        fmt::format("{}_{}_{:06}", builder.run.id.substr(4), kind == 0 ? 'm' : 'r', made[kind]++);
    const std::string id = "task_" + stem;
    const std::string_view type = kind == 0 ? "MAP" : "REDUCE";
    Attempt* const attempt = builder.attempt(id, type, "attempt_" + stem + "_0");
    auto start = instant(integer(told, "container.start.ms"));
    auto duration = integer(told, "container.duration.ms");
    if (!duration) duration = integer(told, "duration.ms");
    if (!start && duration) start = builder.run.submit;
    attempt->start = start;
    attempt->finish = instant(integer(told, "container.end.ms"));
    if (!attempt->finish) attempt->finish = later(start, duration);
    attempt->state = AttemptState::succeeded;
    attempt->node = host_of(text(told, "container.host"));
    attempt->rack = rack_of(text(told, "container.host"));
    TaskRun* const task = builder.task(id, type);
    task->state = AttemptState::succeeded;
    task->start = start;
    task->finish = task->attempts.front().finish;
  }
};

// Returns the number of containers that are neither maps nor reduces.
std::int64_t take_job(Value told, const std::string& id, Tasks& tasks) {
  JobRun& run = tasks.builder.run;
  run.hadoop = "SLS trace";
  run.id = id;
  run.user = clean_text(text(told, "job.user"));
  run.queue = clean_text(text(told, "job.queue.name"));
  run.state = RunState::succeeded;
  run.submit = instant(integer(told, "job.start.ms"));
  json::for_each(told, "job.tasks", [&](Value task) { tasks.take(task); });
  run.total_maps = tasks.made[0];
  run.total_reduces = tasks.made[1];
  run.finish = instant(integer(told, "job.end.ms"));
  if (run.finish) return tasks.other;
  for (const TaskRun& task : run.tasks) {
    if (task.finish && (!run.finish || *run.finish < *task.finish)) run.finish = task.finish;
  }
  return tasks.other;
}

}  // namespace

bool TraceReader::accepts(std::string_view first_bytes) const {
  const auto first = first_bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (first_bytes[first] != '{' && first_bytes[first] != '['))
    return false;
  return first_bytes.find("\"job.tasks\"") != std::string_view::npos ||
         first_bytes.find("\"job.start.ms\"") != std::string_view::npos;
}

void TraceReader::read(std::string_view bytes, const std::string& source, const RunSink& runs,
                       const DiagnosticSink& diagnostics) const {
  Findings findings;
  std::int64_t number = 0;
  std::int64_t copies = most_copies;
  const auto job = [&](Value told, const Position& where) {
    const std::int64_t count = count_of(told, "job.count", where);
    ++number;
    const std::string_view named = text(told, "job.id");
    const std::string name = named.empty() ? fmt::format("{}", number) : std::string(named);
    for (std::int64_t copy = 0; copy < count; ++copy) {
      RunBuilder builder;
      Tasks tasks{builder, where, copy == 0, copies};
      const std::int64_t other = take_job(told, job_id(name, copy), tasks);
      if (builder.run.tasks.empty()) throw InputError(where, "it has no map or reduce containers");
      if (other > 0) {
        findings.add(Diagnostic::Severity::warning, where, "containers dropped: neither map nor reduce", {});
      }
      runs(std::move(builder).finish(source, diagnostics));
    }
  };
  read_trace(
      bytes, source,
      "trace: ids of tasks and the success of all were imputed; times count from the trace's beginning", job,
      diagnostics);
  findings.report(diagnostics);
}

}  // namespace wavewright::sls
