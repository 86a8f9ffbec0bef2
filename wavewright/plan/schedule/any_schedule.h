// The list schedule of a batch with or without precedence.
#pragma once

#include <variant>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/schedule/list_schedule.h"
#include "wavewright/plan/schedule/workflow_schedule.h"

namespace wavewright {

// WorkflowSchedule if a job waits for another, else ListSchedule.
class AnySchedule {
 public:
  [[nodiscard]] static bool models(const Workload& batch, SlotCluster cluster) {
    return WorkflowSchedule::models(batch, cluster);
  }
  AnySchedule(const Workload& batch, SlotPool pool)
      : schedule_(has_precedence(batch) ? Either(WorkflowSchedule(batch, pool))
                                        : Either(ListSchedule(batch, pool))) {}

  [[nodiscard]] Value value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces) {
    return std::visit([&](auto& schedule) { return schedule.value(maps, reduces); }, schedule_);
  }
  [[nodiscard]] Value value(std::span<const JobIndex> order) { return value(order, order); }
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
  using Either = std::variant<ListSchedule, WorkflowSchedule>;
  Either schedule_;
};

}  // namespace wavewright
