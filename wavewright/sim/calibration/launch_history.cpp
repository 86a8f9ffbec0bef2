#include "wavewright/sim/calibration/launch_history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>

#include "wavewright/history/sanity_checks.h"
#include "wavewright/profile/robust.h"
#include "wavewright/profile/task_times.h"
#include "wavewright/sim/kernel/launch_queue.h"

namespace wavewright::sim {

namespace {

// Start of the work: the launch of a map, the end of the merge of a reduce.
std::optional<Time> works_from(TaskKind kind, const Attempt& attempt) {
  if (kind == TaskKind::map) return attempt.start;
  if (kind == TaskKind::reduce) return attempt.sort_finish ? attempt.sort_finish : attempt.shuffle_finish;
  return std::nullopt;
}

// Processor time of the run's tasks, ms; empty if the run does not contain it.
std::optional<double> processor_time(const JobRun& run) {
  const auto counter = std::find_if(run.counters.begin(), run.counters.end(), [](const auto& each) {
    return each.first.ends_with("/CPU_MILLISECONDS");
  });
  return counter == run.counters.end() ? std::nullopt : std::optional(static_cast<double>(counter->second));
}

class Collector {
 public:
  // `masters`: time from a submission to a master that did not wait for room; none with slots.
  Collector(std::optional<Duration> masters, const RunSet& bound) : masters_(masters), bound_(bound) {}

  void add(const JobRun& run) {
    if (!run.submit) return;
    ++seen_.runs;
    const std::size_t group = group_of(run, TaskKind::map);
    add_reduces(
        run,
        seen_.jobs.try_emplace(group, ObservedLaunches::Job{run.name, run.total_maps, {}, {}}).first->second);
    add_attempts(run, group);
    seen_.launches.push_back({.at = instant(*run.submit), .client = true});
    if (!masters_ || !run.launch || *run.launch < *run.submit) return;
    // A master that waited for room began later; its launch took as long as that of the others.
    const std::int64_t length = to_ms(*run.launch - *run.submit);
    ObservedLaunch launch{
        .at = instant(*run.launch - std::min(ms(length), *masters_)), .node = node_of(""), .master = true};
    if (ms(length) <= *masters_) launch.sample = {std::size_t{0}, static_cast<double>(length)};
    seen_.launches.push_back(launch);
  }

  ObservedLaunches take() {
    std::sort(seen_.launches.begin(), seen_.launches.end(),
              [](const ObservedLaunch& a, const ObservedLaunch& b) { return a.at < b.at; });
    const std::uint64_t first = seen_.launches.empty() ? 0 : seen_.launches.front().at;
    for (ObservedLaunch& each : seen_.launches) {
      for (std::uint64_t* const at :
           {&each.at, each.works_from ? &*each.works_from : nullptr,
            each.works_until ? &*each.works_until : nullptr, each.over_by ? &*each.over_by : nullptr}) {
        if (at != nullptr) *at -= first;
      }
    }
    seen_.nodes = nodes_.size();
    seen_.groups = groups_.size() + 1;
    return std::move(seen_);
  }

 private:
  void add_attempts(const JobRun& run, std::size_t group) {
    const SanityChecks checks(run);
    const bool bound = bound_.contains(&run);
    bool complete = true;
    for (const TaskRun& task : run.tasks) {
      const bool its_work = works(task.kind);
      bool has_length = false;
      for (const Attempt& attempt : task.attempts) {
        if (!attempt.start) continue;
        ObservedLaunch launch{.at = instant(*attempt.start),
                              .node = node_of(attempt.node),
                              .run = &run,
                              .attempt = &attempt,
                              .run_number = seen_.processor_time.size()};
        if (checks.possible(attempt)) {
          if (const auto by = launched_by(task.kind, attempt)) launch.over_by = instant(*by);
          if (bound) add_work(task.kind, launch);
          if (its_work && &attempt == winner(task)) {
            launch.length = static_cast<double>(to_ms(*attempt.finish - *attempt.start));
            add_sample(task.kind, checks, group, run, launch);
            has_length = true;
          }
        }
        seen_.launches.push_back(launch);
      }
      complete = complete && (has_length || !its_work);
    }
    seen_.processor_time.push_back(complete ? processor_time(run).value_or(0) : 0);
  }
  void add_sample(TaskKind kind, const SanityChecks& checks, std::size_t group, const JobRun& run,
                  ObservedLaunch& launch) {
    const Attempt& attempt = *launch.attempt;
    if (kind == TaskKind::map) {
      launch.sample = {group, *launch.length};
      ++seen_.maps;
    } else if (kind == TaskKind::reduce && attempt.shuffle_finish && checks.maps_done() &&
               *attempt.start >= *checks.maps_done()) {
      const Duration launched_and_fetched = *attempt.shuffle_finish - *attempt.start;
      launch.sample = {group_of(run, TaskKind::reduce), static_cast<double>(to_ms(launched_and_fetched))};
    }
  }
  static void add_reduces(const JobRun& run, ObservedLaunches::Job& job) {
    for (const TaskTime& time : task_times(run)) {
      if (!time.possible || !time.reduce) continue;
      job.reduces.push_back(static_cast<double>(to_ms(*time.reduce)));
      if (time.first_wave && time.shuffle)
        job.first_shuffles.push_back(static_cast<double>(to_ms(*time.shuffle)));
    }
  }
  static void add_work(TaskKind kind, ObservedLaunch& launch) {
    const Attempt& attempt = *launch.attempt;
    const std::optional<Time> from = works_from(kind, attempt);
    if (!from || !attempt.finish || *attempt.finish < *from) return;
    launch.works_from = instant(*from);
    launch.works_until = instant(*attempt.finish);
  }
  static std::uint64_t instant(Time time) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_ms(time)));
  }
  std::size_t node_of(const std::string& name) {
    return nodes_.try_emplace(name, nodes_.size()).first->second;
  }
  std::size_t group_of(const JobRun& run, TaskKind kind) {
    return groups_.try_emplace({run.name, run.total_maps, kind}, groups_.size() + 1).first->second;
  }

  std::optional<Duration> masters_;
  const RunSet& bound_;
  ObservedLaunches seen_;
  std::map<std::string, std::size_t> nodes_;
  std::map<std::tuple<std::string, Count, TaskKind>, std::size_t> groups_;
};

}  // namespace

bool works(TaskKind kind) {
  return kind == TaskKind::map || kind == TaskKind::reduce;
}

std::optional<Time> first_start(const JobRun& run) {
  std::optional<Time> first;
  for (const TaskRun& task : run.tasks) {
    if (!works(task.kind)) continue;
    for (const Attempt& attempt : task.attempts) {
      if (attempt.start) first = std::min(first.value_or(*attempt.start), *attempt.start);
    }
  }
  return first;
}

std::optional<Time> launched_by(TaskKind kind, const Attempt& attempt) {
  if (kind == TaskKind::map) return attempt.finish;
  if (kind != TaskKind::reduce) return std::nullopt;  // setup and cleanup last no longer than a launch
  if (attempt.shuffle_finish) return attempt.shuffle_finish;
  return attempt.sort_finish ? attempt.sort_finish : attempt.finish;
}

ObservedLaunches observe_launches(std::span<const JobRun> runs, bool masters, std::size_t most,
                                  const RunSet& bound) {
  std::vector<const JobRun*> newest;
  for (const JobRun& run : runs) newest.push_back(&run);
  std::sort(newest.begin(), newest.end(),
            [](const JobRun* a, const JobRun* b) { return a->submit > b->submit; });
  std::vector<double> up;
  for (const JobRun* run : newest) {
    if (run->submit && run->launch && *run->launch >= *run->submit)
      up.push_back(static_cast<double>(to_ms(*run->launch - *run->submit)));
  }
  Collector collector(masters ? std::optional(ms(std::llround(soonest_quarter(up)))) : std::nullopt, bound);
  std::size_t launches = 0;
  for (const JobRun* run : newest) {
    for (const TaskRun& task : run->tasks) launches += task.attempts.size();
    if (launches > most && run != newest.front()) break;
    collector.add(*run);
  }
  return collector.take();
}

namespace {

// Replays launches, and work up to its observed end, in a queue for processors.
class Sharing {
 public:
  Sharing(const ObservedLaunches& seen, const Launches& shared)
      : seen_(seen),
        shared_(shared),
        queue_(shared.processors, shared.of_node ? seen.nodes : 1),
        times_(seen.launches.size()),
        in_(seen.launches.size(), none),
        launched_(seen.launches.size(), false) {}

  std::vector<LaunchTime> run() {
    for (std::size_t i = 0; i < seen_.launches.size(); ++i) {
      const ObservedLaunch& launch = seen_.launches[i];
      pass_until(launch.at);
      if (launch.works_until) changes_.insert({*launch.works_until, i});
      const Duration its = launch.client   ? shared_.of_node ? Duration{} : shared_.submit_work
                           : launch.master ? shared_.master_work
                                           : shared_.work;
      const auto work = static_cast<std::uint64_t>(to_ms(its));
      if (work > 0) {
        enter(i, launch.at, work);
        if (launch.over_by) over_by_.insert({std::max(launch.at, *launch.over_by), i});
      } else if (launch.works_from) {
        changes_.insert({std::max(launch.at, *launch.works_from), i});
      }
    }
    pass_until(LaunchQueue::never);
    return std::move(times_);
  }

 private:
  static constexpr LaunchQueue::Id none = 0;
  static constexpr std::uint64_t endless = std::uint64_t{1} << 40;  // ms

  // Handles everything up to and at `instant`.
  void pass_until(std::uint64_t instant) {
    for (;;) {
      const std::uint64_t next = std::min({first_of(changes_), first_of(over_by_), queue_.next()});
      if (next == LaunchQueue::never || next > instant) return;
      queue_.run(next, [&](LaunchQueue::Id id) { launched(which_.at(id), next); });
      for (; first_of(over_by_) == next; over_by_.erase(over_by_.begin()))
        cut(over_by_.begin()->second, next);
      while (!changes_.empty() && changes_.begin()->first == next) {
        const std::size_t which = changes_.begin()->second;
        changes_.erase(changes_.begin());
        next == *seen_.launches[which].works_until ? end(which, next) : enter(which, next, endless);
      }
    }
  }
  void enter(std::size_t which, std::uint64_t now, std::uint64_t work) {
    const std::size_t pool = shared_.of_node ? seen_.launches[which].node : 0;
    in_[which] = queue_.enter(pool, now, work, now);
    which_[in_[which]] = which;
  }
  // Ends a launch that the guess makes too long.
  void cut(std::size_t which, std::uint64_t now) {
    if (in_[which] == none || launched_[which]) return;
    queue_.cancel(in_[which], now);
    times_[which].cut = true;
    launched(which, now);
  }
  void launched(std::size_t which, std::uint64_t now) {
    launched_[which] = true;
    const ObservedLaunch& launch = seen_.launches[which];
    in_[which] = none;
    times_[which].launch = static_cast<double>(now - launch.at);
    // With too long a guess of launches the attempt may be over already: then it does not work.
    if (launch.works_until && std::max(now, *launch.works_from) < *launch.works_until)
      changes_.insert({std::max(now, *launch.works_from), which});
  }
  void end(std::size_t which, std::uint64_t now) {
    if (in_[which] == none) return;
    const bool works = times_[which].launch > 0 || shared_.work == Duration{};
    if (!works) return;  // it is still in its launch
    times_[which].work =
        static_cast<double>(LaunchWork{endless} * launch_unit - queue_.left(in_[which], now)) /
        static_cast<double>(launch_unit);
    queue_.cancel(in_[which], now);
    in_[which] = none;
  }

  const ObservedLaunches& seen_;
  const Launches& shared_;
  LaunchQueue queue_;
  std::vector<LaunchTime> times_;
  std::vector<LaunchQueue::Id> in_;               // id in the queue, by launch
  std::map<LaunchQueue::Id, std::size_t> which_;  // launch, by id in the queue
  std::vector<bool> launched_;                    // by launch
  using Changes = std::set<std::pair<std::uint64_t, std::size_t>>;
  [[nodiscard]] static std::uint64_t first_of(const Changes& changes) {
    return changes.empty() ? LaunchQueue::never : changes.begin()->first;
  }
  Changes changes_;  // work that begins or ends
  Changes over_by_;  // launches that must be over
};

}  // namespace

std::vector<LaunchTime> launch_times(const ObservedLaunches& seen, const Launches& shared) {
  if (shared.processors == 0) return std::vector<LaunchTime>(seen.launches.size());
  return Sharing(seen, shared).run();
}

RunSet processor_bound(std::span<const JobRun> runs, bool masters, const Launches& shared) {
  RunSet bound;
  if (shared.processors == 0) return bound;
  for (const JobRun& run : runs) {
    if (processor_time(run)) bound.insert(&run);
  }
  // The fewer runs are bound, the more processor time each can have got: starts with all and removes runs.
  for (bool fewer = true; fewer && !bound.empty();) {
    const ObservedLaunches seen =
        observe_launches(runs, masters, std::numeric_limits<std::size_t>::max(), bound);
    const std::vector<LaunchTime> times = launch_times(seen, shared);
    std::unordered_map<const JobRun*, double> work;
    for (std::size_t i = 0; i < times.size(); ++i) work[seen.launches[i].run] += times[i].work;
    fewer = std::erase_if(bound, [&](const JobRun* run) {
              return work[run] == 0 || 2 * *processor_time(*run) < work[run];
            }) > 0;
  }
  return bound;
}

}  // namespace wavewright::sim
