// The kind `machine-shares`.
#include <cmath>

#include "apps/reproduce/experiment.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate.h"

namespace wavewright::app {

namespace {

constexpr double hour_ms = 3'600'000;

// One task per machine.
Workload equal_jobs(Count jobs, Count machines, double hours) {
  Workload workload;
  for (Count i = 1; i <= jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.maps.assign(static_cast<std::size_t>(machines), ms(std::llround(hours * hour_ms)));
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

void record(const std::string& policy, const SimulationResult& result, Measurements& measured) {
  const double total = static_cast<double>(to_ms(result.total_completion)) / hour_ms;
  measured[policy + ".average"] = {total / static_cast<double>(result.jobs.size())};
  measured[policy + ".machine-time"] = {static_cast<double>(to_ms(result.map_busy)) / hour_ms};
}

}  // namespace

Measurements measure_machine_shares(const Json& inputs, std::uint64_t /*seed*/) {
  const Count machines = inputs.at("machines");
  const Count jobs = inputs.at("jobs");
  if (jobs < 1 || machines < 1 || machines % jobs != 0) {
    throw InputError({"reproduce"}, "machines do not divide among the jobs", "give a multiple");
  }
  const Count share = machines / jobs;
  const Json& hours = inputs.at("hours_by_machines");
  Measurements measured;

  const Workload in_turn = equal_jobs(jobs, machines, hours.at(std::to_string(machines)));
  const auto fifo = make_fifo();
  record("dominance", simulate(in_turn, *fifo, {.pool = {machines, 1}}), measured);

  const Workload side_by_side = equal_jobs(jobs, share, hours.at(std::to_string(share)));
  Plan plan;
  for (const Job& job : side_by_side.jobs) {
    plan.order.push_back(job.id);
    plan.pools.push_back({{share, 0}, {job.id}});
  }
  const auto pools = make_plan_policy(plan);
  record("shared", simulate(side_by_side, *pools, {.pool = {machines, 1}}), measured);
  return measured;
}

}  // namespace wavewright::app
