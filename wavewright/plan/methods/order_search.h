// Search over two orders of a batch on one pool, one for its maps and one for its reduces: simulated
// annealing [Kirkpatrick et al. 1983] in rounds, each from the best that is known, with moves of one job in
// one order or in both. One order for both is not enough: on nine jobs the best two are 2.3 % better than the
// best one.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/schedule/list_schedule.h"

namespace wavewright {

struct TwoOrders {
  std::vector<JobIndex> maps;
  std::vector<JobIndex> reduces;

  friend bool operator==(const TwoOrders&, const TwoOrders&) = default;
};

struct SearchLimits {
  std::uint64_t evaluations = 0;  // at most so many
  Duration target{};              // enough: nothing is below it
};

class OrderSearch {
 public:
  // `schedule` must outlive it. Equal seeds give equal searches.
  OrderSearch(ListSchedule& schedule, Objective objective, std::uint64_t seed);

  // From `start` on, until a limit is met or `stop` says so: the best that it has found.
  const TwoOrders& run(const TwoOrders& start, const SearchLimits& limits, const Stop& stop);

  [[nodiscard]] const TwoOrders& best() const { return best_; }
  [[nodiscard]] Value value() const { return best_value_; }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  [[nodiscard]] double cost(Value value) const;  // of the schedule that was looked at last
  double evaluate(const TwoOrders& orders);
  [[nodiscard]] bool going_on(const SearchLimits& limits) const;
  void round(const SearchLimits& limits, const Stop& stop);
  void change(TwoOrders& orders);

  ListSchedule& schedule_;
  const Objective objective_;
  Random random_;
  double target_ = 1;  // ms: what costs are measured in
  TwoOrders best_;
  Value best_value_;
  std::uint64_t evaluations_ = 0;
  bool stopped_ = false;
};

}  // namespace wavewright
