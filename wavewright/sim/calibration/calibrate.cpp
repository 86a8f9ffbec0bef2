#include "wavewright/sim/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/profile/robust.h"
#include "wavewright/sim/calibration/heartbeat_history.h"
#include "wavewright/sim/calibration/launch_history.h"

namespace wavewright {

namespace {

using sim::ObservedLaunches;

constexpr std::size_t most_launches = 20'000;
// Least reduction of the spread (relative, and in ms); with less, launches are taken to be free.
constexpr double least_gain = 0.05;
constexpr double least_gain_ms = 20;
constexpr Duration longest_launch = ms(8'000);

Duration rounded(double value) {
  return ms(std::max<std::int64_t>(0, std::llround(value)));
}

struct Spread {
  double maps = 0;     // mean distance from the median of the group
  double masters = 0;  // likewise, of group 0
};

Spread spread_of(const ObservedLaunches& seen, const Launches& guess) {
  const std::vector<sim::LaunchTime> took = sim::launch_times(seen, guess);
  std::vector<std::vector<double>> groups(seen.groups);
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const auto& sample = seen.launches[i].sample;
    if (sample) groups[sample->first].push_back(sample->second - took[i].launch);
  }
  Spread spread;
  double maps = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const double middle = median(groups[group]);
    double sum = 0;
    for (const double each : groups[group]) sum += std::abs(each - middle);
    const auto count = static_cast<double>(groups[group].size());
    if (group == 0) {
      spread.masters = count == 0 ? 0 : sum / count;
    } else {
      spread.maps += sum;
      maps += count;
    }
  }
  if (maps > 0) spread.maps /= maps;
  return spread;
}

// The argument from 0 to `longest_launch` with the least `cost`, searched in steps that become finer.
template <class Cost>
Duration least(Cost cost) {
  Duration best{};
  double lowest = cost(best);
  Duration from{}, to = longest_launch;
  for (const Duration step : {ms(500), ms(100), ms(20)}) {
    for (Duration at = from; at <= to; at += step) {
      const double value = cost(at);
      if (value < lowest) {
        lowest = value;
        best = at;
      }
    }
    from = best > step ? best - step : Duration{};
    to = best + step;
  }
  return best;
}

// The best guess for this number of processors, and the spread that it leaves.
std::pair<Launches, Spread> fit(const ObservedLaunches& seen, Launches guess, bool masters) {
  for (int round = 0; round < (masters ? 2 : 1); ++round) {
    guess.work = least([&](Duration work) {
      Launches other = guess;
      other.work = work;
      if (round == 0) other.master_work = work;  // no better value is known yet
      return spread_of(seen, other).maps;
    });
    if (!masters) break;
    guess.master_work = least([&](Duration work) {
      Launches other = guess;
      other.master_work = work;
      const Spread spread = spread_of(seen, other);
      return spread.maps + spread.masters;
    });
  }
  return {guess, spread_of(seen, guess)};
}

// Setup and cleanup tasks are not work: they are part of what is learnt.
bool works(const TaskRun& task) {
  return task.kind == TaskKind::map || task.kind == TaskKind::reduce;
}

std::optional<Time> last_end(const JobRun& run) {
  std::optional<Time> last;
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = works(task) ? winner(task) : nullptr;
    if (best != nullptr && best->finish && (!last || *best->finish > *last)) last = best->finish;
  }
  return last;
}

std::optional<Time> first_start(const JobRun& run) {
  std::optional<Time> first;
  for (const TaskRun& task : run.tasks) {
    if (!works(task)) continue;
    for (const Attempt& attempt : task.attempts) {
      if (attempt.start && (!first || *attempt.start < *first)) first = attempt.start;
    }
  }
  return first;
}

// A node's heartbeat answers the first requests, half a period later on average. A job that waits for room
// does not show its start, so the soonest quarter of jobs counts.
Duration learn_start(std::span<const JobRun> runs, const Cluster& cluster, const ObservedLaunches& seen,
                     const Launches& guess) {
  const double half_beat = static_cast<double>(to_ms(cluster.mode.heartbeat)) / 2;
  const bool masters = cluster.mode.kind == ClusterMode::Kind::containers;
  std::vector<double> first;
  for (const JobRun& run : runs) {
    const std::optional<Time> began = first_start(run), from = masters ? run.launch : run.submit;
    if (began && from && *began >= *from) first.push_back(static_cast<double>(to_ms(*began - *from)));
  }
  if (!masters) return rounded(soonest_quarter(first) - half_beat);
  // A master waits for a heartbeat, is launched, initialises and, a heartbeat later, fetches containers.
  const std::vector<sim::LaunchTime> took = sim::launch_times(seen, guess);
  std::vector<double> up;
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    if (seen.launches[i].master && seen.launches[i].sample)
      up.push_back(seen.launches[i].sample->second - took[i].launch);
  }
  const auto beat = static_cast<double>(to_ms(cluster.masters.heartbeat));
  return rounded(median(up) - half_beat + soonest_quarter(first) - beat);
}

Duration learn_finish(std::span<const JobRun> runs) {
  std::vector<double> finish;
  for (const JobRun& run : runs) {
    const std::optional<Time> ended = last_end(run);
    if (ended && run.finish && *run.finish >= *ended)
      finish.push_back(static_cast<double>(to_ms(*run.finish - *ended)));
  }
  return rounded(median(finish));
}

std::vector<Duration> deciles(std::vector<double> values) {
  std::vector<Duration> steps;
  if (values.empty()) return steps;
  std::sort(values.begin(), values.end());
  for (std::size_t tenth = 0; tenth <= 10; ++tenth) {
    steps.push_back(rounded(values[(values.size() - 1) * tenth / 10]));
  }
  return steps;
}

std::vector<NetLengths> net_lengths(const ObservedLaunches& seen, const Launches& guess) {
  const std::vector<sim::LaunchTime> took = sim::launch_times(seen, guess);
  std::vector<std::vector<double>> maps(seen.groups);
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const auto& sample = seen.launches[i].sample;
    if (sample) maps[sample->first].push_back(sample->second - took[i].launch);
  }
  std::vector<NetLengths> jobs;
  jobs.reserve(seen.jobs.size());
  for (const auto& [group, job] : seen.jobs) {
    jobs.push_back({job.name, job.total_maps, rounded(median(maps[group])), deciles(maps[group]),
                    rounded(median(job.first_shuffles)), rounded(median(job.reduces))});
  }
  std::sort(jobs.begin(), jobs.end(), [](const NetLengths& a, const NetLengths& b) {
    return std::tie(a.name, a.total_maps) < std::tie(b.name, b.total_maps);
  });
  return jobs;
}

// The starting points of the fit. Known processors are not varied.
std::vector<Launches> starts(const Launches& known) {
  if (known.processors > 0) return {{{}, {}, known.processors, known.of_node}};
  std::vector<Launches> all;
  for (const bool of_node : {false, true}) {
    for (const Count processors : {1, 2, 3, 4, 6, 8, 16}) all.push_back({{}, {}, processors, of_node});
  }
  return all;
}

void apply_heartbeats(const Overheads& overheads, Cluster& cluster) {
  if (overheads.heartbeat && cluster.mode.heartbeat == Duration{})
    cluster.mode.heartbeat = *overheads.heartbeat;
  if (!overheads.master_heartbeat) return;
  const Duration told = cluster.masters.heartbeat, seen = *overheads.master_heartbeat;
  if (50 * (told < seen ? seen - told : told - seen) > told) cluster.masters.heartbeat = seen;
}

// Shortens the attempt to its work on a processor of its own. A map keeps its end: reduces wait for it.
void work_alone(TaskKind kind, Attempt& attempt, Duration work) {
  if (kind == TaskKind::map) {
    attempt.start = std::max(*attempt.start, *attempt.finish - work);
  } else {
    const Time merged = attempt.sort_finish ? *attempt.sort_finish : *attempt.shuffle_finish;
    attempt.finish = std::min(*attempt.finish, std::max(*attempt.start, merged) + work);
  }
}

}  // namespace

Overheads learn_overheads(std::span<const JobRun> runs, const Cluster& told) {
  const bool masters = told.mode.kind == ClusterMode::Kind::containers;
  const ObservedLaunches seen = sim::observe_launches(runs, masters, most_launches);
  if (seen.maps == 0) throw UsageError("none of these runs has maps to learn from", "name other jobs");
  Overheads learnt;
  learnt.heartbeat = sim::period_of(sim::gaps_on_nodes(runs));
  if (masters) learnt.master_heartbeat = sim::period_of(sim::gaps_of_jobs(runs));
  Cluster cluster = told;
  apply_heartbeats(learnt, cluster);
  learnt.runs = seen.runs;
  learnt.maps = seen.maps;
  Launches best{.of_node = false};
  Spread lowest = spread_of(seen, best);
  learnt.spread = lowest.maps;
  const double enough = std::min(lowest.maps * (1 - least_gain), lowest.maps - least_gain_ms);
  for (const Launches& start : starts(cluster.launches)) {
    const auto [guess, spread] = fit(seen, start, masters);
    if (spread.maps > enough || spread.maps >= lowest.maps) continue;
    best = guess;
    lowest = spread;
  }
  learnt.spread_without_launch = lowest.maps;
  learnt.launches = best;
  learnt.jobs = net_lengths(seen, best);
  learnt.master_start = learn_start(runs, cluster, seen, best);
  learnt.master_finish = learn_finish(runs);
  std::vector<double> shuffles;
  for (const auto& [group, job] : seen.jobs)
    shuffles.insert(shuffles.end(), job.first_shuffles.begin(), job.first_shuffles.end());
  if (!shuffles.empty()) learnt.shuffle = rounded(soonest_quarter(shuffles));
  return learnt;
}

std::vector<NetRun> without_launches(std::vector<JobRun> runs, const Cluster& cluster) {
  const bool masters = cluster.mode.kind == ClusterMode::Kind::containers;
  const sim::RunSet bound = sim::processor_bound(runs, masters, cluster.launches);
  const ObservedLaunches seen =
      sim::observe_launches(runs, masters, std::numeric_limits<std::size_t>::max(), bound);
  const std::vector<sim::LaunchTime> times = sim::launch_times(seen, cluster.launches);
  std::unordered_map<const Attempt*, std::size_t> launch_of;
  for (std::size_t i = 0; i < seen.launches.size(); ++i) launch_of[seen.launches[i].attempt] = i;
  std::vector<NetRun> net;
  for (JobRun& run : runs) {
    const bool is_bound = bound.contains(&run);
    for (TaskRun& task : run.tasks) {
      for (Attempt& attempt : task.attempts) {
        const auto found = launch_of.find(&attempt);
        if (found == launch_of.end()) continue;
        const sim::LaunchTime& time = times[found->second];
        const Time begins = *attempt.start + rounded(time.launch) + cluster.mode.launch;
        attempt.start = attempt.finish ? std::max(*attempt.start, std::min(begins, *attempt.finish)) : begins;
        if (seen.launches[found->second].works_until) work_alone(task.kind, attempt, rounded(time.work));
      }
    }
    net.push_back({std::move(run), is_bound});
  }
  return net;
}

void apply(const Overheads& overheads, Cluster& cluster) {
  cluster.launches = overheads.launches;
  cluster.masters.start = overheads.master_start;
  cluster.masters.finish = overheads.master_finish;
  cluster.network.overhead = overheads.shuffle.value_or(cluster.network.overhead);
  apply_heartbeats(overheads, cluster);
}

}  // namespace wavewright
