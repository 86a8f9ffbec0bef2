// The output of `wavewright simulate`: the simulation document, or a table of the jobs and a summary.
//
// Instants are of simulated time, from 0 on. Costs are in US dollars. O(jobs), and for each job that is
// explained its attempts; where machines were rented also the bounds of cloud/bound/cost_bound.h.
#pragma once

#include <optional>

#include "apps/commands/simulate_outputs.h"
#include "apps/context.h"
#include "apps/job_listing.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/job/sampled.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/metrics/energy.h"
#include "wavewright/sim/metrics/map_locality.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/result.h"

namespace wavewright::app {

// Sums over the tasks; each only where the cluster file tells enough.
struct SimulationTotals {
  const std::optional<UsageTotals>& use;
  const std::optional<MapLocality>& maps;
  const RunEnergy* energy;    // null where no power is known
  const JobSlotTimes* slots;  // null where no job has a deadline
};

// --json: docs/formats/schemas/simulate.schema.json. With `outputs` that explain jobs, `result` must have its
// trace.
void print_simulation_json(const Context& context, const Workload& workload, const SimulationResult& result,
                           const Policy& policy, const Cluster& cluster, const SimulationTotals& totals,
                           const LengthSpread& spread, const SimulationOutputs& outputs);

// One row a job, and why jobs were rejected; of many only the first unless `listing` wants all.
void print_simulated_jobs(const Workload& workload, const SimulationResult& result,
                          const JobListing& listing);

// Makespan, use of the cluster, deadlines, rents, energy; that the run was stopped, if it was.
void print_simulation_summary(const Workload& workload, const SimulationResult& result, const Policy& policy,
                              const Cluster& cluster, const SimulationTotals& totals);

}  // namespace wavewright::app
