#include "wavewright/plan/robust/robust_plan.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <tbb/parallel_for.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/job/sampled.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

namespace {

constexpr std::uint64_t fresh_from = std::uint64_t{1} << 40;  // index of the first fresh draw
constexpr std::uint64_t usual_placements = 150'000'000;       // tasks, if there is no other limit
constexpr std::uint64_t most_tasks = 20'000'000;              // in all draws of the search together
constexpr std::uint64_t least_evaluations = 50, most_evaluations = 5'000;
// Weight of the mean: most changes move the mean of few draws, but not their quantile.
constexpr double part_of_mean = 1e-3;

double cost_of_values(std::span<const double> values, RobustMeasure measure) {
  const double mean = measure_of(values, RobustMeasure::expected);
  return measure == RobustMeasure::expected ? mean : measure_of(values, measure) + part_of_mean * mean;
}

class Draws {
 public:
  Draws(const PlanningProblem& problem, const SampledBatch& sampled, std::size_t count)
      : objective_(problem.objective), values_(count) {
    std::vector<std::optional<AnySchedule>> made(count);
    tbb::parallel_for(std::size_t{0}, count,
                      [&](std::size_t i) { made[i].emplace(sampled.draw(i), problem.cluster); });
    for (auto& schedule : made) schedules_.push_back(std::move(*schedule));
  }
  [[nodiscard]] double cost(const TwoOrders& orders, RobustMeasure measure) {
    tbb::parallel_for(std::size_t{0}, schedules_.size(), [&](std::size_t i) {
      values_[i] =
          static_cast<double>(to_ms(schedules_[i].value(orders.maps, orders.reduces).of(objective_)));
    });
    return cost_of_values(values_, measure);
  }

 private:
  const Objective objective_;
  std::vector<AnySchedule> schedules_;
  std::vector<double> values_;
};

double simulated(const Workload& batch, const Plan& plan, const PlanningProblem& problem) {
  const SimulationResult result = simulate_arranged(plan, batch, problem.cluster);
  return static_cast<double>(
      to_ms(planned_value(problem.objective, result.makespan, result.total_completion)));
}

// The cost of a plan on the draws of the search, by simulation.
double cost_of(const Plan& plan, const PlanningProblem& problem, const RobustSettings& settings,
               const SampledBatch& sampled, std::size_t count) {
  std::vector<double> values(count);
  tbb::parallel_for(std::size_t{0}, count,
                    [&](std::size_t i) { values[i] = simulated(sampled.draw(i), plan, problem); });
  return cost_of_values(values, settings.measure);
}

std::size_t draws_to_search(const RobustSettings& settings, std::uint64_t tasks) {
  const auto fitting = static_cast<std::size_t>(most_tasks / std::max<std::uint64_t>(1, tasks));
  return std::max<std::size_t>(5, std::min(std::clamp<std::size_t>(settings.samples / 10, 20, 200), fitting));
}

// Simulates both plans on fresh draws, as many as there is time for.
void compare_on_fresh(RobustAnswer& answer, const PlanningProblem& problem, const RobustSettings& settings,
                      const SampledBatch& sampled, const Stop& stop) {
  constexpr std::size_t at_once = 20;
  std::vector<double> nominal(settings.samples), robust = nominal, bounds = nominal;
  std::size_t& count = answer.tried_on;
  while (count < settings.samples && (count < at_once || !stop.now())) {
    const std::size_t until = std::min(settings.samples, count + at_once);
    tbb::parallel_for(count, until, [&](std::size_t i) {
      const Workload draw = sampled.draw(fresh_from + i);
      nominal[i] = simulated(draw, answer.nominal.plan, problem);
      robust[i] = simulated(draw, answer.robust.plan, problem);
      bounds[i] = static_cast<double>(
          to_ms(lower_bound(draw, problem.cluster.pool, problem.objective, Effort::quick)));
    });
    count = until;
  }
  for (auto* const values : {&nominal, &robust, &bounds}) values->resize(count);
  answer.nominal.draws = summarise(nominal);
  answer.robust.draws = summarise(robust);
  answer.bound_ms = measure_of(bounds, RobustMeasure::expected);
  answer.change = relative_change(nominal, robust, settings.measure, problem.seed);
}

}  // namespace

std::string to_string(RobustMeasure measure) {
  return measure == RobustMeasure::expected ? "expected" : "p95";
}

RobustMeasure parse_robust_measure(const std::string& name) {
  for (const RobustMeasure measure : {RobustMeasure::expected, RobustMeasure::p95}) {
    if (to_string(measure) == name) return measure;
  }
  const std::array<std::string, 2> names = {"expected", "p95"};
  throw UsageError("unknown measure '" + name + "'", suggestion(name, names));
}

RobustAnswer make_robust_plan(const PlanningProblem& problem, const RobustSettings& settings,
                              const std::vector<Plan>& plans, const Stop& stop) {
  const auto began = Stop::Clock::now();
  const SampledBatch sampled(problem.batch, settings.spread, problem.seed, settings.job_spread);
  const std::uint64_t tasks = problem.batch->tasks();
  RobustAnswer answer;
  answer.nominal.plan = *std::min_element(plans.begin(), plans.end(),
                                          [](const Plan& a, const Plan& b) { return a.value() < b.value(); });
  answer.searched_with = draws_to_search(settings, tasks);

  std::vector<TwoOrders> starts;
  for (const Plan& plan : plans) {
    if (const auto orders = orders_of(plan, *problem.batch)) starts.push_back(*orders);
  }
  if (starts.empty()) starts = usual_orders(*problem.batch, problem.cluster.pool);
  const std::uint64_t evaluations =
      problem.evaluations > 0
          ? problem.evaluations
          : std::clamp(usual_placements / std::max<std::uint64_t>(1, tasks * answer.searched_with),
                       least_evaluations, most_evaluations);
  Draws draws(problem, sampled, answer.searched_with);
  Random random(problem.seed, "plan/robust");
  const OrderSearchResult found = late_acceptance(
      starts, [&](const TwoOrders& orders) { return draws.cost(orders, settings.measure); }, evaluations,
      random, stop.share(0.5));

  // The search cannot represent a nominal plan with turns, caps or pools, so it is compared separately.
  if (!is_pair_of_orders(answer.nominal.plan) &&
      cost_of(answer.nominal.plan, problem, settings, sampled, answer.searched_with) <= found.cost) {
    answer.robust.plan = answer.nominal.plan;
  } else {
    answer.robust.plan = plan_of_orders(problem, "", found.best);
  }
  compare_on_fresh(answer, problem, settings, sampled, stop);
  if (answer.change.low > 0) {
    answer.robust = answer.nominal;
    answer.change = {};
  }
  answer.robust.plan.method = "robust-" + to_string(settings.measure);
  answer.robust.plan.evaluated = static_cast<Count>(found.evaluations);
  answer.robust.plan.partial = found.stopped || answer.tried_on < settings.samples;
  answer.robust.plan.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
  return answer;
}

}  // namespace wavewright
