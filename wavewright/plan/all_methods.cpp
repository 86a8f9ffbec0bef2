#include "wavewright/plan/all_methods.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "wavewright/job/task_order.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/tie_break.h"

namespace wavewright {

namespace {

// A search other than `best` gets 1/20 of the evaluations, or 1/40 of the time.
constexpr std::uint64_t part_of_other = 20;
constexpr int part_of_limit = 40;

// Runs the planners that do not refuse the problem, each at most once besides `best`.
class AllMethods {
 public:
  AllMethods(PlanningProblem problem, const AllMethodsOptions& options)
      : problem_(std::move(problem)),
        options_(options),
        stop_(options.limit, options.interrupted),
        plans_(planners().size()),
        left_(problem_.evaluations) {}

  // All methods but `best` that search, or that do not. False: out of time.
  bool run_others(bool searching) {
    for (std::size_t i = 0; i + 1 < plans_.size(); ++i) {
      const Planner& method = *planners()[i];
      if (method.searches() != searching || !method.refuses(problem_).empty()) continue;
      if (stop_.now() && any()) return false;
      PlanningProblem own = problem_;
      own.evaluations = (problem_.evaluations + part_of_other - 1) / part_of_other;
      tell(method);
      plans_[i] = method.plan(
          own, options_.limit ? Stop(*options_.limit / part_of_limit, options_.interrupted) : stop_);
      spend(*plans_[i]);
    }
    return true;
  }
  // `best`, from the other methods' plans. False: out of time.
  bool run_best() {
    if (stop_.now() && any()) return false;
    PlanningProblem own = problem_;
    own.known = made();
    if (problem_.evaluations > 0) own.evaluations = std::max<std::uint64_t>(1, left_);
    tell(*planners().back());
    const Plan plan = planners().back()->plan(own, stop_);
    spend(plan);
    plans_.back() = plans_.back() ? best_plan({plan, *plans_.back()}, problem_.within) : plan;
    return true;
  }
  [[nodiscard]] bool best_is_beaten() const {
    return best_plan(made(), problem_.within).method != plans_.back()->method;
  }
  [[nodiscard]] std::vector<Plan> made() const {
    std::vector<Plan> plans;
    for (const auto& plan : plans_) {
      if (plan) plans.push_back(*plan);
    }
    return plans;
  }

 private:
  [[nodiscard]] bool any() const {
    return std::any_of(plans_.begin(), plans_.end(), [](const auto& plan) { return plan.has_value(); });
  }
  void tell(const Planner& method) const {
    if (options_.progress) options_.progress(method.name());
  }
  void spend(const Plan& plan) { left_ -= std::min(left_, static_cast<std::uint64_t>(plan.evaluated)); }

  PlanningProblem problem_;
  const AllMethodsOptions& options_;
  Stop stop_;
  std::vector<std::optional<Plan>> plans_;  // as planners()
  std::uint64_t left_;                      // evaluations
};

}  // namespace

std::vector<Plan> plan_by_all(PlanningProblem problem, const AllMethodsOptions& options) {
  AllMethods methods(std::move(problem), options);
  bool complete = methods.run_others(false);
  if (options.limit) {
    complete = complete && methods.run_others(true) && methods.run_best();
  } else {  // an interruption may come at any time: the best method goes first
    complete = complete && methods.run_best() && methods.run_others(true);
    if (complete && methods.best_is_beaten()) complete = methods.run_best();
  }
  std::vector<Plan> plans = methods.made();
  if (!complete) plans.back().partial = true;  // some methods were not tried
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
  return best_plan({plan, as_listed}, listed.within);
}

namespace {

bool is_longest_first(const Workload& batch) {
  const Workload sorted = in_task_order(batch, TaskOrder::longest_first);
  return std::equal(batch.jobs.begin(), batch.jobs.end(), sorted.jobs.begin(),
                    [](const Job& a, const Job& b) {
                      return a.maps == b.maps && a.reduces == b.reduces &&
                             a.first_shuffles == b.first_shuffles && a.shuffles == b.shuffles;
                    });
}

}  // namespace

void try_as_listed(std::vector<Plan>& plans, const PlanningProblem& listed, const Stop& stop) {
  for (Plan& plan : plans) plan = better_task_order(plan, listed);
  const auto best =
      std::find_if(plans.begin(), plans.end(), [](const Plan& plan) { return plan.method == "best"; });
  if (best == plans.end() || best->proved_optimal || stop.now() || listed.batch->tasks() > few_tasks ||
      is_longest_first(*listed.batch))
    return;
  PlanningProblem searched = listed;
  searched.task_order = TaskOrder::as_listed;
  searched.lower_bound = lower_bound(*listed.batch, listed.cluster.pool, listed.objective);
  searched.order_free_bound = best->order_free_bound;
  *best = best_plan({*best, plan_by("best", searched, stop)}, listed.within);
}

const Plan& best_plan(const std::vector<Plan>& plans, double within) {
  Duration least = Duration::max();
  for (const Plan& plan : plans) least = std::min(least, plan.value());
  const Duration limit = largest_within(least, within);
  const auto key = [&](const Plan& plan) {
    const Duration other =
        planned_value(other_objective(plan.objective), plan.makespan, plan.total_completion);
    return std::tuple(plan.value() > limit, other, plan.value(), !plan.proved_optimal,
                      !plan.best_single_order);
  };
  return *std::min_element(plans.begin(), plans.end(),
                           [&](const Plan& a, const Plan& b) { return key(a) < key(b); });
}

}  // namespace wavewright
