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

bool has_deadlines(const Workload& workload) {
  return std::any_of(workload.jobs.begin(), workload.jobs.end(),
                     [](const Job& job) { return job.deadline.has_value(); });
}

void JobSlotTimes::add(const TaskRecord& task) {
  const Time from = time_.adds_from(task);
  if (task.kind == Kind::master) return;
  if (task.job >= times_.size()) times_.resize(std::size_t{task.job} + 1);
  times_[task.job] += task.end - from;
}

AdmissionTotals admission_of(const Workload& workload, const SimulationResult& result, Count slots,
                             const JobSlotTimes* times) {
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
  const auto share = [&](Duration used) -> std::optional<double> {
    if (sum.accepted == 0 || last <= first || slots <= 0) return std::nullopt;
    return static_cast<double>(to_ms(used)) /
           (static_cast<double>(slots) * static_cast<double>(to_ms(last - first)));
  };
  Duration used = result.map_busy + result.reduce_busy;
  sum.utilisation_of_all = share(used);
  if (sum.successful < sum.accepted) {
    JobSlotTimes of_trace;
    if (times == nullptr) {
      if (result.trace.empty() && sum.successful > 0) return sum;
      for (const TaskRecord& task : result.trace) of_trace.add(task);
      times = &of_trace;
    }
    used = {};
    for (std::size_t i = 0; i < successful.size(); ++i) {
      if (successful[i]) used += times->of(i);
    }
  }
  sum.utilisation = share(used);
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
