// Small worlds, and the least energy of all schedules in steps: for tests that hold bounds and searches
// against it.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/power.h"

namespace wavewright {

inline constexpr int small_steps = 12, small_step_ms = 1'000;

struct SmallWorld {
  Workload workload;
  Cluster cluster;
};

// One machine a row. Machines for rent need no time to boot, but join 1 ms after they are asked for: jobs are
// later by that.
inline SmallWorld some_small_world() {
  SmallWorld small;
  const int rows = *rc::gen::inRange(1, 4);
  for (int row = 0; row < rows; ++row) {
    NodeGroup group;
    group.node_class = fmt::format("c{}", row);
    group.slots = {*rc::gen::inRange(row == 0 ? 1 : 0, 3), *rc::gen::inRange(row == 0 ? 1 : 0, 2)};
    group.speed = *rc::gen::element(1.0, 2.0);
    group.rent = row > 0 && *rc::gen::arbitrary<bool>();
    NodeClass& of = small.cluster.classes[group.node_class];
    of.off_w = *rc::gen::inRange(0, 4);
    group.power_idle_w = of.off_w + *rc::gen::inRange(0, 30);
    group.power_busy_w = group.power_idle_w;
    of.wake_j = *rc::gen::inRange(0, 30);
    of.map_w = *rc::gen::inRange(0, 40);
    of.reduce_w = *rc::gen::inRange(0, 40);
    of.drawn_by = *rc::gen::element(DrawnBy::task, DrawnBy::task, DrawnBy::node);
    small.cluster.nodes.push_back(group);
  }
  int tasks = 0;
  for (const char* const id : {"A", "B"}) {
    std::vector<int> maps, reduces;
    for (int n = *rc::gen::inRange(1, 3); n > 0 && tasks < 3; --n, ++tasks)
      maps.push_back(*rc::gen::inRange(1, 3) * 2 * small_step_ms);
    if (tasks < 3 && *rc::gen::arbitrary<bool>()) {
      reduces.push_back(*rc::gen::inRange(1, 3) * 2 * small_step_ms);
      ++tasks;
    }
    if (maps.empty()) continue;
    Job job = job_of(id, maps, reduces, *rc::gen::inRange(0, 3) * small_step_ms + 1);
    if (*rc::gen::arbitrary<bool>())
      job.deadline = at_ms(*rc::gen::inRange(3, small_steps + 1) * small_step_ms + 1);
    if (*rc::gen::inRange(0, 3) == 0) {
      job.classes["c1"] = {*rc::gen::element(1.0, 2.0), 1, *rc::gen::element(0.5, 2.0),
                           *rc::gen::element<std::optional<double>>(std::nullopt, 3)};
    }
    small.workload.jobs.push_back(job);
  }
  return small;
}

// Tries all rows and starts of all tasks, and the best times to switch machines.
class EverySchedule {
 public:
  explicit EverySchedule(const SmallWorld& small) : small_(small), power_(small.cluster) {
    for (std::size_t job = 0; job < small.workload.jobs.size(); ++job) {
      const Job& of = small.workload.jobs[job];
      for (const Duration map : of.maps)
        tasks_.push_back({job, 0, static_cast<int>(to_ms(map)) / small_step_ms});
      for (const Duration reduce : of.reduces)
        tasks_.push_back({job, 1, static_cast<int>(to_ms(reduce)) / small_step_ms});
    }
    maps_done_.assign(small.workload.jobs.size(), 0);
    rows_.resize(small.cluster.nodes.size());
    place(0, 0);
  }
  std::optional<MicroJoules> best;

 private:
  struct Task {
    std::size_t job;
    std::size_t kind;
    int length;  // at speed 1
  };
  struct Row {
    std::array<std::array<int, 2>, small_steps> used{};
    std::array<std::array<std::vector<Milliwatts>, 2>, small_steps> powers;
  };
  [[nodiscard]] int length(const Task& task, std::size_t row) const {
    const NodeGroup& group = small_.cluster.nodes[row];
    const auto& classes = small_.workload.jobs[task.job].classes;
    const auto own = classes.find(group.node_class);
    return static_cast<int>(task.length /
                            (own == classes.end() ? group.speed : own->second.speed.value_or(group.speed)));
  }
  void place(std::size_t at, int makespan) {
    if (at == tasks_.size()) return finish(makespan);
    const Task& task = tasks_[at];
    const Job& job = small_.workload.jobs[task.job];
    const int from =
        task.kind == 0 ? static_cast<int>(to_ms(job.submit)) / small_step_ms : maps_done_[task.job];
    const int due = job.deadline ? static_cast<int>(to_ms(*job.deadline)) / small_step_ms : small_steps;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const SlotPool& slots = small_.cluster.nodes[row].slots;
      const Count most = task.kind == 0 ? slots.map_slots : slots.reduce_slots;
      const int time = length(task, row);
      const Milliwatts power =
          power_.task(row, task.kind == 0 ? PoweredKind::map : PoweredKind::reduce, 0, &job);
      for (int start = from; start + time <= std::min(due, small_steps); ++start) {
        bool free = true;
        for (int t = start; t < start + time; ++t) free = free && used(row, t, task.kind) < most;
        if (!free) continue;
        const int was = maps_done_[task.job];
        if (task.kind == 0) maps_done_[task.job] = std::max(was, start + time);
        for (int t = start; t < start + time; ++t) {
          ++used(row, t, task.kind);
          powers(row, t, task.kind).push_back(power);
        }
        place(at + 1, std::max(makespan, start + time));
        for (int t = start; t < start + time; ++t) {
          --used(row, t, task.kind);
          powers(row, t, task.kind).pop_back();
        }
        maps_done_[task.job] = was;
      }
    }
  }
  int& used(std::size_t row, int t, std::size_t kind) {
    return rows_[row].used[static_cast<std::size_t>(t)][kind];
  }
  std::vector<Milliwatts>& powers(std::size_t row, int t, std::size_t kind) {
    return rows_[row].powers[static_cast<std::size_t>(t)][kind];
  }
  void finish(int makespan) {
    MicroJoules sum = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const NodePower& power = power_.of_row(row);
      sum += small_.cluster.nodes[row].rent ? switched(row, power, makespan)
                                            : power.idle * (makespan * small_step_ms + 1);
      for (int t = 0; t < makespan; ++t) {
        Milliwatts all = 0, most = 0;
        for (std::size_t kind = 0; kind < 2; ++kind) {
          for (const Milliwatts each : powers(row, t, kind)) {
            all += each;
            most = std::max(most, each);
          }
        }
        sum += small_step_ms * (power.drawn_by == DrawnBy::node ? most : all);
      }
    }
    if (!best || sum < *best) best = sum;
  }
  // The least of on and off, step by step.
  MicroJoules switched(std::size_t row, const NodePower& power, int makespan) {
    constexpr MicroJoules never = MicroJoules{1} << 50;
    MicroJoules off = power.off, on = never;  // the first millisecond
    for (int t = 0; t < makespan; ++t) {
      const MicroJoules now_on = std::min(on, off + power.wake) + power.idle * small_step_ms;
      const bool busy = used(row, t, 0) + used(row, t, 1) > 0;
      off = busy ? never : std::min(on, off) + power.off * small_step_ms;
      on = now_on;
    }
    return std::min(on, off);
  }

  const SmallWorld& small_;
  PowerModel power_;
  std::vector<Task> tasks_;
  std::vector<int> maps_done_;
  std::vector<Row> rows_;
};

}  // namespace wavewright
