// What a pair of orders is worth, without the simulator: list scheduling on map slots and then on reduce
// slots, the model that plans of one pool share with it (sim/simulate.h) at slow-start 1. A stage gives each
// free slot the next task of the first job of its order that is ready: maps from their job's submission on,
// reduces from the end of its last map.
//
// Neighbouring tasks of one length are placed as waves, a step for all that start together; tasks of lengths
// of their own one by one. Tests hold it to the simulator's answer, to the millisecond.
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
  // Whether the two models agree on such a batch: slow-start 1, no `after`, and are_two_stages().
  [[nodiscard]] static bool models(const Workload& batch, SlotCluster cluster);

  // Of a batch that it models, which it does not keep. O(tasks).
  ListSchedule(const Workload& batch, SlotPool pool);

  // Both orders name every job once. O(waves · log slots + jobs · log jobs), where each task of a length of
  // its own is a wave. Of batches submitted together, maps are scheduled from where their order first differs
  // from the last one's: the schedule is kept at up to 64 places on the way.
  [[nodiscard]] Value value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces);
  [[nodiscard]] Value value(std::span<const JobIndex> order) { return value(order, order); }
  // The same, where it is known when each job's maps end, ms.
  [[nodiscard]] Value value_of_reduces(std::span<const JobIndex> reduces,
                                       std::span<const std::int64_t> map_ends);

  // Of the last value: when each job's last map, and all of it, ended, ms.
  [[nodiscard]] std::span<const std::int64_t> map_ends() const { return map_ends_; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return ends_; }

  [[nodiscard]] std::size_t jobs() const { return submits_.size(); }
  [[nodiscard]] std::uint64_t tasks() const { return maps_.tasks + reduces_.tasks; }

 private:
  void schedule(const StageTasks& stage, SlotTree& tree, Count slots, std::span<const JobIndex> order,
                std::span<const std::int64_t> ready, std::vector<std::int64_t>& ends);
  void schedule_maps(std::span<const JobIndex> order);
  template <class Slots>
  void continue_maps(std::vector<Slots>& kept, std::span<const JobIndex> order);
  Value schedule_reduces(std::span<const JobIndex> reduces);
  template <class Slots>
  void give_out(const StageTasks& stage, Slots& slots, std::span<const JobIndex> order,
                std::span<const std::int64_t> ready, std::vector<std::int64_t>& ends);

  StageTasks maps_, reduces_;
  SlotPool pool_;
  WaveSlots waves_;
  SlotTree map_tree_, reduce_tree_;  // empty where the stage is given out in waves
  std::vector<std::int64_t> submits_, map_ends_, ends_;
  // While a stage is given out: positions in its order by when they are ready; of each job, where it is.
  std::vector<std::uint32_t> by_ready_;
  struct Cursor {
    std::uint32_t run = 0;
    std::uint32_t left = 0;  // of the run
  };
  std::vector<Cursor> cursors_;
  // Where all jobs are there at once: the order of the last maps, and the slots before every `stride_`th job.
  bool together_ = false;
  std::vector<JobIndex> last_maps_;
  std::size_t stride_ = 1;
  std::vector<WaveSlots> waves_at_;
  std::vector<SlotTree> trees_at_;
};

}  // namespace wavewright
