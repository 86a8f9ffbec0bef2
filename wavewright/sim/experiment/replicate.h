// One workload on one cluster under one policy, simulated for many seeds: what a run tells by chance and what
// holds on average.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wavewright/sim/experiment/sweep.h"

namespace wavewright {

// Of the replications in which the job ended well.
struct JobSpread {
  MeanInterval completion_ms;  // finish − submit
  Duration p95_completion{};
  Count done = 0;
  Count late = 0;  // done after its deadline
};

struct Replications {
  Count count = 0;              // those simulated
  std::vector<JobSpread> jobs;  // as in the workload
  MeanInterval makespan_ms;
  MeanInterval mean_completion_ms;
  Duration p5_makespan{};  // by nearest rank
  Duration p50_makespan{};
  Duration p95_makespan{};
};

struct ReplicateOptions {
  std::string policy;  // as make_policy takes it
  std::uint64_t first_seed = 1;
  Count count = 100;  // from 2; seeds first_seed, first_seed + 1, …
  unsigned threads = 1;
  const PolicyRegistry* registry = &standard_policies();  // that `policy` is looked up in
};

// `workload(seed)` must give the same jobs for every seed, their durations drawn anew; it is called from
// several threads. `progress` is told how many are done, never twice at once. Ends early when `stop` says so.
// Intervals are of 95 % (Student's t), infinite below two replications. Work: that of the simulations;
// memory: a time a job and replication.
[[nodiscard]] Replications replicate(const std::function<Workload(std::uint64_t seed)>& workload,
                                     const Cluster& cluster, const ReplicateOptions& options,
                                     const std::function<void(Count)>& progress, const Stop& stop);

}  // namespace wavewright
