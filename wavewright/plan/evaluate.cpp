#include "wavewright/plan/evaluate.h"

#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sched/policies/ranked_order.h"
#include "wavewright/sim/listed_tasks.h"

namespace wavewright {

PlanValue evaluate(const TaskTable& tasks, std::span<const JobIndex> order, SlotCluster cluster) {
  const auto policy = make_ranked_order(order);
  const SimulationResult result = simulate(tasks, *policy, {cluster.pool, cluster.slowstart, false});
  return {result.makespan, result.total_completion};
}

SimulationResult simulate_arranged(const Plan& plan, const Workload& arranged, SlotCluster cluster,
                                   bool trace) {
  const auto policy = make_plan_policy(plan, cluster.pool);
  return simulate(arranged, *policy, {cluster.pool, cluster.slowstart, trace});
}

SimulationResult simulate_plan(const Plan& plan, const Workload& batch, SlotCluster cluster, bool trace) {
  return simulate_in_task_order(batch, plan.task_order, nullptr, [&](const Workload& arranged, TaskSink*) {
    return simulate_arranged(plan, arranged, cluster, trace);
  });
}

void value_plan(Plan& plan, const PlanningProblem& problem) {
  plan.task_order = problem.task_order;
  const SimulationResult result = simulate_arranged(plan, *problem.batch, problem.cluster);
  plan.makespan = result.makespan;
  plan.total_completion = result.total_completion;
  plan.lower_bound = problem.lower_bound
                         ? *problem.lower_bound
                         : lower_bound(*problem.batch, problem.cluster.pool, problem.objective);
  plan.order_free_bound = problem.order_free_bound.value_or(plan.lower_bound);
  plan.proved_optimal = plan.value() == plan.lower_bound;
}

std::vector<std::string> ids_of(const Workload& batch, std::span<const JobIndex> order) {
  std::vector<std::string> ids;
  ids.reserve(order.size());
  for (const JobIndex job : order) ids.push_back(batch.jobs[job].id);
  return ids;
}

Plan plan_of_order(const PlanningProblem& problem, const std::string& method,
                   std::span<const JobIndex> order) {
  Plan plan;
  plan.objective = problem.objective;
  plan.method = method;
  plan.seed = problem.seed;
  plan.evaluated = 1;
  plan.order = ids_of(*problem.batch, order);
  plan.pools.push_back({problem.cluster.pool, plan.order});
  return plan;
}

}  // namespace wavewright
