#include "wavewright/sim/launch_history.h"

#include <algorithm>
#include <cmath>

#include "wavewright/history/plausible.h"
#include "wavewright/profile/robust.h"
#include "wavewright/profile/task_times.h"
#include "wavewright/sim/parts/launch_queue.h"

namespace wavewright::sim {

namespace {

class Collector {
 public:
  // `masters`: from a submission to a master that did not wait for room; none with slots.
  explicit Collector(std::optional<Duration> masters) : masters_(masters) {}

  void add(const JobRun& run) {
    if (!run.submit) return;
    ++seen_.runs;
    const std::size_t group = group_of(run);
    add_reduces(
        run,
        seen_.jobs.try_emplace(group, ObservedLaunches::Job{run.name, run.total_maps, {}, {}}).first->second);
    const Plausible plausible(run);
    for (const TaskRun& task : run.tasks) {
      for (const Attempt& attempt : task.attempts) {
        if (!attempt.start) continue;
        ObservedLaunch launch{instant(*attempt.start), node_of(attempt.node), false, &attempt, std::nullopt};
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
    ObservedLaunch launch{instant(*run.launch - std::min(ms(length), *masters_)), node_of(""), true, nullptr,
                          std::nullopt};
    if (ms(length) <= *masters_) launch.sample = {std::size_t{0}, static_cast<double>(length)};
    seen_.launches.push_back(launch);
  }

  ObservedLaunches take() {
    std::sort(seen_.launches.begin(), seen_.launches.end(),
              [](const ObservedLaunch& a, const ObservedLaunch& b) { return a.at < b.at; });
    const std::uint64_t first = seen_.launches.empty() ? 0 : seen_.launches.front().at;
    for (ObservedLaunch& each : seen_.launches) each.at -= first;
    seen_.nodes = nodes_.size();
    seen_.groups = groups_.size() + 1;
    return std::move(seen_);
  }

 private:
  static void add_reduces(const JobRun& run, ObservedLaunches::Job& job) {
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
  ObservedLaunches seen_;
  std::map<std::string, std::size_t> nodes_;
  std::map<std::pair<std::string, Count>, std::size_t> groups_;
};

}  // namespace

ObservedLaunches observe_launches(std::span<const JobRun> runs, bool masters, std::size_t most) {
  std::vector<const JobRun*> newest;
  for (const JobRun& run : runs) newest.push_back(&run);
  std::sort(newest.begin(), newest.end(),
            [](const JobRun* a, const JobRun* b) { return a->submit > b->submit; });
  std::vector<double> up;
  for (const JobRun* run : newest) {
    if (run->submit && run->launch && *run->launch >= *run->submit)
      up.push_back(static_cast<double>(to_ms(*run->launch - *run->submit)));
  }
  Collector collector(masters ? std::optional(ms(std::llround(soonest_quarter(up)))) : std::nullopt);
  std::size_t launches = 0;
  for (const JobRun* run : newest) {
    for (const TaskRun& task : run->tasks) launches += task.attempts.size();
    if (launches > most && run != newest.front()) break;
    collector.add(*run);
  }
  return collector.take();
}

std::vector<double> launch_lengths(const ObservedLaunches& seen, const Launches& shared) {
  std::vector<double> took(seen.launches.size(), 0);
  if (shared.processors == 0) return took;
  LaunchQueue queue(shared.processors, shared.of_node ? seen.nodes : 1);
  std::map<LaunchQueue::Id, std::size_t> which;
  const auto pass = [&](std::uint64_t now) {
    queue.run(now, [&](LaunchQueue::Id id) {
      const std::size_t index = which.at(id);
      took[index] = static_cast<double>(now - seen.launches[index].at);
    });
  };
  for (std::size_t i = 0; i < seen.launches.size(); ++i) {
    const ObservedLaunch& launch = seen.launches[i];
    while (queue.next() <= launch.at) pass(queue.next());
    const auto work = static_cast<std::uint64_t>(to_ms(launch.master ? shared.master_work : shared.work));
    if (work == 0) continue;
    which[queue.enter(shared.of_node ? launch.node : 0, launch.at, work, launch.at)] = i;
  }
  while (queue.next() != LaunchQueue::never) pass(queue.next());
  return took;
}

}  // namespace wavewright::sim
