#include "wavewright/sim/experiment/replicate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace wavewright {

namespace {

// The value that this part of the values does not exceed. `values` must not be empty.
Duration at_rank(std::vector<double> values, double part) {
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size()) - 1e-9));
  const std::size_t at = std::max<std::size_t>(1, rank) - 1;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return ms(static_cast<std::int64_t>(values[at]));
}

// Results of one replication.
struct Seen {
  RunCounts counts;
  double makespan = 0;
  std::optional<double> mean;
  std::vector<std::optional<double>> completions;  // of the jobs that succeeded
  std::vector<bool> late;
  std::optional<double> energy_j, cost_usd;
};

Seen seen_in(const SweepRow& row, const Workload& workload, const SimulationResult& result) {
  Seen seen{row.counts, static_cast<double>(to_ms(row.makespan)), row.mean_completion_ms, {}, {}, {}, {}};
  seen.energy_j = row.energy_j;
  seen.cost_usd = row.cost_usd;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    const bool done = is_done(job);
    seen.completions.push_back(done ? std::optional(static_cast<double>(to_ms(job.finish - job.submit)))
                                    : std::nullopt);
    const std::optional<Time>& deadline = workload.jobs[i].deadline;
    seen.late.push_back(deadline && (!done || job.finish > *deadline));
  }
  return seen;
}

void add_if_known(std::optional<double>& sum, const std::optional<double>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

JobSpread spread_of(const std::map<std::uint64_t, Seen>& all, std::size_t index) {
  JobSpread job;
  std::vector<double> completions;
  for (const auto& [seed, seen] : all) {
    job.late += seen.late[index] ? 1 : 0;
    if (seen.completions[index]) completions.push_back(*seen.completions[index]);
  }
  job.done = static_cast<Count>(completions.size());
  if (completions.empty()) return job;
  job.completion_ms = mean_interval(completions);
  job.p95_completion = at_rank(completions, 0.95);
  return job;
}

}  // namespace

Replications replicate(const std::function<Workload(std::uint64_t seed)>& workload, const Cluster& cluster,
                       const ReplicateOptions& options, const std::function<void(Count)>& progress,
                       const Stop& stop) {
  SweepAxes axes;
  axes.workloads = {workload};
  axes.clusters = {cluster};
  axes.policies = {options.policy};
  axes.registry = options.registry;
  axes.seeds.resize(static_cast<std::size_t>(options.count));
  std::iota(axes.seeds.begin(), axes.seeds.end(), options.first_seed);
  std::map<std::uint64_t, Seen> all;  // by seed: sums do not depend on which run ends first
  run_sweep(
      axes, options.threads, [](const SweepCell&) { return true; },
      [&](const SweepRow& row, const Workload& made, const SimulationResult& result) {
        all.emplace(row.cell.seed, seen_in(row, made, result));
        progress(static_cast<Count>(all.size()));
      },
      stop);
  Replications replications;
  replications.count = static_cast<Count>(all.size());
  if (all.empty()) return replications;
  std::vector<double> makespans, means;
  for (const auto& [seed, seen] : all) {
    replications.counts += seen.counts;
    makespans.push_back(seen.makespan);
    add_if_known(replications.energy_j, seen.energy_j);
    add_if_known(replications.cost_usd, seen.cost_usd);
    if (seen.mean) means.push_back(*seen.mean);
  }
  const auto runs = static_cast<double>(all.size());
  if (replications.energy_j) *replications.energy_j /= runs;
  if (replications.cost_usd) *replications.cost_usd /= runs;
  replications.makespan_ms = mean_interval(makespans);
  if (!means.empty()) replications.mean_completion_ms = mean_interval(means);
  replications.p5_makespan = at_rank(makespans, 0.05);
  replications.p50_makespan = at_rank(makespans, 0.5);
  replications.p95_makespan = at_rank(makespans, 0.95);
  for (std::size_t i = 0; i < all.begin()->second.completions.size(); ++i)
    replications.jobs.push_back(spread_of(all, i));
  return replications;
}

}  // namespace wavewright
