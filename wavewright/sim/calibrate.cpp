#include "wavewright/sim/calibrate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/history/plausible.h"
#include "wavewright/profile/robust.h"
#include "wavewright/profile/task_times.h"
#include "wavewright/sim/parts/launch_queue.h"

namespace wavewright {

namespace {

constexpr std::size_t most_launches = 20'000;
// What must be won of the spread, below which launches are taken to be free.
constexpr double least_gain = 0.05;
constexpr double least_gain_ms = 20;
constexpr std::uint64_t longest_launch = 8'000;

struct Launch {
  std::uint64_t at = 0;  // ms after the first
  std::size_t node = 0;
  bool master = false;
  // Its length, where it tells something, among those of a group that are alike but for their launches.
  std::optional<std::pair<std::size_t, double>> sample;
};

struct Observed {
  std::vector<Launch> launches;  // by time
  std::size_t nodes = 0;
  std::size_t groups = 0;  // the first: from the submission of jobs to their masters
  Count runs = 0;
  Count maps = 0;
  struct Job {
    std::string name;
    Count total_maps = 0;
    std::vector<double> first_shuffles, reduces;
  };
  std::map<std::size_t, Job> jobs;  // by group
};

// How the processors are shared, and what a launch takes.
struct Guess {
  Count processors = 0;
  bool of_node = false;
  std::uint64_t work = 0;
  std::uint64_t master_work = 0;
};

Duration rounded(double value) {
  return ms(std::max<std::int64_t>(0, std::llround(value)));
}

// The value that a quarter of them do not exceed; 0 of nothing.
double soonest_quarter(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

class Collector {
 public:
  // `masters`: from a submission to a master that did not wait for room; none with slots.
  explicit Collector(std::optional<Duration> masters) : masters_(masters) {}

  void add(const JobRun& run) {
    if (!run.submit) return;
    ++seen_.runs;
    const std::size_t group = group_of(run);
    add_reduces(run,
                seen_.jobs.try_emplace(group, Observed::Job{run.name, run.total_maps, {}, {}}).first->second);
    const Plausible plausible(run);
    for (const TaskRun& task : run.tasks) {
      for (const Attempt& attempt : task.attempts) {
        if (!attempt.start) continue;
        Launch launch{instant(*attempt.start), node_of(attempt.node), false, std::nullopt};
        if (task.kind == TaskKind::map && &attempt == winner(task) && plausible.possible(attempt)) {
          launch.sample = {group, static_cast<double>(to_ms(*attempt.finish - *attempt.start))};
          ++seen_.maps;
        }
        seen_.launches.push_back(launch);
      }
    }
    if (!masters_ || !run.launch || *run.launch < *run.submit) return;
    // Where it waited for room it began later; that lasted as long as with those that did not wait.
    const std::int64_t length = to_ms(*run.launch - *run.submit);
    Launch launch{instant(*run.launch - std::min(ms(length), *masters_)), node_of(""), true, std::nullopt};
    if (ms(length) <= *masters_) launch.sample = {std::size_t{0}, static_cast<double>(length)};
    seen_.launches.push_back(launch);
  }

  Observed take() {
    std::sort(seen_.launches.begin(), seen_.launches.end(),
              [](const Launch& a, const Launch& b) { return a.at < b.at; });
    const std::uint64_t first = seen_.launches.empty() ? 0 : seen_.launches.front().at;
    for (Launch& each : seen_.launches) each.at -= first;
    seen_.nodes = nodes_.size();
    seen_.groups = groups_.size() + 1;
    return std::move(seen_);
  }

 private:
  static void add_reduces(const JobRun& run, Observed::Job& job) {
    for (const TaskTime& time : task_times(run)) {
      if (!time.possible || !time.reduce) continue;
      job.reduces.push_back(static_cast<double>(to_ms(*time.reduce)));
      if (time.first_wave && time.shuffle)
        job.first_shuffles.push_back(static_cast<double>(to_ms(*time.shuffle)));
    }
  }
  static std::uint64_t instant(Time time) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_ms(time)));
  }
  std::size_t node_of(const std::string& name) {
    return nodes_.try_emplace(name, nodes_.size()).first->second;
  }
  std::size_t group_of(const JobRun& run) {
    return groups_.try_emplace({run.name, run.total_maps}, groups_.size() + 1).first->second;
  }

  std::optional<Duration> masters_;
  Observed seen_;
  std::map<std::string, std::size_t> nodes_;
  std::map<std::pair<std::string, Count>, std::size_t> groups_;
};

// How long each launch takes, in their order.
std::vector<double> lengths(const Observed& seen, const Guess& guess) {
  std::vector<double> took(seen.launches.size(), 0);
  if (guess.processors == 0) return took;
  sim::LaunchQueue queue(guess.processors, guess.of_node ? seen.nodes : 1);
  std::map<sim::LaunchQueue::Id, std::size_t> which;
  const auto pass = [&](std::uint64_t now) {
    queue.run(now, [&](sim::LaunchQueue::Id id) {
      const std::size_t index = which.at(id);
      took[index] = static_cast<double>(now - seen.launches[index].at);
    });
  };
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const Launch& launch = seen.launches[i];
    while (queue.next() <= launch.at) pass(queue.next());
    const std::uint64_t work = launch.master ? guess.master_work : guess.work;
    if (work == 0) continue;
    which[queue.enter(guess.of_node ? launch.node : 0, launch.at, work, launch.at)] = i;
  }
  while (queue.next() != sim::LaunchQueue::never) pass(queue.next());
  return took;
}

struct Spread {
  double maps = 0;     // mean distance from the median of the group
  double masters = 0;  // likewise, of the first group
};

Spread spread_of(const Observed& seen, const Guess& guess) {
  const std::vector<double> took = lengths(seen, guess);
  std::vector<std::vector<double>> groups(seen.groups);
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const auto& sample = seen.launches[i].sample;
    if (sample) groups[sample->first].push_back(sample->second - took[i]);
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

// The argument from 0 to `longest_launch` for which `cost` is least: by steps that become finer.
template <class Cost>
std::uint64_t least(Cost cost) {
  std::uint64_t best = 0;
  double lowest = cost(best);
  std::uint64_t from = 0, to = longest_launch;
  for (const std::uint64_t step : {500U, 100U, 20U}) {
    for (std::uint64_t at = from; at <= to; at += step) {
      const double value = cost(at);
      if (value < lowest) {
        lowest = value;
        best = at;
      }
    }
    from = best > step ? best - step : 0;
    to = best + step;
  }
  return best;
}

// The best guess for so many processors, and the spread of maps that it leaves.
std::pair<Guess, Spread> fit(const Observed& seen, Guess guess, bool masters) {
  for (int round = 0; round < (masters ? 2 : 1); ++round) {
    guess.work = least([&](std::uint64_t work) {
      Guess other = guess;
      other.work = work;
      if (round == 0) other.master_work = work;  // no better is known yet
      return spread_of(seen, other).maps;
    });
    if (!masters) break;
    guess.master_work = least([&](std::uint64_t work) {
      Guess other = guess;
      other.master_work = work;
      const Spread spread = spread_of(seen, other);
      return spread.maps + spread.masters;
    });
  }
  return {guess, spread_of(seen, guess)};
}

// Setup and cleanup belong to what is learnt.
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

// Of the first requests, which a heartbeat of a node answers, half a period later on average. A job that
// waits for room says nothing of its start, so that the soonest quarter of jobs count.
Duration learn_start(std::span<const JobRun> runs, const Cluster& cluster, const Observed& seen,
                     const Guess& guess) {
  const double half_beat = static_cast<double>(to_ms(cluster.mode.heartbeat)) / 2;
  const bool masters = cluster.mode.kind == ClusterMode::Kind::containers;
  std::vector<double> first;
  for (const JobRun& run : runs) {
    const std::optional<Time> began = first_start(run), from = masters ? run.launch : run.submit;
    if (began && from && *began >= *from) first.push_back(static_cast<double>(to_ms(*began - *from)));
  }
  if (!masters) return rounded(soonest_quarter(first) - half_beat);
  // A master waits for a heartbeat, is launched and initialises; what it is given it fetches at its own next
  // heartbeat.
  const std::vector<double> took = lengths(seen, guess);
  std::vector<double> up;
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    if (seen.launches[i].master && seen.launches[i].sample)
      up.push_back(seen.launches[i].sample->second - took[i]);
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

std::vector<NetLengths> net_lengths(const Observed& seen, const Guess& guess) {
  const std::vector<double> took = lengths(seen, guess);
  std::vector<std::vector<double>> maps(seen.groups);
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const auto& sample = seen.launches[i].sample;
    if (sample) maps[sample->first].push_back(sample->second - took[i]);
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

Observed observe(std::span<const JobRun> runs, bool masters) {
  std::vector<const JobRun*> newest;
  for (const JobRun& run : runs) newest.push_back(&run);
  std::sort(newest.begin(), newest.end(),
            [](const JobRun* a, const JobRun* b) { return a->submit > b->submit; });
  std::vector<double> up;
  for (const JobRun* run : newest) {
    if (run->submit && run->launch && *run->launch >= *run->submit)
      up.push_back(static_cast<double>(to_ms(*run->launch - *run->submit)));
  }
  Collector collector(masters ? std::optional(rounded(soonest_quarter(up))) : std::nullopt);
  std::size_t launches = 0;
  for (const JobRun* run : newest) {
    for (const TaskRun& task : run->tasks) launches += task.attempts.size();
    if (launches > most_launches && run != newest.front()) break;
    collector.add(*run);
  }
  return collector.take();
}

// What is known of the processors is not sought.
std::vector<Guess> starts(const Launches& known) {
  if (known.processors > 0) return {{known.processors, known.of_node}};
  std::vector<Guess> all;
  for (const bool of_node : {false, true}) {
    for (const Count processors : {1, 2, 3, 4, 6, 8, 16}) all.push_back({processors, of_node});
  }
  return all;
}

}  // namespace

Overheads learn_overheads(std::span<const JobRun> runs, const Cluster& cluster) {
  const bool masters = cluster.mode.kind == ClusterMode::Kind::containers;
  const Observed seen = observe(runs, masters);
  if (seen.maps == 0) throw UsageError("none of these runs has maps to learn from", "name other jobs");
  Overheads learnt;
  learnt.runs = seen.runs;
  learnt.maps = seen.maps;
  Guess best;
  Spread lowest = spread_of(seen, best);
  learnt.spread = lowest.maps;
  const double enough = std::min(lowest.maps * (1 - least_gain), lowest.maps - least_gain_ms);
  for (const Guess& start : starts(cluster.launches)) {
    const auto [guess, spread] = fit(seen, start, masters);
    if (spread.maps > enough || spread.maps >= lowest.maps) continue;
    best = guess;
    lowest = spread;
  }
  learnt.spread_without_launch = lowest.maps;
  learnt.launches = {ms(static_cast<std::int64_t>(best.work)),
                     ms(static_cast<std::int64_t>(best.master_work)), best.processors, best.of_node};
  learnt.jobs = net_lengths(seen, best);
  learnt.master_start = learn_start(runs, cluster, seen, best);
  learnt.master_finish = learn_finish(runs);
  return learnt;
}

void apply(const Overheads& overheads, Cluster& cluster) {
  cluster.launches = overheads.launches;
  cluster.masters.start = overheads.master_start;
  cluster.masters.finish = overheads.master_finish;
}

}  // namespace wavewright
