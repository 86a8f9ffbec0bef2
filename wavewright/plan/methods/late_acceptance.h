// Late acceptance hill climbing [Burke and Bykov 2017] over two orders of a batch, one for its maps and one
// for its reduces, for any cost: where the value of one schedule, which methods/annealing.h is made for,
// is not what is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/planner.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct TwoOrders {
  std::vector<JobIndex> maps;
  std::vector<JobIndex> reduces;

  friend bool operator==(const TwoOrders&, const TwoOrders&) = default;
};

// Smaller is better.
using OrderCost = std::function<double(const TwoOrders&)>;

struct LateAcceptanceResult {
  TwoOrders best;
  double cost = 0;
  std::uint64_t evaluations = 0;
  bool stopped = false;
};

// From the cheapest of `starts` (one or more) on. O(evaluations) costs; the same for the same random stream.
[[nodiscard]] LateAcceptanceResult late_acceptance(const std::vector<TwoOrders>& starts,
                                                   const OrderCost& cost, std::uint64_t evaluations,
                                                   Random& random, const Stop& stop);

// Every pair of the rules' orders: Johnson's, the shortest first, by submission.
[[nodiscard]] std::vector<TwoOrders> usual_orders(const Workload& batch, SlotPool pool);

// Whether the plan is no more than that: one pool, no turns, no caps.
[[nodiscard]] bool is_pair_of_orders(const Plan& plan);
// Those of a plan of one pool for the batch, which may be more; none where it has several.
[[nodiscard]] std::optional<TwoOrders> orders_of(const Plan& plan, const Workload& batch);

// A plan of one pool with those orders, with its values and lower bound.
[[nodiscard]] Plan plan_of_orders(const PlanningProblem& problem, const std::string& method,
                                  const TwoOrders& orders);

}  // namespace wavewright
