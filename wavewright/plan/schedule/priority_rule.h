// A priority rule: due times, steps and caps of jobs in each stage, and pools with their jobs. Searches
// change these.
//
// A free slot goes to the job with the least slack among those that may take it. Slack = due time − length of
// the longest task that has not started: a task that starts no later ends by the due time. So a job with a
// long task left goes before a job with only short tasks left, and yields once its long tasks have started
// (minimum slack rule, task by task). Due times that differ by more than the longest task give a plain order.
//
// A job may be served in steps: its last `width` tasks are due at its due time, the `width` tasks before them
// `lead` earlier, the ones before those 2 · `lead` earlier, and so on. Example: a job has 67 tasks on 64
// slots, and three of them must be followed by others. With a width of 64 these three start one task's length
// before the rest, while other jobs use the other slots.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "wavewright/plan/schedule/stage_tasks.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct PriorityRule {
  static constexpr std::uint32_t uncapped = std::numeric_limits<std::uint32_t>::max();

  struct Stage {
    std::vector<std::int64_t> due;   // by job; ms, may be negative
    std::vector<std::uint32_t> cap;  // by job: most tasks at once, 1 or more
    struct Steps {
      std::uint32_t width = uncapped;  // tasks, 1 or more
      std::int64_t lead = 0;           // ms, 0 or more

      friend bool operator==(const Steps&, const Steps&) = default;
    };
    std::vector<Steps> steps;  // by job

    // The slack of a job with `tasks_left` tasks left, the longest of which takes `longest` ms.
    [[nodiscard]] std::int64_t slack(JobIndex job, std::uint32_t tasks_left, std::int64_t longest) const {
      const Steps& own = steps[job];
      const std::int64_t plain = due[job] - longest;
      return tasks_left <= own.width ? plain : plain - own.lead * ((tasks_left - 1) / own.width);
    }
    // The number of tasks left in the same step.
    [[nodiscard]] std::uint32_t of_step(JobIndex job, std::uint32_t tasks_left) const {
      const std::uint32_t width = steps[job].width;
      return tasks_left <= width ? tasks_left : (tasks_left - 1) % width + 1;
    }

    friend bool operator==(const Stage&, const Stage&) = default;
  };
  Stage maps, reduces;
  std::vector<SlotPool> pools;         // one or more
  std::vector<std::uint32_t> pool_of;  // by job

  [[nodiscard]] std::size_t jobs() const { return pool_of.size(); }
  friend bool operator==(const PriorityRule&, const PriorityRule&) = default;
};

// The rule with one pool, no caps, and jobs in these orders. O(tasks).
[[nodiscard]] PriorityRule priority_rule_of_orders(const Workload& batch, SlotPool pool,
                                                   std::span<const JobIndex> maps,
                                                   std::span<const JobIndex> reduces);

// The rule of a plan for the batch: its pools, caps and orders; its turns are ignored. O(tasks).
[[nodiscard]] PriorityRule priority_rule_of(const Plan& plan, const Workload& batch, SlotPool pool);

// By run of `stage`: the longest task of this run and the job's later ones, ms, with later-wave shuffles.
[[nodiscard]] std::vector<std::int64_t> longest_left(const StageTasks& stage);

// Sets the plan's order, turns, pools and caps; not its values. O(tasks · log tasks).
void set_priority_rule(Plan& plan, const PriorityRule& rule, const Workload& batch);

}  // namespace wavewright
