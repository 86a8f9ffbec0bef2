// Values of pairs of orders of a workflow without the simulator: list_schedule.h for jobs that wait for
// others (`after`). Both stages advance together, because the end of a job may release maps of another job.
// Events are arrivals of jobs, ends of all maps of a job, and ends of jobs.
//
// Neighbouring tasks of equal length are placed as waves. Tests compare values with the simulator's, to 1 ms.
//
// A schedule may be made in parts, its state saved in between, and continued in other orders: a search need
// not begin from the start again (plan/schedule/moved_orders.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/job/precedence.h"
#include "wavewright/plan/schedule/order_move.h"
#include "wavewright/plan/schedule/stage_slots.h"
#include "wavewright/plan/schedule/stage_tasks.h"
#include "wavewright/plan/value.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/kernel/number_set.h"

namespace wavewright {

class WorkflowSchedule {
 private:
  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;  // tasks of the run
    std::int64_t last = 0;   // last end of the tasks placed so far
    bool begun = false;      // a task is placed
  };
  struct Event {
    enum Kind : std::uint8_t { arrival, maps_done, done };
    std::int64_t at = 0;
    JobIndex job = 0;
    Kind kind = arrival;
  };
  // A queue, first instant first. It is short, and most events are put in near its end.
  class Events {
   public:
    void clear() {
      events_.clear();
      head_ = 0;
    }
    [[nodiscard]] std::int64_t next() const { return head_ == events_.size() ? no_time : events_[head_].at; }
    Event pop() {
      const Event event = events_[head_];
      if (++head_ == events_.size()) clear();
      return event;
    }
    // O(events that come later).
    void push(const Event& event) {
      std::size_t at = events_.size();
      events_.push_back(event);
      for (; at > head_ && events_[at - 1].at > event.at; --at) events_[at] = events_[at - 1];
      events_[at] = event;
    }
    // The events of others. Allocates only where it never held as many.
    void take(const Events& others) {
      events_.assign(others.events_.begin() + static_cast<std::ptrdiff_t>(others.head_),
                     others.events_.end());
      head_ = 0;
    }

   private:
    std::vector<Event> events_;  // from head_ on
    std::size_t head_ = 0;
  };

 public:
  struct Times {  // instants of a schedule, by job, ms
    ServingTimes maps, reduces;
    std::vector<std::int64_t> map_ends, ends;
  };
  // A schedule as it stands before a decision, without its Times. It holds for all pairs of orders that make
  // the same decisions before this one.
  class State {
   public:
    // All decisions of that stage so far were made by this instant, ms.
    [[nodiscard]] std::int64_t map_clock() const { return maps_.clock; }
    [[nodiscard]] std::int64_t reduce_clock() const { return reduces_.clock; }

   private:
    friend class WorkflowSchedule;
    struct Stage {
      WaveSlots waves;
      SlotTree tree{0};  // empty if the stage is placed in waves
      std::vector<std::pair<JobIndex, Cursor>> waiting;
      std::int64_t clock = 0;  // no later task starts before it
    };
    Stage maps_, reduces_;
    std::vector<std::uint32_t> waits_for_;  // by job: predecessors not done
    Events events_;
    std::size_t free_ = 0;  // the first of the jobs without predecessors that has not arrived
    std::int64_t clock_ = 0, least_makespan_ = 0, least_total_ = 0;
  };

  // Like ListSchedule::models, but `after` is allowed.
  [[nodiscard]] static bool models(const Workload& batch, SlotCluster cluster);

  // The batch must satisfy models(); it is not kept. O(tasks + edges · log edges).
  WorkflowSchedule(const Workload& batch, SlotPool pool);

  // Each order has every job once and is not kept. O(waves · log slots + jobs · log jobs + edges); a task
  // with no neighbour of equal length is a wave.
  [[nodiscard]] PlanValue value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces);
  [[nodiscard]] PlanValue value(std::span<const JobIndex> order) { return value(order, order); }

  // The same in parts. The orders must outlive the schedule.
  void begin(std::span<const JobIndex> maps, std::span<const JobIndex> reduces);
  enum class Part { paused, ended, beyond };
  // Places about so many tasks. `beyond`: it is sure that the makespan is after `latest` or the total
  // completion time above `total`, ms. O(their waves · log slots + events).
  Part advance(std::uint64_t tasks, std::int64_t latest, std::int64_t total);
  // Of the schedule that ended. O(jobs).
  [[nodiscard]] PlanValue value() const;
  // O(jobs + slots).
  void save(State& state) const;
  // Goes on from a state of this batch and pool in orders that lead to it, too. `times`: those of the
  // schedule that it was saved from. O(jobs + slots).
  void resume(const State& state, const Times& times, std::span<const JobIndex> maps,
              std::span<const JobIndex> reduces);

  // Of the last schedule. If it did not end, instants that it has not reached are those of an earlier one.
  [[nodiscard]] const Times& times() const { return times_; }
  [[nodiscard]] std::span<const std::int64_t> map_ends() const { return times_.map_ends; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return times_.ends; }

  [[nodiscard]] std::size_t jobs() const { return submits_.size(); }
  [[nodiscard]] std::uint64_t tasks() const { return maps_.runs.tasks + reduces_.runs.tasks; }

 private:
  struct Side {
    Side(StageTasks tasks, std::size_t jobs)
        : runs(std::move(tasks)), at(jobs), cursors(jobs), there(static_cast<std::uint32_t>(jobs), false) {}
    StageTasks runs;
    std::int64_t shortest = 0;  // task
    std::uint32_t slots = 0;
    bool alike = true;
    WaveSlots waves;
    SlotTree tree{0};                 // empty if the stage is placed in waves
    std::span<const JobIndex> order;  // of the current schedule
    std::vector<std::uint32_t> at;    // by job: position in the order
    std::vector<Cursor> cursors;      // by job
    sim::NumberSet there;             // positions of jobs with tasks to start
    std::int64_t clock = 0;           // no later task starts before it
  };

  void fill(Side& side, Count slots);
  void find_tails(const Workload& batch);
  static void order(Side& side, std::span<const JobIndex> order);
  static void begin(Side& side);
  static void save(const Side& side, State::Stage& state);
  static void resume(Side& side, const State::Stage& state);
  void add(Side& side, JobIndex job);
  void arrive(JobIndex job);
  void maps_done(JobIndex job);
  void done(JobIndex job);
  void expect(JobIndex job, std::int64_t end, std::int64_t before);
  [[nodiscard]] std::int64_t next_event() const;
  template <class Maps, class Reduces>
  Part run(Maps& maps, Reduces& reduces);
  void apply_events(std::int64_t now);
  template <bool of_maps, class Slots>
  void give_out(Side& side, Slots& slots, std::int64_t limit);

  Precedence edges_;
  std::vector<std::int64_t> submits_;                     // by job, ms
  std::vector<std::pair<std::int64_t, JobIndex>> first_;  // jobs without predecessors, by submission
  std::vector<std::int64_t> map_tails_, reduce_tails_, followers_,
      least_ends_;                       // by job, ms; see find_tails()
  std::int64_t least_total_of_all_ = 0;  // ms
  Side maps_, reduces_;
  // Of the current schedule.
  std::vector<std::uint32_t> waits_for_;  // by job: predecessors not done
  Events events_;
  Times times_;
  std::size_t free_ = 0;
  std::int64_t clock_ = 0;
  std::int64_t least_makespan_ = 0, least_total_ = 0;  // ms: as far as known
  std::int64_t latest_ = no_time, total_ = no_time;
  std::uint64_t placed_ = 0, pause_at_ = 0;
};

}  // namespace wavewright
