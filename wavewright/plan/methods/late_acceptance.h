// Late acceptance hill climbing [Burke and Bykov 2017] over two orders of a batch, one for maps and one for
// reduces, with any cost function. If the cost is the value of one schedule, methods/annealing.h is faster.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/planner.h"
#include "wavewright/plan/schedule/moved_orders.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Smaller is better.
using OrderCost = std::function<double(const TwoOrders&)>;

struct OrderSearchResult {
  TwoOrders best;
  double cost = 0;
  std::uint64_t evaluations = 0;
  bool stopped = false;
};

// Starts from the cheapest of `starts` (one or more). Equal random streams give equal results. O(evaluations)
// calls of `cost`.
[[nodiscard]] OrderSearchResult late_acceptance(const std::vector<TwoOrders>& starts, const OrderCost& cost,
                                                std::uint64_t evaluations, Random& random, const Stop& stop);

// All pairs of these orders: Johnson's, shortest first, submission.
[[nodiscard]] std::vector<TwoOrders> usual_orders(const Workload& batch, SlotPool pool);

// True if the plan is only a pair of orders: one pool, no turns, no caps.
[[nodiscard]] bool is_pair_of_orders(const Plan& plan);
// The two orders of a plan with one pool; its turns and caps are ignored. Empty for several pools.
[[nodiscard]] std::optional<TwoOrders> orders_of(const Plan& plan, const Workload& batch);

// A plan of one pool with these orders, with values and lower bound.
[[nodiscard]] Plan plan_of_orders(const PlanningProblem& problem, const std::string& method,
                                  const TwoOrders& orders);

}  // namespace wavewright
