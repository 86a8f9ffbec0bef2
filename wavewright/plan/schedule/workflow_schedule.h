// Values of pairs of orders of a workflow without the simulator: list_schedule.h for jobs that wait for
// others (`after`). Both stages advance together, since the end of a job's last reduce may release maps of
// another job. Events are arrivals of jobs, ends of their maps, and free slots that find a task.
//
// Neighbouring tasks of equal length are placed as waves. Tests hold the values to the simulator's, to the
// millisecond.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/plan/schedule/stage_slots.h"
#include "wavewright/plan/schedule/stage_tasks.h"
#include "wavewright/plan/value.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/kernel/arrivals.h"
#include "wavewright/sim/kernel/number_set.h"

namespace wavewright {

class WorkflowSchedule {
 public:
  // As ListSchedule::models; `after` is allowed.
  [[nodiscard]] static bool models(const Workload& batch, SlotCluster cluster);

  // The batch must be one that it models; it is not kept. O(tasks + edges · log edges).
  WorkflowSchedule(const Workload& batch, SlotPool pool);

  // Each order names every job once. O(waves · log slots + jobs · log jobs + edges), where a task of a length
  // of its own is a wave.
  [[nodiscard]] Value value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces);
  [[nodiscard]] Value value(std::span<const JobIndex> order) { return value(order, order); }

  // Ends in the last schedule, ms: of each job's last map, and of each job.
  [[nodiscard]] std::span<const std::int64_t> map_ends() const { return map_ends_; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return ends_; }

  [[nodiscard]] std::size_t jobs() const { return ends_.size(); }
  [[nodiscard]] std::uint64_t tasks() const { return maps_.runs.tasks + reduces_.runs.tasks; }

 private:
  struct Cursor {
    std::uint32_t run = 0;   // that the job is at …
    std::uint32_t left = 0;  // … and how many tasks of that are left
    std::int64_t last = 0;   // end of those that have started, so far
  };
  struct Side {
    Side(StageTasks tasks, std::size_t jobs)
        : runs(std::move(tasks)),
          tree(0),
          at(jobs),
          cursors(jobs),
          there(static_cast<std::uint32_t>(jobs), false) {}
    StageTasks runs;
    std::int64_t shortest = 0;  // of all its tasks
    std::uint32_t slots = 0;
    bool alike = true;
    WaveSlots waves;
    SlotTree tree;                    // empty where it is given out in waves
    std::span<const JobIndex> order;  // of the schedule at work
    std::vector<std::uint32_t> at;    // positions in it
    std::vector<Cursor> cursors;      // by job
    sim::NumberSet there;             // positions of jobs with tasks to start
    std::int64_t clock = 0;           // no task starts before it any more
  };
  struct Event {
    std::int64_t at = 0;
    JobIndex job = 0;
    bool maps_done = false;  // else done
    friend bool operator>(const Event& a, const Event& b) { return a.at > b.at; }
  };

  void fill(Side& side, Count slots);
  void begin(Side& side, std::span<const JobIndex> order);
  void add(Side& side, JobIndex job);
  void arrive(JobIndex job);
  void maps_done(JobIndex job);
  void done(JobIndex job);
  [[nodiscard]] std::int64_t next_event() const;
  template <class Maps, class Reduces>
  void run(Maps& maps, Reduces& reduces);
  void apply_events(std::int64_t now);
  template <bool of_maps, class Slots>
  void give_out(Side& side, Slots& slots, std::int64_t limit);

  sim::ArrivalTable table_;
  Side maps_, reduces_;
  std::vector<std::int64_t> map_ends_, ends_;
  std::optional<sim::Arrivals> releases_;  // of the schedule at work
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t clock_ = 0;
};

}  // namespace wavewright
