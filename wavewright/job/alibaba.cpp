#include "wavewright/job/alibaba.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/job/conversion_losses.h"
#include "wavewright/job/line_reader.h"
#include "wavewright/job/validator.h"

namespace wavewright {

namespace {

struct TaskRow {
  std::string name;
  std::int64_t instances = 0, start_s = 0, end_s = 0, line = 0;
};

struct TraceJob {
  std::string name;
  std::vector<TaskRow> tasks;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(value) : std::nullopt;
}

// The reason why a line is dropped; null if it is a row.
const char* parse_row(std::string_view line, std::string_view& job, TaskRow& row) {
  std::array<std::string_view, 9> cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto comma = line.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == cells.size())) return "it has not 9 columns";
    cells.at(i) = line.substr(0, comma);
    line.remove_prefix(std::min(line.size(), cells.at(i).size() + 1));
  }
  row.name = std::string(cells[0]);
  job = is_number(cells[2]) && !is_number(cells[3]) ? cells[3] : cells[2];
  if (row.name.empty() || job.empty()) return "it names no task or no job";
  if (cells[4] != "Terminated") return "the task is not 'Terminated'";
  const auto instances = number_of(cells[1]);
  const auto start = number_of(cells[5]);
  const auto end = number_of(cells[6]);
  if (!instances || *instances < 1) return "it tells no instances";
  // 0 means a time outside the eight days of the trace.
  if (!start || !end || *start <= 0 || *end <= 0) return "it tells no start or no end";
  if (*end < *start) return "it ends before it starts";
  if (*end > to_ms(longest_duration) / 1000) return "it ends too late";
  row.instances = *instances;
  row.start_s = *start;
  row.end_s = *end;
  return nullptr;
}

struct Trace {
  std::vector<TraceJob> jobs;
  Count tasks = 0;
  Count instances = 0;
  DroppedRows dropped;
};

Trace read_rows(LineReader& lines, Count most_instances) {
  Trace trace;
  std::unordered_map<std::string, std::size_t> index;
  std::unordered_set<std::string> seen;
  while (const auto line = lines.next()) {
    if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
    if (lines.line() == 1 && line->starts_with("task_name,")) continue;  // some copies have a header
    TaskRow row;
    row.line = lines.line();
    std::string_view name;
    if (const char* why = parse_row(*line, name, row)) {
      trace.dropped.add(why, row.line);
      continue;
    }
    const std::string job(name);
    if (!seen.insert(fmt::format("{}/{}", job, row.name)).second) {
      trace.dropped.add("its task was told before", row.line);
      continue;
    }
    if (row.instances > most_instances - trace.instances) {
      throw InputError({lines.source(), row.line},
                       fmt::format("more than {} instances in all", most_instances),
                       "read a part of the trace, such as its first 100,000 lines");
    }
    trace.instances += row.instances;
    ++trace.tasks;
    const auto [known, fresh] = index.try_emplace(job, trace.jobs.size());
    if (fresh) trace.jobs.push_back({job, {}});
    trace.jobs[known->second].tasks.push_back(std::move(row));
  }
  return trace;
}

struct Edges {
  std::vector<std::vector<std::size_t>> after;  // by task: indices
  Count kept = 0, missing = 0, circular = 0, doubled = 0;
};

// For each task, whether it is on a cycle or waits for one.
std::vector<bool> behind_circles(const std::vector<std::vector<std::size_t>>& after) {
  std::vector<std::size_t> waits(after.size());
  std::vector<std::vector<std::size_t>> followers(after.size());
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < after.size(); ++i) {
    waits[i] = after[i].size();
    for (const std::size_t before : after[i]) followers[before].push_back(i);
    if (waits[i] == 0) free.push_back(i);
  }
  std::vector<bool> stuck(after.size(), true);
  for (std::size_t done = 0; done < free.size(); ++done) {
    stuck[free[done]] = false;
    for (const std::size_t follower : followers[free[done]]) {
      if (--waits[follower] == 0) free.push_back(follower);
    }
  }
  return stuck;
}

Edges edges_of(const TraceJob& job) {
  Edges edges;
  edges.after.resize(job.tasks.size());
  std::vector<AlibabaTaskName> names;
  std::unordered_map<std::int64_t, std::size_t> by_number;
  for (std::size_t i = 0; i < job.tasks.size(); ++i) {
    names.push_back(parse_task_name(job.tasks[i].name));
    if (names[i].number > 0 && !by_number.emplace(names[i].number, i).second) ++edges.doubled;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::int64_t number : names[i].after) {
      if (const auto before = by_number.find(number); before != by_number.end()) {
        edges.after[i].push_back(before->second);
      } else {
        ++edges.missing;
      }
    }
  }
  const std::vector<bool> stuck = behind_circles(edges.after);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto& list = edges.after[i];
    const auto gone = std::remove_if(list.begin(), list.end(),
                                     [&](std::size_t before) { return stuck[i] && stuck[before]; });
    edges.circular += list.end() - gone;
    list.erase(gone, list.end());
    edges.kept += static_cast<Count>(list.size());
  }
  return edges;
}

struct Tally {
  Count edges = 0, missing = 0, circular = 0, doubled = 0, alone = 0;
};

void add_jobs(const TraceJob& job, Workload& workload, Tally& tally) {
  const Edges edges = edges_of(job);
  tally.edges += edges.kept;
  tally.missing += edges.missing;
  tally.circular += edges.circular;
  tally.doubled += edges.doubled;
  std::int64_t earliest = job.tasks.front().start_s;
  for (const TaskRow& task : job.tasks) earliest = std::min(earliest, task.start_s);
  const auto id_of = [&](const TaskRow& task) { return fmt::format("{}/{}", job.name, task.name); };
  for (std::size_t i = 0; i < job.tasks.size(); ++i) {
    const TaskRow& task = job.tasks[i];
    Job made;
    made.id = id_of(task);
    made.submit = at_ms(earliest * 1000);
    made.maps.assign(static_cast<std::size_t>(task.instances), ms((task.end_s - task.start_s) * 1000));
    for (const std::size_t before : edges.after[i]) made.after.push_back(id_of(job.tasks[before]));
    tally.alone += parse_task_name(task.name).number == 0 ? 1 : 0;
    workload.jobs.push_back(std::move(made));
  }
}

void explain(Conversion& made, const Trace& trace, const Tally& tally) {
  made.kept.push_back(fmt::format("{} tasks of {} jobs, each a job 'JOB/TASK', and {} edges between them",
                                  trace.tasks, trace.jobs.size(), tally.edges));
  made.dropped_rows = trace.dropped.rows();
  made.dropped = trace.dropped.sentences();
  if (tally.missing > 0) {
    made.dropped.push_back(fmt::format("{} edges to tasks that are not among those kept", tally.missing));
  }
  if (tally.circular > 0) {
    made.dropped.push_back(fmt::format("{} edges in or behind circles", tally.circular));
  }
  if (tally.doubled > 0) {
    made.dropped.push_back(
        fmt::format("{} task numbers used again in a job: the first task is meant", tally.doubled));
  }
  made.dropped.emplace_back("types, planned processors and memory of tasks");
  made.imputed.push_back(
      fmt::format("{} maps: one an instance, each as long as its task from start to end", trace.instances));
  made.imputed.emplace_back("submission: the earliest start among the tasks of its job");
  if (tally.alone > 0) {
    made.imputed.push_back(fmt::format("{} tasks whose names say nothing wait for none", tally.alone));
  }
}

}  // namespace

AlibabaTaskName parse_task_name(std::string_view name) {
  AlibabaTaskName parsed;
  const auto first = name.find_first_of("0123456789_");
  if (first == 0 || first == std::string_view::npos) return parsed;
  name.remove_prefix(first);
  const auto number = number_of(name.substr(0, name.find('_')));
  if (!number || *number < 1) return parsed;
  parsed.number = *number;
  for (auto underscore = name.find('_'); underscore != std::string_view::npos; underscore = name.find('_')) {
    name.remove_prefix(underscore + 1);
    const std::string_view part = name.substr(0, name.find('_'));
    const auto before = is_number(part) ? number_of(part) : std::nullopt;
    if (before) parsed.after.push_back(*before);
  }
  std::sort(parsed.after.begin(), parsed.after.end());
  parsed.after.erase(std::unique(parsed.after.begin(), parsed.after.end()), parsed.after.end());
  return parsed;
}

Conversion read_alibaba(const std::filesystem::path& path, Count most_instances) {
  LineReader lines(path);
  const Trace trace = read_rows(lines, most_instances);
  if (trace.jobs.empty()) {
    const std::vector<std::string> why = trace.dropped.sentences();
    throw InputError({lines.source()},
                     why.empty() ? "holds no task" : "holds no task that can be used; " + why[0],
                     "a row is: task, instances, job, type, status, start, end, processors, memory");
  }
  Conversion made;
  Tally tally;
  for (const TraceJob& job : trace.jobs) add_jobs(job, made.workload, tally);
  std::stable_sort(made.workload.jobs.begin(), made.workload.jobs.end(),
                   [](const Job& a, const Job& b) { return a.submit < b.submit; });
  check(made.workload, lines.source());
  explain(made, trace, tally);
  return made;
}

}  // namespace wavewright
