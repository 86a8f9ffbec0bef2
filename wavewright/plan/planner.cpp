#include "wavewright/plan/planner.h"

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/plan/methods/balanced_pools.h"
#include "wavewright/plan/methods/best.h"
#include "wavewright/plan/methods/exhaustive.h"
#include "wavewright/plan/methods/genetic.h"
#include "wavewright/plan/methods/orders.h"

namespace wavewright {

const std::vector<std::unique_ptr<Planner>>& planners() {
  static const std::vector<std::unique_ptr<Planner>> all = [] {
    std::vector<std::unique_ptr<Planner>> list = make_order_planners();
    list.push_back(make_exhaustive());
    list.push_back(make_genetic());
    list.push_back(make_balanced_pools());
    list.push_back(make_balanced_pools_sweep());
    list.push_back(make_balanced_pools_genetic());
    std::vector<const Planner*> others;
    others.reserve(list.size());
    for (const auto& each : list) others.push_back(each.get());
    list.push_back(make_best(others));
    return list;
  }();
  return all;
}

std::shared_ptr<const Planner> planner(const std::string& text) {
  const Spec spec = parse_spec(text);
  std::vector<std::string> names;
  for (const auto& candidate : planners()) {
    names.push_back(candidate->name());
    if (names.back() != spec.name) continue;
    Parameters parameters(spec, "method '" + spec.name + "'", candidate->parameters());
    if (spec.positional.empty() && spec.parameters.empty())
      return {std::shared_ptr<void>(), candidate.get()};  // owned by planners()
    std::unique_ptr<Planner> made = candidate->with(parameters);
    parameters.finish();
    return made;
  }
  throw UsageError("unknown method '" + spec.name + "'", suggestion(spec.name, names));
}

Plan plan_by(const std::string& method, const PlanningProblem& problem, const Stop& stop) {
  const std::shared_ptr<const Planner> planned_by = planner(method);
  if (!is_planned(problem.objective))
    throw UsageError("no method plans for " + to_string(problem.objective), "ask for the makespan");
  const std::string why = planned_by->refuses(problem);
  if (!why.empty()) throw UsageError("method '" + method + "': " + why, "ask another one");
  return planned_by->plan(problem, stop);
}

}  // namespace wavewright
