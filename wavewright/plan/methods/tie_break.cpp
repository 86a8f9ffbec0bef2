#include "wavewright/plan/methods/tie_break.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/annealing.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

namespace {

class TieBreak {
 public:
  TieBreak(const Plan& plan, const PlanningProblem& problem)
      : problem_(problem),
        limit_(largest_within(plan.value(), problem.within)),
        other_(other_objective(problem.objective)),
        least_(lower_bound(*problem.batch, problem.cluster.pool, other_)) {}

  [[nodiscard]] Duration other_value(const Plan& plan) const {
    return planned_value(other_, plan.makespan, plan.total_completion);
  }
  [[nodiscard]] bool is_best(const Plan& plan) const { return other_value(plan) <= least_; }

  // Over priority rules.
  void search_rules(Plan& plan, std::span<const PriorityRule> rules, std::uint64_t evaluations,
                    const Stop& stop) const {
    const Workload& batch = *problem_.batch;
    std::vector<PriorityRule> candidates(rules.begin(), rules.end());
    candidates.push_back(priority_rule_of(plan, batch, problem_.cluster.pool));
    for (const TwoOrders& orders : usual_orders(batch, problem_.cluster.pool)) {
      candidates.push_back(
          priority_rule_of_orders(batch, problem_.cluster.pool, orders.maps, orders.reduces));
    }
    PrioritySchedule schedule(batch, problem_.cluster.slowstart);
    std::vector<PriorityRule> starts;
    for (PriorityRule& rule : candidates) {
      if (schedule.value(rule).of(problem_.objective) <= limit_) starts.push_back(std::move(rule));
    }
    if (starts.empty()) return;
    Annealing search(schedule, other_, problem_.seed, Annealing::Moves::due_times);
    search.run(starts, {evaluations, least_, limit_}, stop);
    plan.evaluated += static_cast<Count>(search.evaluations());
    plan.partial = plan.partial || search.stopped();
    if (search.value().of(other_) >= other_value(plan)) return;
    Plan better = plan;
    set_priority_rule(better, search.best(), batch);
    take(plan, std::move(better));
  }

  // Over pairs of orders.
  void search_orders(Plan& plan, std::uint64_t evaluations, const Stop& stop) const {
    const Workload& batch = *problem_.batch;
    AnySchedule schedule(batch, problem_.cluster);
    std::vector<TwoOrders> starts = usual_orders(batch, problem_.cluster.pool);
    if (const auto orders = orders_of(plan, batch)) starts.push_back(*orders);
    const auto cost = [&](const TwoOrders& orders) {
      const PlanValue value = schedule.value(orders.maps, orders.reduces);
      constexpr double beyond = 1e18;  // above every value
      const Duration own = value.of(problem_.objective);
      return own > limit_ ? beyond + static_cast<double>(to_ms(own))
                          : static_cast<double>(to_ms(value.of(other_)));
    };
    Random random(problem_.seed, "plan/tie_break");
    const OrderSearchResult found = late_acceptance(starts, cost, evaluations, random, stop);
    plan.evaluated += static_cast<Count>(found.evaluations);
    plan.partial = plan.partial || found.stopped;
    if (found.cost >= static_cast<double>(to_ms(other_value(plan)))) return;
    take(plan, plan_of_orders(problem_, plan.method, found.best));
  }

 private:
  // Values the better plan; the rest stays as it was.
  void take(Plan& plan, Plan better) const {
    const Duration bound = plan.lower_bound, order_free_bound = plan.order_free_bound;
    const bool partial = plan.partial;
    const Count evaluated = plan.evaluated;
    value_plan(better, problem_);
    if (better.value() > limit_ || other_value(better) >= other_value(plan)) return;
    better.lower_bound = bound;
    better.order_free_bound = order_free_bound;
    better.proved_optimal = better.value() == bound;
    better.best_single_order = plan.best_single_order && better.value() == plan.value();
    better.partial = partial;
    better.evaluated = evaluated;
    plan = std::move(better);
  }

  const PlanningProblem& problem_;
  Duration limit_;
  Objective other_;
  Duration least_;  // bound of the other objective
};

}  // namespace

Duration largest_within(Duration value, double within) {
  return value + ms(static_cast<std::int64_t>(std::floor(within * static_cast<double>(to_ms(value)))));
}

void break_ties(Plan& plan, const PlanningProblem& problem, std::span<const PriorityRule> rules,
                std::uint64_t evaluations, const Stop& stop) {
  const TieBreak ties(plan, problem);
  if (ties.is_best(plan) || problem.batch->jobs.size() < 2) return;
  if (PrioritySchedule::models(*problem.batch, problem.cluster.pool)) {
    ties.search_rules(plan, rules, evaluations, stop);
  } else {
    ties.search_orders(plan, evaluations, stop);
  }
}

}  // namespace wavewright
