#include "wavewright/dispatch/planned_order.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/dispatch/rules.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/job_ids.h"
#include "wavewright/plan/methods/exhaustive.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

namespace {

// Why the method can order no round at all; empty if it can. Tried on three equal jobs.
std::string reason_against(const Planner& method) {
  if (method.makes_pools()) return "it divides the slots into pools, and a queue has one order";
  const std::vector<WaitingJob> jobs(3, WaitingJob{.id = "job", .maps = {2, ms(2)}, .reduces = {2, ms(1)}});
  const PlanningProblem problem{.batch = shared(batch_of(jobs)), .cluster = {SlotPool{2, 2}}};
  return method.refuses(problem);
}

// A job and its tasks, each stage up to `round_placements`.
std::uint64_t size_of(const WaitingJob& job) {
  constexpr auto most = static_cast<Count>(round_placements);
  return static_cast<std::uint64_t>(1 + std::min(job.maps.tasks, most) + std::min(job.reduces.tasks, most));
}

// Tasks and jobs together. Absent if no schedule is to be made.
std::optional<std::uint64_t> size_of_round(SlotPool pool, std::span<const WaitingJob> jobs) {
  std::uint64_t size = 0;
  for (const WaitingJob& job : jobs) {
    const bool no_slot =
        (job.maps.tasks > 0 && pool.map_slots <= 0) || (job.reduces.tasks > 0 && pool.reduce_slots <= 0);
    if (no_slot) return std::nullopt;
    size += size_of(job);
  }
  if (size == jobs.size()) return std::nullopt;  // no job has a task
  return size;
}

bool fits_into_round(const Planner& method, std::uint64_t size) {
  return size * (method.searches() ? least_evaluations : 1) <= round_placements;
}

// It searches few jobs to the end, whatever the number of evaluations.
bool has_too_many_jobs(const OrderingEngine& engine, const Planner& method, std::size_t jobs) {
  return method.name() == make_exhaustive()->name() && jobs > engine.search_up_to;
}

PlanningProblem problem_of_round(const OrderingEngine& engine, const Planner& method,
                                 std::span<const WaitingJob> jobs, std::uint64_t size, const Stop& stop) {
  PlanningProblem problem{.batch = shared(batch_of(jobs)),
                          .cluster = {engine.pool},
                          .objective = engine.objective,
                          .seed = engine.planned->seed,
                          .lower_bound = Duration{},
                          .order_free_bound = Duration{}};
  if (!method.searches()) return problem;
  problem.lower_bound = lower_bound(*problem.batch, engine.pool, engine.objective, Effort::quick);
  problem.order_free_bound = problem.lower_bound;
  problem.enough = ms(1);  // no proofs, which take longer than a round may
  const std::uint64_t asked = engine.planned->evaluations;
  problem.evaluations = asked > 0 ? asked : std::min(usual_evaluations, round_placements / size);
  // `best` starts from these; without any it would try every other method first.
  for (const char* const start : {"johnson", "spt"}) {
    Plan plan = planner(start)->plan(problem, stop);
    problem.known.push_back(std::move(plan));
  }
  return problem;
}

std::vector<JobIndex> order_taken(const Plan& plan, const PlanningProblem& problem) {
  std::vector<JobIndex> order = JobIds(*problem.batch)[plan.order];
  if (plan.pools.size() < 2) return order;
  const SimulationResult result = simulate_arranged(plan, *problem.batch, problem.cluster);
  std::stable_sort(order.begin(), order.end(),
                   [&](JobIndex a, JobIndex b) { return result.jobs[a].start < result.jobs[b].start; });
  return order;
}

// The plan of the round, unless Johnson's order or the shortest first is better: of many jobs a search that
// begins with random orders tries too few to come as far.
std::optional<EngineOrder> planned_round(const OrderingEngine& engine, const Planner& method,
                                         std::span<const WaitingJob> jobs, std::uint64_t size,
                                         const Stop& stop) {
  const PlanningProblem problem = problem_of_round(engine, method, jobs, size, stop);
  if (!method.refuses(problem).empty()) return std::nullopt;
  const Plan plan = method.plan(problem, stop);
  const Plan* taken = &plan;
  for (const Plan& known : problem.known) {
    if (known.value() < taken->value()) taken = &known;
  }
  return EngineOrder{order_taken(*taken, problem), true, static_cast<std::uint64_t>(plan.evaluated)};
}

// The first jobs by the rule go in the order of their plan, the others behind them by the rule.
std::optional<EngineOrder> planned_first_jobs(const OrderingEngine& engine, const Planner& method,
                                              std::span<const WaitingJob> jobs, const Stop& stop) {
  const std::vector<JobIndex> order = rule_of(engine.objective)(jobs, engine.pool);
  const std::uint64_t most = method.searches() ? first_searched : first_ordered;
  std::vector<WaitingJob> first;
  std::uint64_t size = 0;
  for (const JobIndex job : order) {
    size += size_of(jobs[job]);
    if (size > most) break;
    first.push_back(jobs[job]);
  }
  const std::optional<std::uint64_t> size_of_first = size_of_round(engine.pool, first);
  if (first.size() < 2 || !size_of_first) return std::nullopt;
  std::optional<EngineOrder> planned = planned_round(engine, method, first, *size_of_first, stop);
  if (!planned) return std::nullopt;
  for (JobIndex& place : planned->order) place = order[place];
  planned->order.insert(planned->order.end(), order.begin() + std::ssize(first), order.end());
  return planned;
}

}  // namespace

std::vector<std::string> ordering_methods() {
  std::vector<std::string> names;
  names.reserve(planners().size());
  for (const auto& method : planners()) {
    if (reason_against(*method).empty()) names.push_back(method->name());
  }
  return names;
}

void check_planned(const OrderingEngine& engine) {
  const std::shared_ptr<const Planner> method = planner(engine.planned->method);
  const std::string why = reason_against(*method);
  if (!why.empty())
    throw UsageError(fmt::format("'{}' cannot order waiting jobs: {}", method->name(), why),
                     "take another engine, such as johnson or best");
  if (engine.own || !is_planned(engine.objective))
    throw UsageError(fmt::format("no method plans for {}",
                                 engine.own ? "an objective of one's own" : to_string(engine.objective)),
                     "order for makespan or total-completion, or take the engine sim or alg");
}

std::optional<EngineOrder> planned_order(const OrderingEngine& engine, std::span<const WaitingJob> jobs,
                                         const Stop& stop) {
  if (jobs.size() == 1) return EngineOrder{.order = {JobIndex{0}}, .searched = true};
  const std::shared_ptr<const Planner> method = planner(engine.planned->method);
  const std::optional<std::uint64_t> size = size_of_round(engine.pool, jobs);
  if (!size || has_too_many_jobs(engine, *method, jobs.size())) return std::nullopt;
  return fits_into_round(*method, *size) ? planned_round(engine, *method, jobs, *size, stop)
                                         : planned_first_jobs(engine, *method, jobs, stop);
}

}  // namespace wavewright
