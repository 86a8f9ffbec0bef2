#include "wavewright/cloud/bound/stage_windows.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

double in_ms(Duration time) {
  return static_cast<double>(to_ms(time));
}
double in_ms(Time time) {
  return static_cast<double>(to_ms(time));
}

// How fast a job's tasks can be on the cluster's nodes.
struct Pace {
  double speed = 0;        // of one task, at most
  double gain = 0;         // work done per unit of a slot's own speed, at most
  double launch_rate = 0;  // least slot speed that a task's launch and shuffle take
  double fastest = 0;      // node
  bool exact = true;       // every length is a whole number of ms without rounding
};

Pace pace_of(const Job& job, const Cluster& cluster) {
  Pace pace;
  for (const NodeGroup& group : cluster.nodes) {
    const auto own = job.classes.find(group.node_class);
    const double speed = own == job.classes.end() ? group.speed : own->second.speed.value_or(group.speed);
    const double together = own == job.classes.end() ? 1 : own->second.parallelism;
    const bool first = pace.fastest == 0;
    pace.speed = std::max(pace.speed, speed);
    pace.gain = std::max(pace.gain, speed * together / group.speed);
    const double launch = group.speed / together;
    pace.launch_rate = first ? launch : std::min(pace.launch_rate, launch);
    pace.fastest = std::max(pace.fastest, group.speed);
    pace.exact = pace.exact && speed == 1;
  }
  return pace;
}

struct Stage {
  double longest = 0;
  StageWindow window;
};

// `length(i)`: the least length of a task in ms, on a node of speed 1; `fixed(i)`: ms besides, at any speed.
template <class Length, class Fixed>
Stage stage_of(std::size_t tasks, Length length, Fixed fixed, const Pace& pace) {
  // Lengths are rounded to whole ms, and factors to 2^-43 (core/factor.h).
  const auto rounding = [&](double ms) { return pace.exact ? 0 : ms * 0x1p-38 + 0.5; };
  Stage stage;
  for (std::size_t i = 0; i < tasks; ++i) {
    const double ms = length(i), besides = fixed(i);
    stage.longest = std::max(stage.longest, besides + std::max(0.0, ms / pace.speed - rounding(ms)));
    stage.window.work +=
        besides * pace.launch_rate + std::max(0.0, ms / pace.gain - pace.fastest * rounding(ms));
  }
  stage.window.rate = static_cast<double>(tasks) *
                      std::max(pace.speed / pace.gain * (pace.exact ? 1 : 1 + 1e-6), pace.launch_rate);
  return stage;
}

// The first instant at which there is a slot of the kind.
double first_slot(const Cluster& cluster, Count SlotPool::* kind) {
  double first = std::numeric_limits<double>::infinity();
  for (const NodeGroup& group : cluster.nodes) {
    if (group.slots.*kind == 0) continue;
    first = std::min(first, group.rent ? std::max(1.0, in_ms(group.boot)) : in_ms(group.join));
  }
  return std::isinf(first) ? 0 : first;
}

}  // namespace

StageWindows::StageWindows(const Workload& workload, const Cluster& cluster)
    : workload_(workload),
      cluster_(cluster),
      precedence_(workload),
      lengths_(workload.jobs.size()),
      order_(precedence_.in_order(workload.jobs.size())) {
  const double first_map = first_slot(cluster, &SlotPool::map_slots);
  const double first_reduce = first_slot(cluster, &SlotPool::reduce_slots);
  const double launch = in_ms(cluster.mode.launch);
  for (const std::uint32_t index : order_) {
    const Job& job = workload.jobs[index];
    const Pace pace = pace_of(job, cluster);
    Lengths& of = lengths_[index];
    const Stage maps = stage_of(
        job.maps.size(), [&](std::size_t i) { return in_ms(job.maps[i]); },
        [&](std::size_t) { return launch; }, pace);
    const bool carried = cluster.network.shuffle && job.shuffled;
    // With slow-start below 1 a reduce may have been launched before the last map ends. A shuffle takes its
    // time whatever the node's speed.
    const double launch_after = cluster.mode.slowstart < 1 ? 0 : launch;
    const Stage reduces = stage_of(
        job.reduces.size(), [&](std::size_t i) { return in_ms(job.reduces[i]); },
        [&](std::size_t i) {
          return launch_after + (carried ? 0 : in_ms(job.least_reduce(i) - job.reduces[i]));
        },
        pace);
    of.start = in_ms(job.submit);
    for (const std::uint32_t before : precedence_.predecessors(index))
      of.start = std::max(of.start, in_ms(earliest_end(before)));
    of.head = of.start + in_ms(cluster.masters.start);
    if (!job.maps.empty()) of.head = std::max(of.head, first_map);
    of.least_map = maps.longest;
    of.least_reduce = reduces.longest;
    of.maps = maps.window;
    of.reduces = reduces.window;
    of.reduces.from = of.head + of.least_map;
    if (!job.reduces.empty()) of.reduces.from = std::max(of.reduces.from, first_reduce);
  }
}

Time StageWindows::earliest_end(JobIndex job) const {
  const Lengths& of = lengths_.at(job);
  const double end = of.reduces.from + of.least_reduce + in_ms(cluster_.masters.finish);
  return at_ms(static_cast<std::int64_t>(std::floor(end)));
}

double StageWindows::latest_start(JobIndex job, double latest_end) const {
  const Lengths& of = lengths_[job];
  return latest_end - in_ms(cluster_.masters.finish) - of.least_reduce - of.least_map -
         in_ms(cluster_.masters.start);
}

void StageWindows::set_windows(JobIndex job, double latest_end, JobWindows& windows) const {
  const Lengths& of = lengths_[job];
  windows.needed = true;
  windows.maps = of.maps;
  windows.reduces = of.reduces;
  windows.maps.from = of.head;
  windows.reduces.to = latest_end - in_ms(cluster_.masters.finish);
  windows.maps.to = windows.reduces.to - of.least_reduce;
}

std::vector<JobWindows> StageWindows::windows(const std::vector<bool>& in_time) const {
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<JobWindows> all(lengths_.size());
  std::vector<double> latest(lengths_.size(), never);
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    const std::uint32_t job = *at;
    bool needed = in_time[job];
    if (needed && workload_.jobs[job].deadline) latest[job] = in_ms(*workload_.jobs[job].deadline);
    for (const std::uint32_t next : precedence_.successors(job)) {
      if (!all[next].needed) continue;
      needed = true;
      latest[job] = std::min(latest[job], latest_start(next, latest[next]));
    }
    if (needed) set_windows(job, latest[job], all[job]);
  }
  return all;
}

std::vector<ImpossibleDeadline> impossible_deadlines(const Workload& workload, const Cluster& cluster) {
  std::vector<ImpossibleDeadline> impossible;
  if (cluster.mode.kind != ClusterMode::Kind::slots) return impossible;
  const StageWindows windows(workload, cluster);
  for (JobIndex job = 0; job < workload.jobs.size(); ++job) {
    const std::optional<Time>& deadline = workload.jobs[job].deadline;
    const Time earliest = windows.earliest_end(job);
    if (deadline && *deadline < earliest) impossible.push_back({job, earliest});
  }
  return impossible;
}

}  // namespace wavewright
