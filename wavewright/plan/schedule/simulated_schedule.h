// Values of pairs of orders by simulation, for every batch and slow-start: also for tasks of length 0, and
// for workflows with a slow-start below 1, which the list schedules do not model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "wavewright/cluster/slot_cluster.h"
#include "wavewright/plan/value.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

class SimulatedSchedule {
 public:
  // O(tasks). Copies share the tasks.
  SimulatedSchedule(const Workload& batch, SlotCluster cluster);

  // Each order has every job once. O(simulation).
  [[nodiscard]] PlanValue value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces);

  // Ends in the last schedule, ms: of each job's last map, and of each job.
  [[nodiscard]] std::span<const std::int64_t> map_ends() const { return map_ends_; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return ends_; }

  [[nodiscard]] std::uint64_t tasks() const { return count_; }

 private:
  std::shared_ptr<const TaskTable> tasks_;
  SlotCluster cluster_;
  std::uint64_t count_ = 0;
  std::vector<std::int64_t> map_ends_, ends_;
};

}  // namespace wavewright
