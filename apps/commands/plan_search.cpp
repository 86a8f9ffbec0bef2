#include "apps/commands/plan_search.h"

#include <fmt/format.h>

#include "apps/commands/plan_options.h"
#include "wavewright/job/task_order.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/plan/bounds/lower_bound.h"

namespace wavewright::app {

namespace {

// A part of the effort is for plans with tasks as listed, where they take some.
template <class Effort>
Effort part_as_listed(Effort whole) {
  return whole / 8;
}

bool searches_both_orders(const PlanSearch& search) {
  return search.choose_order && search.listed->tasks() <= few_tasks;
}

}  // namespace

PlanningProblem problem_of(const PlanSearch& search, std::uint64_t seed) {
  PlanningProblem problem{shared(in_task_order(*search.listed, search.task_order)), search.cluster,
                          search.objective, seed};
  problem.task_order = search.task_order;
  problem.lower_bound = lower_bound(*search.listed, search.cluster.pool, search.objective);
  problem.within = search.within;
  problem.evaluations = search.evaluations;
  if (search.limit && search.evaluations == 0)
    problem.evaluations = most_evaluations;  // limited by time only
  if (searches_both_orders(search)) problem.evaluations -= part_as_listed(search.evaluations);
  return problem;
}

PlanningProblem listed_problem_of(const PlanSearch& search, const PlanningProblem& problem) {
  PlanningProblem listed = problem;
  listed.batch = search.listed;
  if (search.choose_order)
    listed.evaluations = search.evaluations == 0 ? problem.evaluations : part_as_listed(search.evaluations);
  return listed;
}

std::vector<Plan> searched_plans(const PlanSearch& search, const PlanningProblem& problem,
                                 const SearchWatch& watch, std::optional<Plan> made) {
  std::optional<Duration> for_first = search.for_methods;
  if (searches_both_orders(search) && for_first) *for_first -= part_as_listed(*for_first);
  std::vector<Plan> plans;
  if (made) {
    plans = {*std::move(made)};
  } else if (!search.method.empty()) {
    plans = {plan_by(search.method, problem, Stop(for_first, watch.interrupted))};
  } else {
    plans = plan_by_all(problem, {for_first, watch.interrupted, watch.progress});
  }
  share_bounds(plans);
  if (!search.choose_order) return plans;
  const std::optional<Duration> rest =
      search.for_methods ? std::optional(part_as_listed(*search.for_methods)) : search.limit;
  try_as_listed(plans, listed_problem_of(search, problem), Stop(rest, watch.interrupted));
  return plans;
}

std::vector<Plan> plans_of_seeds(const PlanSearch& search, std::uint64_t seed, Count searches,
                                 const SearchWatch& watch) {
  PlanSearch own = search;
  if (own.limit) *own.limit /= searches;
  if (own.for_methods) *own.for_methods /= searches;
  std::vector<Plan> best;
  for (Count i = 0; i < searches; ++i) {
    if (i > 0 && watch.interrupted != nullptr && *watch.interrupted) {
      best.back().partial = true;
      break;
    }
    SearchWatch told = watch;
    told.progress = [&](const std::string& method) {
      if (watch.progress) watch.progress(fmt::format("search {} of {}: {}", i + 1, searches, method));
    };
    const std::vector<Plan> plans =
        searched_plans(own, problem_of(own, seed + static_cast<std::uint64_t>(i)), told);
    best.push_back(best_plan(plans, own.within));
  }
  share_bounds(best);
  return best;
}

}  // namespace wavewright::app
