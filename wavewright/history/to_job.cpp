#include "wavewright/history/to_job.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

namespace wavewright {

namespace {

using MaybeDuration = std::optional<Duration>;

struct Span {
  Time start;
  Time finish;
};

// The attempt's start and finish; nothing if they are absent or impossible.
std::optional<Span> span_of(const Attempt* attempt) {
  if (attempt == nullptr || !attempt->start || !attempt->finish) return std::nullopt;
  const Span span{*attempt->start, *attempt->finish};
  return span.finish < span.start ? std::nullopt : std::optional(span);
}

// Mean of the known values, rounded; nothing if none is known.
MaybeDuration mean_of(const std::vector<MaybeDuration>& values) {
  Duration sum{};
  std::int64_t count = 0;
  for (const MaybeDuration& value : values) {
    if (!value) continue;
    sum += *value;
    ++count;
  }
  return count == 0 ? std::nullopt : MaybeDuration(ms((to_ms(sum) + count / 2) / count));
}

std::vector<Duration> filled(const std::vector<MaybeDuration>& values, Duration missing) {
  std::vector<Duration> result;
  result.reserve(values.size());
  for (const MaybeDuration& value : values) result.push_back(value.value_or(missing));
  return result;
}

std::optional<Time> end_of_maps(const JobRun& run) {
  std::optional<Time> end;
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = task.kind == TaskKind::map ? winner(task) : nullptr;
    if (best != nullptr && best->finish) end = end ? std::max(*end, *best->finish) : *best->finish;
  }
  return end;
}

struct ReducePhases {
  std::vector<MaybeDuration> first_shuffle, later_shuffle, reduce;  // one per reduce

  void add(const Attempt* attempt, const std::optional<Time>& maps_done) {
    MaybeDuration first, later, work;
    if (const auto span = span_of(attempt)) {
      const bool in_first_wave = maps_done && span->start <= *maps_done;
      const Time begin = in_first_wave ? std::min(*maps_done, span->finish) : span->start;
      const std::optional<Time> told = attempt->sort_finish ? attempt->sort_finish : attempt->shuffle_finish;
      const Time merged = told ? std::clamp(*told, begin, span->finish) : begin;
      if (told) (in_first_wave ? first : later) = merged - begin;
      work = span->finish - merged;
    }
    first_shuffle.push_back(first);
    later_shuffle.push_back(later);
    reduce.push_back(work);
  }
};

void add_reduces(const ReducePhases& phases, Job& job) {
  job.reduces = filled(phases.reduce, mean_of(phases.reduce).value_or(Duration{}));
  const MaybeDuration first = mean_of(phases.first_shuffle);
  const MaybeDuration later = mean_of(phases.later_shuffle);
  if (!first && !later) return;
  job.first_shuffles = filled(phases.first_shuffle, first.value_or(later.value_or(Duration{})));
  job.shuffles = filled(phases.later_shuffle, later.value_or(first.value_or(Duration{})));
}

// Sum over tasks; unknown if it is unknown for one task.
std::optional<Bytes> sum_of(const JobRun& run, TaskKind kind, std::optional<Bytes> TaskRun::* which) {
  Bytes sum;
  bool any = false;
  for (const TaskRun& task : run.tasks) {
    if (task.kind != kind) continue;
    const std::optional<Bytes>& bytes = task.*which;
    if (!bytes) return std::nullopt;
    sum += *bytes;
    any = true;
  }
  return any ? std::optional(sum) : std::nullopt;
}

void add_bytes_and_splits(const JobRun& run, Job& job) {
  job.input = sum_of(run, TaskKind::map, &TaskRun::input);
  job.shuffled = job.reduces.empty() ? std::nullopt : sum_of(run, TaskKind::reduce, &TaskRun::input);
  job.output = sum_of(run, job.reduces.empty() ? TaskKind::map : TaskKind::reduce, &TaskRun::output);
  bool any = false;
  for (const TaskRun& task : run.tasks) {
    if (task.kind != TaskKind::map) continue;
    job.splits.push_back(task.split_nodes);
    any = any || !task.split_nodes.empty();
  }
  if (!any) job.splits.clear();
}

}  // namespace

std::optional<RunAsJob> to_job(const JobRun& run, std::string& why) {
  why.clear();
  if (!run.submit || run.state != RunState::succeeded) {
    why = run.submit ? "did not succeed" : "does not tell when it was submitted";
    return std::nullopt;
  }
  const std::optional<Time> maps_done = end_of_maps(run);
  std::vector<MaybeDuration> maps;
  ReducePhases reduces;
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = winner(task);
    if (task.kind == TaskKind::map) {
      const auto span = span_of(best);
      maps.push_back(span ? MaybeDuration(span->finish - span->start) : std::nullopt);
    } else if (task.kind == TaskKind::reduce) {
      reduces.add(best, maps_done);
    }
  }
  const auto unknown = [](const std::vector<MaybeDuration>& list) {
    return static_cast<Count>(std::count(list.begin(), list.end(), std::nullopt));
  };
  const bool no_maps = !maps.empty() && unknown(maps) == static_cast<Count>(maps.size());
  const bool no_reduces =
      !reduces.reduce.empty() && unknown(reduces.reduce) == static_cast<Count>(reduces.reduce.size());
  if (no_maps || no_reduces) {
    why = "tells no task's times";
    return std::nullopt;
  }
  RunAsJob result;
  result.imputed_tasks = unknown(maps) + unknown(reduces.reduce);
  Job& job = result.job;
  job.id = run.id;
  job.name = run.name;
  job.user = run.user;
  job.queue = run.queue;
  job.submit = *run.submit;
  job.maps = filled(maps, mean_of(maps).value_or(Duration{}));
  add_reduces(reduces, job);
  add_bytes_and_splits(run, job);
  return result;
}

Workload to_workload(std::vector<Job> jobs) {
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.submit < b.submit; });
  const Duration origin = jobs.empty() ? Duration{} : jobs.front().submit.time_since_epoch();
  std::unordered_set<std::string> ids;
  for (Job& job : jobs) {
    job.submit -= origin;
    const std::string id = job.id;
    for (int copy = 2; !ids.insert(job.id).second; ++copy) job.id = fmt::format("{}-{}", id, copy);
  }
  return {std::move(jobs)};
}

}  // namespace wavewright
