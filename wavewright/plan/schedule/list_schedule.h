// Values of pairs of orders without the simulator: list scheduling on map slots and then on reduce slots. At
// slow-start 1 this is the simulator's model of a plan with one pool (sim/simulate.h). Each stage gives a
// free slot to the next task of the first ready job of its order: maps are ready from their job's submission
// on, reduces from the end of its last map.
//
// Neighbouring tasks of equal length are placed as waves, one step for all that start together; other tasks
// one by one. Tests compare the values with the simulator's, to the millisecond.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/plan/schedule/stage_slots.h"
#include "wavewright/plan/schedule/stage_tasks.h"
#include "wavewright/plan/value.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

class ListSchedule {
 public:
  // True if it agrees with the simulator: slow-start 1, no `after`, and are_two_stages().
  [[nodiscard]] static bool models(const Workload& batch, SlotCluster cluster);

  // The batch must satisfy models(); it is not kept. O(tasks).
  ListSchedule(const Workload& batch, SlotPool pool);

  // Each order has every job once. O(waves · log slots + jobs · log jobs); a task with no neighbour of equal
  // length is a wave. If all jobs are submitted together, maps are scheduled only from the first position
  // where their order differs from the last call's; up to 64 states are kept for that.
  [[nodiscard]] PlanValue value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces);
  [[nodiscard]] PlanValue value(std::span<const JobIndex> order) { return value(order, order); }
  // The same for given ends of each job's maps, ms.
  [[nodiscard]] PlanValue value_of_reduces(std::span<const JobIndex> reduces,
                                           std::span<const std::int64_t> map_ends);

  // Ends in the last schedule, ms: of each job's last map, and of each job.
  [[nodiscard]] std::span<const std::int64_t> map_ends() const { return map_ends_; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return ends_; }

  [[nodiscard]] std::size_t jobs() const { return submits_.size(); }
  [[nodiscard]] std::uint64_t tasks() const { return maps_.tasks + reduces_.tasks; }

 private:
  void schedule(const StageTasks& stage, SlotTree& tree, Count slots, std::span<const JobIndex> order,
                std::span<const std::int64_t> ready, std::vector<std::int64_t>& ends);
  void schedule_maps(std::span<const JobIndex> order);
  template <class Slots>
  void continue_maps(std::vector<Slots>& kept, Slots& slots, std::span<const JobIndex> order);
  PlanValue schedule_reduces(std::span<const JobIndex> reduces);
  template <class Slots>
  void give_out(const StageTasks& stage, Slots& slots, std::span<const JobIndex> order,
                std::span<const std::int64_t> ready, std::vector<std::int64_t>& ends);

  StageTasks maps_, reduces_;
  SlotPool pool_;
  WaveSlots waves_;
  SlotTree map_tree_, reduce_tree_;  // empty if the stage is placed in waves
  std::vector<std::int64_t> submits_, map_ends_, ends_;
  // Scratch of give_out(): positions in the order by ready time; cursors by job.
  std::vector<std::uint32_t> by_ready_;
  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;  // tasks of the run
  };
  std::vector<Cursor> cursors_;
  // If all jobs are submitted together: the last order of maps, and the slots before every `stride_`th job.
  bool together_ = false;
  std::vector<JobIndex> last_maps_;
  std::size_t stride_ = 1;
  std::size_t kept_ = 1;  // states that belong to the last order; later ones are only memory
  std::vector<WaveSlots> waves_at_;
  std::vector<SlotTree> trees_at_;
};

}  // namespace wavewright
