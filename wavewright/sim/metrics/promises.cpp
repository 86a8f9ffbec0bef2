#include "wavewright/sim/metrics/promises.h"

#include <algorithm>

#include "wavewright/sim/metrics/run_counts.h"
#include "wavewright/sim/metrics/slot_time.h"

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

namespace {

std::optional<double> ratio(Count part, Count whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::optional<double> AdmissionTotals::accept_ratio() const {
  return ratio(accepted, jobs);
}
std::optional<double> AdmissionTotals::success_ratio() const {
  return ratio(successful, accepted);
}

AdmissionTotals admission_of(const Workload& workload, const SimulationResult& result, Count slots) {
  AdmissionTotals sum;
  Time first = Time::max(), last = Time::min();
  std::vector<bool> successful(workload.jobs.size());
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    ++sum.jobs;
    if (job.rejected) continue;
    ++sum.accepted;
    first = std::min(first, job.submit);
    last = std::max(last, job.finish);
    successful[i] = is_done(job) && job.finish <= workload.jobs[i].deadline.value_or(Time::max());
    if (successful[i]) ++sum.successful;
  }
  Duration used = result.map_busy + result.reduce_busy;
  if (sum.successful < sum.accepted) {
    used = {};
    SlotTime time;
    for (const TaskRecord& task : result.trace) {
      const Time from = time.adds_from(task);
      if (task.kind != Kind::master && successful[task.job]) used += task.end - from;
    }
    if (result.trace.empty() && sum.successful > 0) return sum;
  }
  if (sum.accepted > 0 && last > first && slots > 0)
    sum.utilisation = static_cast<double>(to_ms(used)) /
                      (static_cast<double>(slots) * static_cast<double>(to_ms(last - first)));
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
