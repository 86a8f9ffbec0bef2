#include "wavewright/plan/all_methods.h"

#include <algorithm>
#include <tuple>

#include "wavewright/plan/evaluate.h"

namespace wavewright {

std::vector<Plan> plan_by_all(PlanningProblem problem, const AllMethodsOptions& options) {
  const Stop stop(options.limit, options.interrupted);
  std::vector<Plan> plans;
  for (const auto& method : planners()) {
    if (!method->refuses(problem).empty()) continue;
    if (!plans.empty() && stop.now()) {
      plans.back().partial = true;  // later methods were not tried
      break;
    }
    if (options.progress) options.progress(method->name());
    const bool last = method == planners().back();
    if (last) problem.known = plans;
    plans.push_back(method->plan(
        problem, last || !options.limit ? stop : Stop(*options.limit / 10, options.interrupted)));
  }
  return plans;
}

void share_bounds(std::vector<Plan>& plans) {
  Duration bound{}, order_free{};
  for (const Plan& plan : plans) {
    bound = std::max(bound, plan.lower_bound);
    order_free = std::max(order_free, plan.order_free_bound);
  }
  for (Plan& plan : plans) {
    plan.lower_bound = bound;
    plan.order_free_bound = order_free;
    plan.proved_optimal = plan.proved_optimal || plan.value() == bound;
  }
}

Plan better_task_order(const Plan& plan, PlanningProblem listed) {
  if (plan.proved_optimal || plan.task_order == TaskOrder::as_listed) return plan;
  listed.task_order = TaskOrder::as_listed;
  listed.lower_bound = listed.order_free_bound = plan.order_free_bound;  // other bounds may not hold
  Plan as_listed = plan;
  value_plan(as_listed, listed);
  as_listed.best_single_order = false;
  return as_listed.value() < plan.value() ? as_listed : plan;
}

const Plan& best_plan(const std::vector<Plan>& plans) {
  return *std::min_element(plans.begin(), plans.end(), [](const Plan& a, const Plan& b) {
    return std::tuple(a.value(), !a.proved_optimal, !a.best_single_order) <
           std::tuple(b.value(), !b.proved_optimal, !b.best_single_order);
  });
}

}  // namespace wavewright
