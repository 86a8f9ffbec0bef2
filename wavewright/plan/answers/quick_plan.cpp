#include "wavewright/plan/answers/quick_plan.h"

#include <algorithm>

#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {

Plan moved_plan(const Plan& plan, const PlanningProblem& problem) {
  Plan moved = plan;
  moved.pools = {{problem.pool, plan.order}};
  moved.objective = problem.objective;
  value_plan(moved, problem);
  return moved;
}

Plan quick_plan(const std::string& method, const PlanningProblem& given, std::span<const Plan> others,
                std::optional<Duration> enough, const Stop& stop) {
  if (!method.empty()) return plan_by(method, given, stop);
  PlanningProblem problem = given;
  const Duration bound = problem.lower_bound ? *problem.lower_bound
                                             : lower_bound(problem.batch, problem.pool, problem.objective);
  problem.lower_bound = enough ? std::max(bound, *enough) : bound;  // where the search may end
  const auto honest = [&](Plan plan) {
    plan.lower_bound = bound;
    plan.proved_optimal = plan.value() == bound;
    return plan;
  };
  std::vector<Plan> known;
  const auto good = [&](Plan plan) {
    known.push_back(std::move(plan));
    return known.back().value() <= *problem.lower_bound;
  };
  for (const Plan& other : others) {
    if (good(moved_plan(other, problem))) return honest(std::move(known.back()));
  }
  for (const char* const name : {"johnson", "spt"}) {
    if (good(planner(name).plan(problem, stop))) return honest(std::move(known.back()));
  }
  problem.known = known;
  return honest(planner("best").plan(problem, stop));
}

}  // namespace wavewright
