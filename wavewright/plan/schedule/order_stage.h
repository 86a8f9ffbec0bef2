// One stage of a batch in an order of jobs: a free slot goes to the next task of the first ready job.
//
// It keeps a schedule, and schedules the orders of a search that differ from the kept one by a move. States
// of the kept schedule are saved on the way; a new schedule continues from the last state before the first
// decision that the move or a changed ready time may change.
//
// Gives the schedule of ListSchedule. Tests compare them, to the millisecond.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/plan/schedule/order_move.h"
#include "wavewright/plan/schedule/stage_slots.h"
#include "wavewright/plan/schedule/stage_tasks.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/kernel/number_set.h"

namespace wavewright {

template <class Slots>  // WaveSlots or SlotTree
class OrderStage {
 public:
  OrderStage(StageTasks tasks, Count slots);

  // Schedules and keeps an order of all jobs with these ready times by job, ms. O(schedule).
  void start(std::span<const JobIndex> order, std::span<const std::int64_t> ready);
  // Schedules the kept order with one move. `ready` may differ from the kept times only where both are at or
  // after `differ_from`. O(jobs + the part of the schedule that may change).
  void schedule(const OrderMove& move, std::span<const std::int64_t> ready, std::int64_t differ_from);
  // Keeps the last schedule. O(jobs + the part of the schedule that may have changed).
  void keep();

  // Of the last schedule: the end of each job's last task, ms; without tasks, its ready time.
  [[nodiscard]] std::span<const std::int64_t> ends() const { return now_.ends; }
  // Before the first instant returned, no end differs from the kept schedule's; `no_time` if none differs at
  // all. O(jobs).
  [[nodiscard]] std::int64_t ends_differ_from() const;

  [[nodiscard]] std::span<const JobIndex> kept_order() const { return kept_.order; }
  [[nodiscard]] std::size_t kept_position(JobIndex job) const { return kept_.position[job]; }
  [[nodiscard]] std::span<const std::int64_t> kept_ends() const { return kept_.ends; }
  [[nodiscard]] const StageTasks& tasks() const { return tasks_; }

 private:
  struct Ready {
    std::int64_t at = 0;  // ms
    JobIndex job = 0;
  };
  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;  // tasks of the run
    std::int64_t last = 0;   // latest end so far, ms
    bool begun = false;      // it is in State::begun
  };
  // Before a decision of a schedule.
  struct State {
    Slots slots;
    sim::NumberSet waiting;                               // positions of ready jobs with tasks left
    std::vector<std::pair<JobIndex, Cursor>> begun = {};  // jobs with tasks placed and tasks left
    std::int64_t clock = -1;                              // ms; -1 at the beginning
    std::size_t next = 0;                                 // the first of the jobs, by ready time, not ready
  };
  struct Schedule {
    std::vector<JobIndex> order;
    std::vector<std::uint32_t> position;  // by job
    std::vector<Ready> by_ready;          // jobs with tasks
    std::vector<std::int64_t> ends;       // by job, ms
  };

  void change(const OrderMove& move, std::span<const std::int64_t> ready);
  void sort_by_ready(std::int64_t differ_from);
  // `waiting` was copied from a set of positions in the kept order, `kept`.
  void reposition(sim::NumberSet& waiting, const sim::NumberSet& kept) const;
  void continue_from(const State& state);
  // Schedules what is left; with `saves`, saves states.
  template <bool saves>
  void run();
  void save();
  void yield(JobIndex job);   // it has tasks left
  void finish(JobIndex job);  // it has none

  StageTasks tasks_;
  std::vector<Cursor> first_;  // by job
  std::vector<JobIndex> without_tasks_;
  std::uint64_t tasks_of_state_ = 1;  // tasks placed between two saved states
  Schedule kept_, now_;
  ServingTimes times_;               // of the kept schedule
  std::vector<std::int64_t> ready_;  // of the last schedule, by job, ms
  std::vector<State> states_;        // of the kept schedule: the first `saved_`; states_[0] is its beginning
  std::size_t saved_ = 1;
  std::size_t continued_from_ = 0;  // of states_, by the last schedule
  std::size_t low_ = 0, high_ = 0;  // positions changed by the last move, from low_ up to, not with, high_
  State state_;                     // of the schedule in progress
  std::vector<Cursor> cursors_;     // by job, likewise
};

extern template class OrderStage<WaveSlots>;
extern template class OrderStage<SlotTree>;

}  // namespace wavewright
