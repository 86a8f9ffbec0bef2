#include "wavewright/plan/analysis/heuristic.h"

#include <algorithm>

#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {

Plan moved_plan(const Plan& plan, const PlanningProblem& problem) {
  Plan moved = plan;
  moved.pools = {{problem.cluster.pool, plan.order}};
  moved.objective = problem.objective;
  value_plan(moved, problem);
  return moved;
}

Plan heuristic_plan(const std::string& method, const PlanningProblem& given, std::span<const Plan> others,
                    std::optional<Duration> enough, const Stop& stop) {
  if (!method.empty()) return plan_by(method, given, stop);
  PlanningProblem problem = given;
  if (!problem.lower_bound)
    problem.lower_bound = lower_bound(*problem.batch, problem.cluster.pool, problem.objective);
  problem.enough = std::max(*problem.lower_bound, enough.value_or(Duration{}));
  std::vector<Plan> known;
  const auto good = [&](Plan plan) {
    known.push_back(std::move(plan));
    return known.back().value() <= *problem.enough;
  };
  for (const Plan& other : others) {
    if (good(moved_plan(other, problem))) return std::move(known.back());
  }
  for (const char* const name : {"critical-path", "johnson", "spt"}) {
    if (!planner(name)->refuses(problem).empty()) continue;
    if (good(planner(name)->plan(problem, stop))) return std::move(known.back());
  }
  problem.known = std::move(known);
  return planner("best")->plan(problem, stop);
}

}  // namespace wavewright
