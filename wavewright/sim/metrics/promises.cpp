#include "wavewright/sim/metrics/promises.h"

#include <algorithm>

#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright {

std::optional<double> Tardiness::mean_ms() const {
  if (jobs == without) return std::nullopt;
  return static_cast<double>(to_ms(total)) / static_cast<double>(jobs - without);
}

Tardiness tardiness_of(const Workload& workload, const SimulationResult& result) {
  Tardiness sum;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    if (!workload.jobs[i].deadline) continue;
    ++sum.jobs;
    if (!is_done(result.jobs[i])) {
      ++sum.without;
      ++sum.tardy;
      continue;
    }
    const Duration late = std::max(Duration{}, result.jobs[i].finish - *workload.jobs[i].deadline);
    sum.total += late;
    if (late > Duration{}) ++sum.tardy;
  }
  return sum;
}

LeaseTotals totals_of(const SimulationResult& result) {
  LeaseTotals sum;
  const Time end = Time{} + result.makespan;
  for (const Lease& lease : result.leases) {
    ++sum.leases;
    if (lease.revoked()) ++sum.revoked;
    sum.cost += lease.cost;
    if (lease.joined) {
      sum.machine_time += std::max(Duration{}, lease.left.value_or(end) - *lease.joined);
    } else {
      ++sum.never_joined;
    }
  }
  return sum;
}

}  // namespace wavewright
