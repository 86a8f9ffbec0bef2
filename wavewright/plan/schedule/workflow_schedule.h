// Values of pairs of orders of a workflow without the simulator: list_schedule.h for jobs that wait for
// others (`after`). Both stages advance together, because the end of a job may release maps of another job.
// Events are arrivals of jobs, ends of all maps of a job, and ends of jobs.
//
// Neighbouring tasks of equal length are placed as waves. Tests compare values with the simulator's, to 1 ms.
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
  // Like ListSchedule::models, but `after` is allowed.
  [[nodiscard]] static bool models(const Workload& batch, SlotCluster cluster);

  // The batch must satisfy models(); it is not kept. O(tasks + edges · log edges).
  WorkflowSchedule(const Workload& batch, SlotPool pool);

  // Each order has every job once. O(waves · log slots + jobs · log jobs + edges); a task with no neighbour
  // of equal length is a wave.
  [[nodiscard]] Value value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces);
  [[nodiscard]] Value value(std::span<const JobIndex> order) { return value(order, order); }

  // Ends in the last schedule, ms: of each job's last map, and of each job.
  [[nodiscard]] std::span<const std::int64_t> map_ends() const { return map_ends_; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return ends_; }

  [[nodiscard]] std::size_t jobs() const { return ends_.size(); }
  [[nodiscard]] std::uint64_t tasks() const { return maps_.runs.tasks + reduces_.runs.tasks; }

 private:
  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;  // tasks of the run
    std::int64_t last = 0;   // last end of the tasks placed so far
  };
  struct Side {
    Side(StageTasks tasks, std::size_t jobs)
        : runs(std::move(tasks)),
          tree(0),
          at(jobs),
          cursors(jobs),
          there(static_cast<std::uint32_t>(jobs), false) {}
    StageTasks runs;
    std::int64_t shortest = 0;  // task
    std::uint32_t slots = 0;
    bool alike = true;
    WaveSlots waves;
    SlotTree tree;                    // empty if the stage is placed in waves
    std::span<const JobIndex> order;  // of the current schedule
    std::vector<std::uint32_t> at;    // by job: position in the order
    std::vector<Cursor> cursors;      // by job
    sim::NumberSet there;             // positions of jobs with tasks to start
    std::int64_t clock = 0;           // no later task starts before it
  };
  struct Event {
    std::int64_t at = 0;
    JobIndex job = 0;
    bool maps_done = false;  // else the job is done
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
  std::optional<sim::Arrivals> releases_;  // of the current schedule
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t clock_ = 0;
};

}  // namespace wavewright
