// Values of pairs of orders that differ by one move from a kept pair, for a local search. With slow-start 1
// only the part of a schedule that may change is computed: of both stages separately
// (plan/schedule/order_stage.h), or with `after` of both together (plan/schedule/workflow_schedule.h);
// otherwise the whole (plan/schedule/any_schedule.h). The values are those of AnySchedule.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/cluster/slot_cluster.h"
#include "wavewright/plan/schedule/order_stage.h"
#include "wavewright/plan/value.h"

namespace wavewright {

// An order of maps and one of reduces, each with every job once.
struct TwoOrders {
  std::vector<JobIndex> maps;
  std::vector<JobIndex> reduces;

  friend bool operator==(const TwoOrders&, const TwoOrders&) = default;
};

class MovedOrders {
 public:
  struct Move {
    OrderMove maps, reduces;
  };

  MovedOrders() = default;
  MovedOrders(const MovedOrders&) = delete;
  MovedOrders& operator=(const MovedOrders&) = delete;
  virtual ~MovedOrders() = default;

  // Schedules and keeps a pair of orders. O(schedule).
  virtual PlanValue start(const TwoOrders& orders) = 0;
  // The value of the kept orders with one move. None if it is sure that the makespan is after `latest` or the
  // total completion time above `total`, ms. O(schedule) at most.
  [[nodiscard]] virtual std::optional<PlanValue> value_within(const Move& move, std::int64_t latest,
                                                              std::int64_t total) = 0;
  // Keeps the orders of the last value.
  virtual void keep() = 0;

  // Of the last value: the end of each job, ms.
  [[nodiscard]] virtual std::span<const std::int64_t> ends() const = 0;
  [[nodiscard]] virtual std::span<const JobIndex> kept_maps() const = 0;
  [[nodiscard]] virtual std::span<const JobIndex> kept_reduces() const = 0;
  // The position of a job in the kept order of maps or of reduces. O(1), or O(jobs).
  [[nodiscard]] virtual std::size_t place_in_maps(JobIndex job) const = 0;
  [[nodiscard]] virtual std::size_t place_in_reduces(JobIndex job) const = 0;
};

// `batch` is not kept. O(tasks).
[[nodiscard]] std::unique_ptr<MovedOrders> moved_orders(const Workload& batch, SlotCluster cluster);

}  // namespace wavewright
