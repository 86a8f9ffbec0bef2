// Values of priority rules (plan/schedule/priority_rule.h) without the simulator: least slack first on map
// slots and then on reduce slots, pool by pool, under caps. Tests compare the values with the simulator's for
// the plan of the rule, to the millisecond.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/schedule/slack_stage.h"
#include "wavewright/plan/value.h"

namespace wavewright {

class PrioritySchedule {
 public:
  // True if it agrees with the simulator: no `after`, and are_two_stages(); with any slow-start.
  [[nodiscard]] static bool models(const Workload& batch, SlotPool pool) {
    return !has_precedence(batch) && are_two_stages(batch, pool);
  }

  // The batch must satisfy models(); it is not kept. O(tasks).
  PrioritySchedule(const Workload& batch, double slowstart);

  // O(waves · log slots + turns · log jobs); less if it continues from a kept schedule. A task with no
  // neighbour of equal length is a wave; each task of a capped job is a turn.
  [[nodiscard]] PlanValue value(const PriorityRule& rule);
  // Likewise, but none as soon as it is sure that the makespan is after `latest` or the total completion time
  // above `total`, ms. Then there is no schedule to keep.
  [[nodiscard]] std::optional<PlanValue> value_within(const PriorityRule& rule, std::int64_t latest,
                                                      std::int64_t total);
  // Keeps the schedule of `rule`, the last one evaluated. Later rules are scheduled only from the first
  // instant where they may differ (plan/schedule/slack_stage.h). O(jobs).
  void keep(const PriorityRule& rule);

  // Ends in the last schedule, by job, ms: of its last map, and of the job.
  [[nodiscard]] std::span<const std::int64_t> map_ends() const { return map_ends_; }
  [[nodiscard]] std::span<const std::int64_t> ends() const { return ends_; }

  [[nodiscard]] std::size_t jobs() const { return submits_.size(); }
  [[nodiscard]] const StageTasks& maps() const;
  [[nodiscard]] const StageTasks& reduces() const;

 private:
  using Stage = std::variant<SlackStage<WaveSlots>, SlackStage<SlotTree>>;

  bool schedule(Stage& stage, const StageJobs& jobs, const PriorityRule& rule, Count SlotPool::* slots,
                std::vector<std::int64_t>& ends);
  void find_ready();

  bool early_;  // slow-start below 1
  Stage maps_, reduces_;
  std::vector<std::int64_t> submits_;
  std::vector<std::uint32_t> before_reduces_;  // if early_, by job: maps that must end before its reduces
  std::vector<std::int64_t> ready_;            // by job: when its reduces may start, ms
  std::vector<std::int64_t> tails_;            // by job: least time of its reduces, ms
  std::vector<std::int64_t> map_ends_, reduce_ends_, ends_;
};

}  // namespace wavewright
