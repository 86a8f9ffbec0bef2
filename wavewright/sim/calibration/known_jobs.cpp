#include "wavewright/sim/calibration/known_jobs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/profile/robust.h"
#include "wavewright/sim/calibration/launch_history.h"
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
// Where a job went before another, times are off by tens of seconds, and tell little of launches. So what a
// time counts stays below this, ms.
constexpr double most_counted = 2'500;

// From a job's submission: the start of its first task, the end of its last map, its own end, and the instant
// at which its master was up. All but its end are absent where the run does not tell them.
using Marks = std::array<std::optional<Duration>, 4>;

struct Batch {
  Workload jobs;
  std::vector<Marks> marks;
  Count left_out = 0;
};

// A run tells when its job was initialised. A simulated master is up a heartbeat before its first task starts
// at the soonest; until then the real one has to do more than wait.
Duration initialised_to_up(std::span<const JobRun> runs, Duration heartbeat) {
  std::vector<double> first;
  for (const JobRun& run : runs) {
    const std::optional<Time> began = sim::first_start(run);
    if (began && run.launch && *began >= *run.launch)
      first.push_back(static_cast<double>(to_ms(*began - *run.launch)));
  }
  return first.empty() ? Duration{} : ms(std::llround(soonest_quarter(first))) - heartbeat;
}

// `masters`: from a job's initialisation to its master; empty with slots.
Marks marks_of(const JobRun& run, const std::optional<Duration>& masters) {
  const std::optional<Time> first = sim::first_start(run);
  std::optional<Time> maps;
  Count map_ends = 0;
  for (const TaskRun& task : run.tasks) {
    const Attempt* const attempt = winner(task);
    if (attempt && task.kind == TaskKind::map && attempt->finish) {
      ++map_ends;
      maps = std::max(maps.value_or(*attempt->finish), *attempt->finish);
    }
  }
  Marks marks;
  if (first && *first >= *run.submit) marks[0] = *first - *run.submit;
  if (maps && map_ends == run.total_maps && *maps >= *run.submit) marks[1] = *maps - *run.submit;
  marks[2] = *run.finish - *run.submit;
  if (masters && run.launch && *run.launch >= *run.submit) marks[3] = *run.launch - *run.submit + *masters;
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

Batch batch_of(std::span<const JobRun> runs, const Workload& known, const Cluster& cluster) {
  const Duration shuffle = cluster.network.overhead;
  std::optional<Duration> masters;
  if (cluster.mode.kind == ClusterMode::Kind::containers)
    masters = initialised_to_up(runs, cluster.masters.heartbeat);
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
    batch.marks.push_back(marks_of(run, masters));
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

// A run tells when its first task was launched: a master launches it at the heartbeat that fetches its room.
Time first_launch(const JobOutcome& job, Duration heartbeat) {
  if (!job.master_up || *job.master_up > job.start) return job.start;
  const Duration waited = job.start - *job.master_up;
  return *job.master_up + (waited + heartbeat - ms(1)) / heartbeat * heartbeat;
}

// Of the runs' times from the simulated ones, ms.
std::vector<double> distances(const Batch& batch, Cluster cluster, const Guess& guess,
                              const std::function<Policy()>& policy) {
  const Duration heartbeat = std::max(ms(1), cluster.masters.heartbeat);
  set(cluster, guess);
  Policy its = policy();
  const SimulationResult result = simulate_on(batch.jobs, its, {.cluster = std::move(cluster)});
  if (!result.rejections.empty()) {
    const auto& [job, reason] = *result.rejections.begin();
    throw UsageError(fmt::format("the policy rejects job {}: {}", batch.jobs.jobs[job].id, reason.text),
                     "name the cluster's own policy");
  }
  std::vector<double> distances;
  for (std::size_t i = 0; i < batch.marks.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    const std::array<Time, 4> simulated = {first_launch(job, heartbeat), job.maps_done, job.finish,
                                           job.master_up.value_or(job.start)};
    for (std::size_t mark = 0; mark < simulated.size(); ++mark) {
      const std::optional<Duration>& real = batch.marks[i][mark];
      if (!real) continue;
      distances.push_back(
          std::abs(static_cast<double>(to_ms(simulated[mark] - batch.jobs.jobs[i].submit - *real))));
    }
  }
  return distances;
}

double mean(const std::vector<double>& distances) {
  return std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
}

double counted(const std::vector<double>& distances) {
  double sum = 0;
  for (const double each : distances) sum += each / (1 + each / most_counted);
  return sum;
}

}  // namespace

KnownJobsFit fit_known_jobs(std::span<const JobRun> runs, const Workload& known, const Cluster& cluster,
                            const std::function<Policy()>& policy) {
  const Batch batch = batch_of(runs, known, cluster);
  const bool masters = cluster.mode.kind == ClusterMode::Kind::containers,
             launches = cluster.launches.processors > 0;
  // A parameter that does not count stays 0.
  const std::array<bool, 3> counts = {launches, launches && masters, true};
  using Looked = std::pair<double, Guess>;
  const auto looked = [&](const Guess& guess) {
    return Looked{counted(distances(batch, cluster, guess, policy)), guess};
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
  return {.jobs = jobs,
          .left_out = batch.left_out,
          .launches = found.launches,
          .master_start = found.masters.start,
          .error = mean(distances(batch, cluster, best.second, policy)),
          .length = length / static_cast<double>(jobs)};
}

}  // namespace wavewright
