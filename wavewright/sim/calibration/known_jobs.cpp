#include "wavewright/sim/calibration/known_jobs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

namespace {

// Processor time of a launch and of a master's, and what a master takes besides, ms.
using Guess = std::array<std::int64_t, 3>;

constexpr Guess longest = {8'000, 16'000, 10'000};  // of the first grid
constexpr std::int64_t farthest = 2;                // so many times that far the search goes
constexpr Guess first_steps = {400, 1'500, 1'500};
constexpr std::int64_t least_step = 25;  // of the first
constexpr std::size_t beginnings = 16;   // the best of the first grid, from each of which the search goes on

// From a job's submission: the start of its first task, the end of its last map, and its own end. The first
// two are absent where the run does not tell them.
using Marks = std::array<std::optional<Duration>, 3>;

struct Batch {
  Workload jobs;
  std::vector<Marks> marks;
  Count marked = 0;  // marks that are present
  Count left_out = 0;
};

Marks marks_of(const JobRun& run) {
  std::optional<Time> first, maps;
  Count map_ends = 0;
  for (const TaskRun& task : run.tasks) {
    const Attempt* const attempt = winner(task);
    if (!attempt || (task.kind != TaskKind::map && task.kind != TaskKind::reduce)) continue;
    if (attempt->start) first = std::min(first.value_or(*attempt->start), *attempt->start);
    if (task.kind == TaskKind::map && attempt->finish) {
      ++map_ends;
      maps = std::max(maps.value_or(*attempt->finish), *attempt->finish);
    }
  }
  Marks marks;
  if (first && *first >= *run.submit) marks[0] = *first - *run.submit;
  if (maps && map_ends == run.total_maps && *maps >= *run.submit) marks[1] = *maps - *run.submit;
  marks[2] = *run.finish - *run.submit;
  return marks;
}

const std::string& name_of(const Job& job) {
  return job.name.empty() ? job.id : job.name;
}

// By name and numbers of maps and reduces.
using KnownJobs = std::map<std::tuple<std::string, Count, Count>, const Job*>;

KnownJobs by_kind(const Workload& known) {
  KnownJobs jobs;
  for (const Job& job : known.jobs) {
    const auto [other, fresh] = jobs.try_emplace(
        {name_of(job), static_cast<Count>(job.maps.size()), static_cast<Count>(job.reduces.size())}, &job);
    if (!fresh)
      throw UsageError(fmt::format("known jobs {} and {} have the same name and numbers of tasks",
                                   other->second->id, job.id),
                       "a run could be of either: keep one, or give the jobs names of their own");
  }
  return jobs;
}

const Job& known_job(const JobRun& run, const KnownJobs& known) {
  const auto found = known.find({run.name, run.total_maps, run.total_reduces});
  if (found != known.end()) return *found->second;
  throw UsageError(fmt::format("run {} is called '{}' and has {} maps and {} reduces; no known job has",
                               run.id, run.name, run.total_maps, run.total_reduces),
                   "add such a job to the file, or name only runs of known jobs");
}

Batch batch_of(std::span<const JobRun> runs, const Workload& known, Duration shuffle) {
  const KnownJobs jobs = by_kind(known);
  Batch batch;
  Time first = Time::max();
  for (const JobRun& run : runs) first = std::min(first, run.submit.value_or(first));
  for (const JobRun& run : runs) {
    if (run.state != RunState::succeeded || !run.submit || !run.finish || *run.finish < *run.submit) {
      ++batch.left_out;
      continue;
    }
    Job job = known_job(run, jobs);
    job.id = run.id;
    if (job.queue.empty()) job.queue = run.queue;
    if (job.user.empty()) job.user = run.user;
    job.submit = Time{} + (*run.submit - first);
    job.deadline.reset();
    job.after.clear();
    for (std::vector<Duration>* const of : {&job.first_shuffles, &job.shuffles}) {
      if (std::all_of(of->begin(), of->end(), [](Duration each) { return each == Duration{}; }))
        of->assign(job.reduces.size(), shuffle);
    }
    batch.jobs.jobs.push_back(std::move(job));
    batch.marks.push_back(marks_of(run));
    for (const auto& mark : batch.marks.back()) batch.marked += mark.has_value();
  }
  if (batch.marks.empty()) throw UsageError("none of these runs has succeeded", "name other runs");
  return batch;
}

void set(Cluster& cluster, const Guess& guess) {
  cluster.launches.work = ms(guess[0]);
  cluster.launches.master_work = ms(guess[1]);
  cluster.masters.start = ms(guess[2]);
}

// All guesses from `from` to `to`.
template <class Look>
void for_grid(const Guess& from, const Guess& to, const Guess& step, Look look) {
  Guess at;
  for (at[0] = from[0]; at[0] <= to[0]; at[0] += step[0]) {
    for (at[1] = from[1]; at[1] <= to[1]; at[1] += step[1]) {
      for (at[2] = from[2]; at[2] <= to[2]; at[2] += step[2]) look(at);
    }
  }
}

double error_of(const Batch& batch, Cluster cluster, const Guess& guess,
                const std::function<Policy()>& policy) {
  set(cluster, guess);
  Policy its = policy();
  const SimulationResult result = simulate_on(batch.jobs, its, {.cluster = std::move(cluster)});
  if (!result.rejections.empty()) {
    const auto& [job, reason] = *result.rejections.begin();
    throw UsageError(fmt::format("the policy rejects job {}: {}", batch.jobs.jobs[job].id, reason.text),
                     "name the cluster's own policy");
  }
  double sum = 0;
  for (std::size_t i = 0; i < batch.marks.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    const std::array<Time, 3> simulated = {job.start, job.maps_done, job.finish};
    for (std::size_t mark = 0; mark < simulated.size(); ++mark) {
      const std::optional<Duration>& real = batch.marks[i][mark];
      if (real)
        sum += std::abs(static_cast<double>(to_ms(simulated[mark] - batch.jobs.jobs[i].submit - *real)));
    }
  }
  return sum / static_cast<double>(batch.marked);
}

}  // namespace

KnownJobsFit fit_known_jobs(std::span<const JobRun> runs, const Workload& known, const Cluster& cluster,
                            const std::function<Policy()>& policy) {
  const Batch batch = batch_of(runs, known, cluster.network.overhead);
  const bool masters = cluster.mode.kind == ClusterMode::Kind::containers,
             launches = cluster.launches.processors > 0;
  // A parameter that does not count stays 0.
  const std::array<bool, 3> counts = {launches, launches && masters, true};
  using Looked = std::pair<double, Guess>;
  const auto looked = [&](const Guess& guess) {
    return Looked{error_of(batch, cluster, guess, policy), guess};
  };
  Guess to{};
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = counts[i] ? longest[i] : 0;
  std::vector<Looked> coarse;
  for_grid({}, to, first_steps, [&](const Guess& guess) { coarse.push_back(looked(guess)); });
  std::sort(coarse.begin(), coarse.end());
  coarse.resize(std::min(coarse.size(), beginnings));
  Looked best = coarse.front();
  for (Looked from : coarse) {
    for (Guess step = first_steps; step[0] >= least_step;) {
      Guess below = from.second, above = from.second;
      for (std::size_t i = 0; i < step.size(); ++i) {
        if (!counts[i]) continue;
        below[i] = std::max<std::int64_t>(0, below[i] - step[i]);
        above[i] = std::min(farthest * longest[i], above[i] + step[i]);
      }
      Looked beside = from;
      for_grid(below, above, step, [&](const Guess& guess) { beside = std::min(beside, looked(guess)); });
      if (beside.first < from.first) {
        from = beside;
      } else {
        for (std::int64_t& each : step) each /= 2;
      }
    }
    best = std::min(best, from);
  }
  Cluster found = cluster;
  set(found, best.second);
  double length = 0;
  for (const Marks& marks : batch.marks) length += static_cast<double>(to_ms(*marks[2]));
  const auto jobs = static_cast<Count>(batch.marks.size());
  return {jobs,           batch.left_out,
          found.launches, found.masters.start,
          best.first,     length / static_cast<double>(jobs)};
}

}  // namespace wavewright
