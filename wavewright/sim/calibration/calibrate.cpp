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

// Mean distances from the median of the group.
struct Spread {
  double maps = 0;
  double tasks = 0;      // maps, and reduces up to the end of their shuffle
  double masters = 0;    // of group 0
  bool refused = false;  // tasks are left less than they surely worked
};

// How many of what a guess of launches leaves less than it surely worked.
struct Broken {
  Count count = 0;
  Count of = 0;

  void add(bool broken) {
    count += broken ? 1 : 0;
    ++of;
  }
};

// Single launches are shorter or longer than a right guess by chance: then half of those that nothing follows
// are broken. More by two standard deviations, √of, are not by chance.
bool beyond_chance(const Broken& reduces) {
  const auto of = static_cast<double>(reduces.of);
  return reduces.of > 0 && static_cast<double>(reduces.count) >= of / 2 + std::sqrt(of);
}

// A launch may leave a map, or a reduce until the end of its shuffle, less than nothing. All launches of a
// run may leave its tasks less than their processor time.
bool leaves_too_little(const ObservedLaunches& seen, const Launches& guess,
                       const std::vector<sim::LaunchTime>& took) {
  if (guess.processors == 0) return false;
  Broken maps, reduces, runs;
  std::vector<double> left(seen.processor_time.size(), 0);
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const auto& [launch, time] = std::tie(seen.launches[i], took[i]);
    if (!launch.length) continue;
    left[launch.run_number] += *launch.length - time.launch;
    if (launch.sample) (seen.jobs.contains(launch.sample->first) ? maps : reduces).add(time.cut);
  }
  constexpr double clocks = 1.01;  // processor time is counted in ticks
  for (std::size_t run = 0; run < left.size(); ++run) {
    const double most = clocks * left[run] * static_cast<double>(guess.processors);
    if (seen.processor_time[run] > 0) runs.add(seen.processor_time[run] > most);
  }
  return 100 * maps.count > maps.of || beyond_chance(reduces) || 2 * runs.count > runs.of;
}

Spread spread_of(const ObservedLaunches& seen, const Launches& guess) {
  const std::vector<sim::LaunchTime> took = sim::launch_times(seen, guess);
  std::vector<std::vector<double>> groups(seen.groups);
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const auto& sample = seen.launches[i].sample;
    if (sample) groups[sample->first].push_back(sample->second - took[i].launch);
  }
  Spread spread;
  spread.refused = leaves_too_little(seen, guess, took);
  double maps = 0, tasks = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto job = seen.jobs.find(group);
    const bool of_maps = job != seen.jobs.end();
    const double middle = median(groups[group]);
    double sum = 0;
    for (const double each : groups[group]) sum += std::abs(each - middle);
    const auto count = static_cast<double>(groups[group].size());
    if (group == 0) {
      spread.masters = count == 0 ? 0 : sum / count;
    } else {
      spread.tasks += sum;
      tasks += count;
      if (!of_maps) continue;  // of reduces
      spread.maps += sum;
      maps += count;
    }
  }
  if (maps > 0) spread.maps /= maps;
  if (tasks > 0) spread.tasks /= tasks;
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
  const auto cost = [&](const Launches& other, bool with_masters) {
    const Spread spread = spread_of(seen, other);
    if (spread.refused) return std::numeric_limits<double>::infinity();
    return spread.tasks + (with_masters ? spread.masters : 0);
  };
  for (int round = 0; round < (masters ? 2 : 1); ++round) {
    guess.work = least([&](Duration work) {
      Launches other = guess;
      other.work = work;
      if (round == 0) other.master_work = work;  // no better value is known yet
      return cost(other, false);
    });
    if (!masters) break;
    guess.master_work = least([&](Duration work) {
      Launches other = guess;
      other.master_work = work;
      return cost(other, true);
    });
  }
  return {guess, spread_of(seen, guess)};
}

std::optional<Time> last_end(const JobRun& run) {
  std::optional<Time> last;
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = sim::works(task.kind) ? winner(task) : nullptr;
    if (best != nullptr && best->finish && (!last || *best->finish > *last)) last = best->finish;
  }
  return last;
}

// A node's heartbeat answers the first requests, half a period later on average. A job that waits for room
// does not show its start, so the soonest quarter of jobs counts.
Duration learn_start(std::span<const JobRun> runs, const Cluster& cluster, const ObservedLaunches& seen,
                     const Launches& guess) {
  const double half_beat = static_cast<double>(to_ms(cluster.mode.heartbeat)) / 2;
  const bool masters = cluster.mode.kind == ClusterMode::Kind::containers;
  std::vector<double> first;
  for (const JobRun& run : runs) {
    const std::optional<Time> began = sim::first_start(run), from = masters ? run.launch : run.submit;
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
  if (known.processors > 0) return {{{}, {}, known.processors, known.of_node, known.submit_work}};
  std::vector<Launches> all;
  for (const bool of_node : {false, true}) {
    for (const Count processors : {1, 2, 3, 4, 6, 8, 16})
      all.push_back({{}, {}, processors, of_node, of_node ? Duration{} : known.submit_work});
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

Overheads learn_overheads(std::span<const JobRun> runs, const Cluster& told,
                          const std::optional<Launches>& given) {
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
  Launches best{.of_node = false, .submit_work = cluster.launches.submit_work};
  Spread lowest = spread_of(seen, best);
  learnt.spread = lowest.maps;
  const double enough = std::min(lowest.tasks * (1 - least_gain), lowest.tasks - least_gain_ms);
  if (given) {
    best = *given;
    lowest = spread_of(seen, best);
  }
  for (const Launches& start : given ? std::vector<Launches>{} : starts(cluster.launches)) {
    const auto [guess, spread] = fit(seen, start, masters);
    if (spread.refused || spread.tasks > enough || spread.tasks >= lowest.tasks) continue;
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
        const auto told = sim::launched_by(task.kind, attempt);
        const auto by = told ? told : attempt.finish;
        attempt.start = by ? std::max(*attempt.start, std::min(begins, *by)) : begins;
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
