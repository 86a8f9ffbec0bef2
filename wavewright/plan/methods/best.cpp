#include "wavewright/plan/methods/best.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/bounds/time_window/window_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/best_search.h"
#include "wavewright/plan/methods/demand_fit.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/methods/order_annealing.h"
#include "wavewright/plan/methods/tie_break.h"

namespace wavewright {

namespace {

constexpr double others_share = 0.05, bound_share = 0.2, fit_share = 0.1;  // of the time left
constexpr double search_share = 0.3;                                       // if the time-window bound follows
// For break_ties(), of the time and of the evaluations: equal makespans are common, equal sums are not.
constexpr double share_of_ties = 0.2, share_of_equal_makespans = 0.08, share_of_equal_sums = 0.03;
constexpr double a_placement = 30;  // multiplications that take as long as one task's placement
// Tasks that a search places if it has no other limit: some seconds.
constexpr std::uint64_t search_placements = 200'000'000;
constexpr std::uint64_t least_evaluations = 50, most_evaluations = 20'000;

class Best final : public Planner {
 public:
  explicit Best(std::vector<const Planner*> others) : others_(std::move(others)) {}

  [[nodiscard]] std::string name() const override { return "best"; }
  [[nodiscard]] std::string description() const override {
    return "all of these, and a search over due times and steps of maps and of reduces, caps and pools";
  }
  [[nodiscard]] Plan plan(const PlanningProblem& given, const Stop& stop) const override {
    const auto began = Stop::Clock::now();
    PlanningProblem problem = given;
    if (!problem.lower_bound)
      problem.lower_bound = lower_bound(*problem.batch, problem.cluster.pool, problem.objective);
    if (!problem.order_free_bound) problem.order_free_bound = problem.lower_bound;
    Plan best = of_others(problem, stop);
    if (problem.evaluations > 0)  // one budget for all
      problem.evaluations -= std::min(problem.evaluations - 1, static_cast<std::uint64_t>(best.evaluated));
    std::vector<DemandJob> jobs;
    DemandBound demand;
    if (!best.proved_optimal && problem.objective == Objective::makespan && !problem.enough) {
      jobs = demand_jobs(*problem.batch, problem.cluster.pool);
      demand = demand_bound(jobs, problem.cluster.pool, to_ms(best.lower_bound), bounding(problem),
                            stop.share(bound_share));
      problem.lower_bound = ms(demand.makespan);
      problem.order_free_bound = order_free_bound(problem, jobs, stop.share(bound_share));
      problem.lower_bound = std::max(*problem.lower_bound, *problem.order_free_bound);
      prove(best, problem);
    }
    const bool windows = problem.objective == Objective::total_completion && !problem.enough &&
                         has_time_window_bound(*problem.batch);
    std::vector<PriorityRule> rules;
    if (best.value() > target(problem) && !stop.now()) {
      const Stop own = stop.share(windows ? search_share : 1 - ties_share(problem));
      if (PrioritySchedule::models(*problem.batch, problem.cluster.pool)) {
        rules = search(best, problem, fit(jobs, demand, problem, own.share(fit_share)), own);
      } else {
        search_orders(best, problem, own);
      }
    }
    if (!problem.enough && !stop.now()) {
      const auto tries =
          static_cast<std::uint64_t>(ties_share(problem) * static_cast<double>(evaluations(problem)));
      break_ties(best, problem, rules, std::max<std::uint64_t>(tries, 1),
                 windows ? stop.share(ties_share(problem)) : stop);
    }
    if (windows && best.value() > best.lower_bound && !stop.now()) {
      best.lower_bound = time_window_bound(*problem.batch, problem.cluster.pool, best.lower_bound,
                                           best.value(), best.makespan, halving(problem), stop);
      best.order_free_bound = best.lower_bound;
      best.proved_optimal = best.value() == best.lower_bound;
      best.partial = !best.proved_optimal && (best.partial || stop.now());
    }
    best.method = name();
    best.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
    return best;
  }

 private:
  [[nodiscard]] Plan of_others(PlanningProblem& problem, const Stop& stop) const {
    std::optional<Plan> best;
    Count evaluated = 0;
    bool partial = false;
    for (const Plan& plan : problem.known) {
      take_bounds(problem, plan);
      if (!best || plan.value() < best->value() || (plan.value() == best->value() && plan.proved_optimal))
        best = plan;
    }
    if (best) {
      prove(*best, problem);
      best->evaluated = 0;
      best->partial = false;
      return std::move(*best);
    }
    for (const Planner* const other : others_) {
      if (best && (best->proved_optimal || stop.now())) break;
      if (!other->refuses(problem).empty()) continue;
      PlanningProblem own = problem;
      own.evaluations =
          static_cast<std::uint64_t>(std::ceil(others_share * static_cast<double>(problem.evaluations)));
      Plan plan = other->plan(own, stop.share(others_share));
      evaluated += plan.evaluated;
      partial = partial || plan.partial;
      take_bounds(problem, plan);
      if (!best || plan.value() < best->value() ||
          (plan.value() == best->value() && (plan.proved_optimal || plan.best_single_order)))
        best = std::move(plan);
    }
    prove(*best, problem);
    best->evaluated = evaluated;
    best->partial = partial || (stop.now() && !best->proved_optimal);
    return std::move(*best);
  }

  // A bound proved by one plan holds for all.
  static void take_bounds(PlanningProblem& problem, const Plan& plan) {
    problem.lower_bound = std::max(*problem.lower_bound, plan.lower_bound);
    problem.order_free_bound = std::max(*problem.order_free_bound, plan.order_free_bound);
  }
  // The demand bound for maps in any order. Longest first demands the least of all orders.
  static Duration order_free_bound(const PlanningProblem& problem, std::vector<DemandJob> jobs,
                                   const Stop& stop) {
    bool sorted = true;
    for (DemandJob& job : jobs) {
      sorted = sorted && std::is_sorted(job.maps.begin(), job.maps.end(), std::greater<>());
      std::sort(job.maps.begin(), job.maps.end(), std::greater<>());
    }
    if (sorted) return *problem.lower_bound;
    return ms(
        demand_bound(jobs, problem.cluster.pool, to_ms(*problem.order_free_bound), bounding(problem), stop)
            .makespan);
  }
  static void prove(Plan& plan, const PlanningProblem& problem) {
    plan.lower_bound = *problem.lower_bound;
    plan.order_free_bound = *problem.order_free_bound;
    plan.proved_optimal = plan.value() == plan.lower_bound;
  }
  // Good map ends by job, ms; empty without map ends in `bound`.
  static std::vector<std::int64_t> fit(std::span<const DemandJob> jobs, const DemandBound& bound,
                                       const PlanningProblem& problem, const Stop& stop) {
    constexpr double of_bound = 1.0 / 6;  // of the bound's multiplications
    if (bound.map_ends.empty()) return {};
    return demand_fit(jobs, problem.cluster.pool, bound, problem.seed, of_bound * bounding(problem), stop);
  }
  static double ties_share(const PlanningProblem& problem) {
    if (problem.within > 0) return share_of_ties;
    return problem.objective == Objective::total_completion ? share_of_equal_sums : share_of_equal_makespans;
  }
  // The value at which a search may end.
  static Duration target(const PlanningProblem& problem) {
    return std::max(*problem.lower_bound, problem.enough.value_or(Duration{}));
  }
  // Multiplications of the demand bound: roughly as much time as the search.
  static double bounding(const PlanningProblem& problem) {
    constexpr double least = 1e8;
    return problem.evaluations == 0 ? usual_multiplications
                                    : std::clamp(as_search(problem), least, usual_multiplications);
  }
  // Multiplications of the time-window bound.
  static double halving(const PlanningProblem& problem) {
    constexpr double usual = 1e9;
    return problem.evaluations == 0 ? usual : as_search(problem);
  }
  static double as_search(const PlanningProblem& problem) {
    return a_placement * static_cast<double>(problem.batch->tasks()) *
           static_cast<double>(problem.evaluations);
  }
  // Returns the rules found.
  static std::vector<PriorityRule> search(Plan& best, const PlanningProblem& problem,
                                          const std::vector<std::int64_t>& map_ends, const Stop& stop) {
    const SearchLimits limits{search_evaluations(problem), target(problem), {}};
    BestSearchResult found = search_rules_and_orders(problem, best, map_ends, limits, stop);
    best.evaluated += static_cast<Count>(found.evaluations);
    best.partial = best.partial || found.stopped;
    if (found.value.of(problem.objective) < best.value()) take(best, problem, found.rules.front());
    return std::move(found.rules);
  }
  // For workflows and tasks of length 0: a search over two orders.
  static void search_orders(Plan& best, const PlanningProblem& problem, const Stop& stop) {
    const SearchLimits limits{search_evaluations(problem), target(problem), {}};
    std::vector<TwoOrders> starts = usual_orders(*problem.batch, problem.cluster.pool);
    if (const std::optional<TwoOrders> orders = orders_of(best, *problem.batch)) starts.push_back(*orders);
    const OrderSearchResult found = anneal_orders(starts, problem, problem.seed, limits, order_chains, stop);
    best.evaluated += static_cast<Count>(found.evaluations);
    best.partial = best.partial || found.stopped;
    if (found.cost >= static_cast<double>(to_ms(best.value()))) return;
    Plan plan = plan_of_orders(problem, best.method, found.best);
    plan.evaluated = best.evaluated;
    plan.partial = best.partial;
    best = std::move(plan);
  }
  static std::uint64_t evaluations(const PlanningProblem& problem) {
    if (problem.evaluations > 0) return problem.evaluations;
    return std::clamp(search_placements / std::max<std::uint64_t>(1, problem.batch->tasks()),
                      least_evaluations, most_evaluations);
  }
  // A given number includes those of break_ties().
  static std::uint64_t search_evaluations(const PlanningProblem& problem) {
    const std::uint64_t all = evaluations(problem);
    return problem.evaluations == 0
               ? all
               : all - static_cast<std::uint64_t>(ties_share(problem) * static_cast<double>(all));
  }
  static void take(Plan& plan, const PlanningProblem& problem, const PriorityRule& rule) {
    PrioritySchedule schedule(*problem.batch, problem.cluster.slowstart);
    set_priority_rule(plan, without_needless_caps(rule, schedule, problem.objective), *problem.batch);
    value_plan(plan, problem);
  }

  std::vector<const Planner*> others_;
};

}  // namespace

std::unique_ptr<Planner> make_best(std::vector<const Planner*> others) {
  return std::make_unique<Best>(std::move(others));
}

}  // namespace wavewright
