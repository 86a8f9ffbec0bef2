// Late acceptance hill climbing [Burke and Bykov 2017] over two orders of a batch for any cost: what
// methods/order_search.h does for the value of one schedule, for those who ask for something else.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/methods/order_search.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

// Smaller is better.
using OrderCost = std::function<double(const TwoOrders&)>;

struct WalkResult {
  TwoOrders best;
  double cost = 0;
  std::uint64_t evaluations = 0;
  bool stopped = false;
};

// From the cheapest of `starts` (one or more) on. O(evaluations) costs; the same for the same random stream.
[[nodiscard]] WalkResult walk_orders(const std::vector<TwoOrders>& starts, const OrderCost& cost,
                                     std::uint64_t evaluations, Random& random, const Stop& stop);

// Every pair of the rules' orders: Johnson's, the shortest first, by submission.
[[nodiscard]] std::vector<TwoOrders> usual_orders(const Workload& batch, SlotPool pool);

// Those of a plan of one pool for the batch; none where it has several.
[[nodiscard]] std::optional<TwoOrders> orders_of(const Plan& plan, const Workload& batch);

// A plan of one pool with those orders, with its values and lower bound.
[[nodiscard]] Plan plan_of_orders(const PlanningProblem& problem, const std::string& method,
                                  const TwoOrders& orders);

}  // namespace wavewright
