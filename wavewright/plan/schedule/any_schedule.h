// Values of pairs of orders of any batch, by the fastest way that models it.
#pragma once

#include <variant>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/schedule/list_schedule.h"
#include "wavewright/plan/schedule/simulated_schedule.h"
#include "wavewright/plan/schedule/workflow_schedule.h"

namespace wavewright {

// ListSchedule if it models the batch; WorkflowSchedule if a job waits for another; else SimulatedSchedule.
class AnySchedule {
 public:
  AnySchedule(const Workload& batch, SlotCluster cluster) : schedule_(fastest(batch, cluster)) {}

  [[nodiscard]] PlanValue value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces) {
    return std::visit([&](auto& schedule) { return schedule.value(maps, reduces); }, schedule_);
  }
  [[nodiscard]] PlanValue value(std::span<const JobIndex> order) { return value(order, order); }
  [[nodiscard]] std::span<const std::int64_t> map_ends() const {
    return std::visit([](const auto& schedule) { return schedule.map_ends(); }, schedule_);
  }
  [[nodiscard]] std::span<const std::int64_t> ends() const {
    return std::visit([](const auto& schedule) { return schedule.ends(); }, schedule_);
  }
  [[nodiscard]] std::size_t jobs() const { return ends().size(); }
  [[nodiscard]] std::uint64_t tasks() const {
    return std::visit([](const auto& schedule) { return schedule.tasks(); }, schedule_);
  }

 private:
  using Way = std::variant<ListSchedule, WorkflowSchedule, SimulatedSchedule>;
  static Way fastest(const Workload& batch, SlotCluster cluster) {
    if (!WorkflowSchedule::models(batch, cluster)) return SimulatedSchedule(batch, cluster);
    if (has_precedence(batch)) return WorkflowSchedule(batch, cluster.pool);
    return ListSchedule(batch, cluster.pool);
  }

  Way schedule_;
};

}  // namespace wavewright
