// How a batch is served, in the terms that a search changes: in each stage a due time, steps and a cap of
// each job, and pools with their jobs.
//
// Of the jobs that may take a free slot the one with the least slack does: least is the due time less the
// longest of its tasks that have not started, which would end by then if it started no later. So a job with
// a long task to come goes before one that has only short ones left, and gives way in the middle once its
// long ones have started ("minimum slack time" of scheduling theory, task by task). Due times that lie
// further apart than any task is long are a plain order.
//
// A job may be served in steps: its last `width` tasks are due at its due time, as many before them `lead`
// earlier, those before these twice that, and so on. Of 67 tasks on 64 slots three have to be followed by
// others: with steps of 64 they start a task's length before the rest, while other jobs have the other slots.
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
    std::vector<std::uint32_t> cap;  // by job: tasks at once, 1 or more
    struct Steps {
      std::uint32_t width = uncapped;  // tasks, 1 or more
      std::int64_t lead = 0;           // ms, 0 or more

      friend bool operator==(const Steps&, const Steps&) = default;
    };
    std::vector<Steps> steps;  // by job

    // Of a job with so many tasks left, the longest of which is that long.
    [[nodiscard]] std::int64_t slack(JobIndex job, std::uint32_t tasks_left, std::int64_t longest) const {
      const Steps& own = steps[job];
      const std::int64_t plain = due[job] - longest;
      return tasks_left <= own.width ? plain : plain - own.lead * ((tasks_left - 1) / own.width);
    }
    // How many of them are of the same step.
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

// One pool, no caps, jobs in those orders. O(tasks).
[[nodiscard]] PriorityRule priority_rule_of_orders(const Workload& batch, SlotPool pool,
                                                   std::span<const JobIndex> maps,
                                                   std::span<const JobIndex> reduces);

// Of a plan for the batch: its pools, caps and orders; of turns only their order. O(tasks).
[[nodiscard]] PriorityRule priority_rule_of(const Plan& plan, const Workload& batch, SlotPool pool);

// Of each run of a job's tasks, the longest of them and those behind it, ms; later length. By run of `stage`.
[[nodiscard]] std::vector<std::int64_t> longest_left(const StageTasks& stage);

// Sets the plan's order, turns, pools and caps; not its values. O(tasks · log tasks).
void set_priority_rule(Plan& plan, const PriorityRule& rule, const Workload& batch);

}  // namespace wavewright
