#include "wavewright/history/sls/reader.h"

#include <algorithm>
#include <utility>
#include <vector>

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

constexpr std::int64_t most_memory_mb = 1'000'000'000;  // as in a workload file

// Counts from the trace's start, where 0 is a valid instant.
std::optional<Time> instant(std::optional<std::int64_t> told) {
  if (!told || *told < 0 || *told > to_ms(longest_duration)) return std::nullopt;
  return at_ms(*told);
}

std::optional<Duration> span(std::optional<std::int64_t> told) {
  if (!told || *told < 0 || *told > to_ms(longest_duration)) return std::nullopt;
  return ms(*told);
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

// As Hadoop's TaskContainerDefinition: a duration, an older name of it, or end - start.
std::optional<Duration> duration_of(Value told) {
  for (const char* key : {"container.duration.ms", "duration.ms"}) {
    if (const auto duration = span(integer(told, key))) return duration;
  }
  const auto start = instant(integer(told, "container.start.ms"));
  const auto end = instant(integer(told, "container.end.ms"));
  if (!start || !end || *end < *start) return std::nullopt;
  return *end - *start;
}

// `container.memory-mb` is the name of Hadoop's resource; older traces have `container.memory`.
std::optional<std::int64_t> memory_of(Value told, const std::string& prefix) {
  for (const char* name : {"memory-mb", "memory"}) {
    const auto memory = integer(told, prefix + name);
    if (memory && *memory > 0 && *memory <= most_memory_mb) return memory;
  }
  return std::nullopt;
}

// Container sizes of one kind in a job, which has one size for all of a kind.
struct Sizes {
  std::optional<std::int64_t> largest;
  bool differ = false;

  void take(std::optional<std::int64_t> memory) {
    if (!memory) return;
    differ = differ || (largest && *largest != *memory);
    largest = std::max(largest.value_or(0), *memory);
  }
};

struct Tasks {
  RunBuilder& builder;
  const Position& where;
  bool listed = true;             // not a copy of a job that is listed once
  std::int64_t& copies;           // that this trace may still make
  std::int64_t made[2] = {0, 0};  // maps, reduces
  Sizes sizes[2] = {};            // maps, reduces
  std::int64_t other = 0;         // containers of another kind
  bool vcores = false;            // some container has another number than 1
  std::vector<std::pair<std::size_t, Duration>> reduces_without_start = {};  // place in run.tasks, how long

  void take(Value told) {
    const std::string_view named = text(told, "container.type");
    const std::string_view type = named.empty() ? "map" : named;
    if (type != "map" && type != "reduce") {
      ++other;
      return;
    }
    const int kind = type == "map" ? 0 : 1;
    const std::int64_t count = count_of(told, "count", where);
    copies -= listed ? count - 1 : count;
    if (copies < 0) throw InputError(where, "counts that make more than 100,000 tasks");
    sizes[kind].take(memory_of(told, "container."));
    vcores = vcores || integer(told, "container.vcores").value_or(1) != 1;
    for (std::int64_t i = 0; i < count; ++i) add(told, kind);
  }

  void add(Value told, int kind) {
    const std::string stem =
        fmt::format("{}_{}_{:06}", builder.run.id.substr(4), kind == 0 ? 'm' : 'r', made[kind]++);
    const std::string id = "task_" + stem;
    const std::string_view type = kind == 0 ? "MAP" : "REDUCE";
    Attempt* const attempt = builder.attempt(id, type, "attempt_" + stem + "_0");
    const auto start = instant(integer(told, "container.start.ms"));
    const auto duration = duration_of(told);
    attempt->state = AttemptState::succeeded;
    attempt->node = host_of(text(told, "container.host"));
    attempt->rack = rack_of(text(told, "container.host"));
    if (start || kind == 0) {
      place(*attempt, start ? start : duration ? builder.run.submit : std::nullopt, duration);
    } else if (duration) {
      reduces_without_start.emplace_back(builder.run.tasks.size() - 1, *duration);
    }
    if (!attempt->finish) attempt->finish = instant(integer(told, "container.end.ms"));
    TaskRun* const task = builder.task(id, type);
    task->state = AttemptState::succeeded;
    task->start = task->attempts.front().start;
    task->finish = task->attempts.front().finish;
  }

  static void place(Attempt& attempt, std::optional<Time> start, std::optional<Duration> duration) {
    attempt.start = start;
    if (start && duration) attempt.finish = *start + *duration;
  }

  // A reduce without a start begins when the job's last map has ended: it keeps its whole duration as work.
  void place_reduces() {
    JobRun& run = builder.run;
    Time begin = run.submit.value_or(Time{});
    for (const TaskRun& task : run.tasks) {
      if (task.kind == TaskKind::map && task.finish) begin = std::max(begin, *task.finish);
    }
    for (const auto& [number, duration] : reduces_without_start) {
      TaskRun& task = run.tasks[number];
      place(task.attempts.front(), begin, duration);
      task.start = task.attempts.front().start;
      task.finish = task.attempts.front().finish;
    }
  }
};

void take_sizes(Value told, const Tasks& tasks, JobRun& run) {
  const auto set = [&](const char* setting, const std::optional<std::int64_t>& memory) {
    if (memory) run.settings[setting] = std::to_string(*memory);
  };
  set(map_memory_setting, tasks.sizes[0].largest);
  set(reduce_memory_setting, tasks.sizes[1].largest);
  set(master_memory_setting, memory_of(told, "am."));
}

void take_job(Value told, const std::string& id, Tasks& tasks) {
  JobRun& run = tasks.builder.run;
  run.hadoop = "SLS trace";
  run.id = id;
  run.user = clean_text(text(told, "job.user"));
  run.queue = clean_text(text(told, "job.queue.name"));
  run.state = RunState::succeeded;
  run.submit = json::member(told, "job.start.ms") ? instant(integer(told, "job.start.ms")) : Time{};
  json::for_each(told, "job.tasks", [&](Value task) { tasks.take(task); });
  tasks.place_reduces();
  take_sizes(told, tasks, run);
  run.total_maps = tasks.made[0];
  run.total_reduces = tasks.made[1];
  run.finish = instant(integer(told, "job.end.ms"));
  if (run.finish) return;
  for (const TaskRun& task : run.tasks) {
    if (task.finish && (!run.finish || *run.finish < *task.finish)) run.finish = task.finish;
  }
}

void report_losses(const Tasks& tasks, const Position& where, Findings& findings) {
  const auto warn = [&](bool when, const char* what) {
    if (when) findings.add(Diagnostic::Severity::warning, where, what, {});
  };
  warn(tasks.other > 0, "containers dropped: neither map nor reduce");
  warn(tasks.vcores, "container.vcores dropped: containers are sized by memory");
  warn(tasks.sizes[0].differ || tasks.sizes[1].differ,
       "container.memory-mb differs within maps or reduces of a job: the largest is kept");
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
    // Hadoop 3 begins with the cluster's size.
    if (json::member(told, "num.nodes") && !json::member(told, "job.tasks")) return false;
    const std::int64_t count = count_of(told, "job.count", where);
    ++number;
    const std::string_view named = text(told, "job.id");
    const std::string name = named.empty() ? fmt::format("{}", number) : std::string(named);
    for (std::int64_t copy = 0; copy < count; ++copy) {
      RunBuilder builder;
      Tasks tasks{builder, where, copy == 0, copies};
      take_job(told, job_id(name, copy), tasks);
      if (builder.run.tasks.empty()) throw InputError(where, "it has no map or reduce containers");
      report_losses(tasks, where, findings);
      runs(std::move(builder).finish(source, diagnostics));
    }
    return true;
  };
  read_trace(
      bytes, source,
      "trace: ids of tasks and the success of all were imputed; times count from the trace's beginning", job,
      diagnostics);
  findings.report(diagnostics);
}

}  // namespace wavewright::sls
