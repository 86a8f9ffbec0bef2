#include "wavewright/plan/methods/late_acceptance.h"

#include <algorithm>
#include <utility>

#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/job_ids.h"
#include "wavewright/plan/methods/orders.h"

namespace wavewright {

namespace {

constexpr std::size_t history = 30;  // earlier costs that a new one is compared with
constexpr std::size_t near = 8;      // positions

// Moves one job to a near or far position, in the order of maps, of reduces or both.
void change(TwoOrders& orders, Random& random) {
  const std::size_t jobs = orders.maps.size(), from = random.below(jobs);
  std::size_t to = random.below(jobs);
  if (random.below(2) == 0) {
    const std::size_t by = 1 + random.below(near);
    to = random.below(2) == 0 ? from - std::min(from, by) : std::min(jobs - 1, from + by);
  }
  const std::uint64_t which = random.below(5);
  if (which >= 3) return move_job({from, to}, orders.reduces);
  const JobIndex job = orders.maps[from];
  move_job({from, to}, orders.maps);
  if (which > 0) return;
  const auto twin = std::find(orders.reduces.begin(), orders.reduces.end(), job);
  move_job({static_cast<std::size_t>(twin - orders.reduces.begin()), to}, orders.reduces);
}

}  // namespace

OrderSearchResult late_acceptance(const std::vector<TwoOrders>& starts, const OrderCost& cost,
                                  std::uint64_t evaluations, Random& random, const Stop& stop) {
  OrderSearchResult result;
  for (const TwoOrders& start : starts) {
    const double found = cost(start);
    if (++result.evaluations == 1 || found < result.cost) {
      result.best = start;
      result.cost = found;
    }
  }
  if (result.best.maps.size() < 2) return result;
  TwoOrders now = result.best;
  double cost_now = result.cost;
  std::vector<double> before(history, cost_now);
  for (std::uint64_t step = 0; result.evaluations < evaluations; ++step, ++result.evaluations) {
    if (stop.now()) {
      result.stopped = true;
      break;
    }
    TwoOrders tried = now;
    change(tried, random);
    const double found = cost(tried);
    double& earlier = before[step % history];
    if (found <= cost_now || found < earlier) {
      now = std::move(tried);
      cost_now = found;
      if (cost_now < result.cost) {
        result.best = now;
        result.cost = cost_now;
      }
    }
    earlier = std::min(earlier, cost_now);
  }
  return result;
}

std::vector<TwoOrders> usual_orders(const Workload& batch, SlotPool pool) {
  const std::vector<JobIndex> orders[] = {johnson_order(batch, pool), shortest_first_order(batch, pool),
                                          submission_order(batch)};
  std::vector<TwoOrders> pairs;
  pairs.reserve(std::size(orders) * std::size(orders));
  for (const auto& maps : orders) {
    for (const auto& reduces : orders) pairs.push_back({maps, reduces});
  }
  return pairs;
}

bool is_pair_of_orders(const Plan& plan) {
  return plan.pools.size() <= 1 && plan.map_turns.empty() && plan.reduce_turns.empty() && plan.caps.empty();
}

std::optional<TwoOrders> orders_of(const Plan& plan, const Workload& batch) {
  if (plan.pools.size() > 1) return std::nullopt;
  const JobIds ids(batch);
  const std::vector<JobIndex> order = ids[plan.order];
  return TwoOrders{plan.map_order.empty() ? order : ids[plan.map_order],
                   plan.reduce_order.empty() ? order : ids[plan.reduce_order]};
}

Plan plan_of_orders(const PlanningProblem& problem, const std::string& method, const TwoOrders& orders) {
  Plan plan = plan_of_order(problem, method, orders.maps);
  if (orders.maps != orders.reduces) {
    plan.map_order = plan.order;
    plan.reduce_order = ids_of(*problem.batch, orders.reduces);
  }
  value_plan(plan, problem);
  return plan;
}

}  // namespace wavewright
