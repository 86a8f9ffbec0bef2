// Simulates one workload on one cluster under one policy for many seeds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/sim/experiment/sweep.h"

namespace wavewright {

struct JobSpread {
  // Over the replications in which the job succeeded.
  MeanInterval completion_ms;  // finish − submit
  Duration p95_completion{};
  // Numbers of replications.
  Count done = 0;
  Count late = 0;  // not done by its deadline, for whatever reason
};

struct Replications {
  Count count = 0;              // replications simulated
  std::vector<JobSpread> jobs;  // as in the workload
  RunCounts counts;             // over all replications
  MeanInterval makespan_ms;
  // Of the jobs that are done; over the replications in which a job is. None if there is no such.
  std::optional<MeanInterval> mean_completion_ms;
  Duration p5_makespan{};  // by nearest rank
  Duration p50_makespan{};
  Duration p95_makespan{};
  // Means of a replication; none where the cluster file tells no power, or no prices.
  std::optional<double> energy_j, cost_usd;
};

struct ReplicateOptions {
  std::string policy;  // as in make_policy
  std::uint64_t first_seed = 1;
  Count count = 100;  // at least 2; seeds first_seed, first_seed + 1, …
  unsigned threads = 1;
  const PolicyRegistry* registry = &standard_policies();  // where `policy` is looked up
};

// `workload(seed)` must give the same jobs for every seed, with new durations; several threads call it.
// `progress` gets the number of replications done; calls do not overlap. Ends early if `stop` says so.
// Intervals of 95 % (Student's t), infinite for one replication. Time: the simulations'; memory: a duration
// per job and run.
[[nodiscard]] Replications replicate(const std::function<Workload(std::uint64_t seed)>& workload,
                                     const Cluster& cluster, const ReplicateOptions& options,
                                     const std::function<void(Count)>& progress, const Stop& stop);

}  // namespace wavewright
