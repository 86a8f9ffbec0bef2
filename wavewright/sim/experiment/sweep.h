// Many simulations on several threads: every workload on every cluster under every policy for every seed.
//
// A seed determines what a workload leaves open (durations given as distributions), block places and faults.
// It is the same for every policy and cluster, so policies are compared on common random numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/run_counts.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct SweepAxes {
  std::vector<std::function<Workload(std::uint64_t seed)>> workloads;
  std::vector<Cluster> clusters;
  std::vector<std::string> policies;  // as in make_policy
  std::vector<std::uint64_t> seeds;
  const PolicyRegistry* registry = &standard_policies();  // where `policies` are looked up

  [[nodiscard]] std::size_t size() const {
    return workloads.size() * clusters.size() * policies.size() * seeds.size();
  }
};

struct SweepCell {
  std::size_t workload = 0;
  std::size_t cluster = 0;
  std::size_t policy = 0;
  std::uint64_t seed = 0;

  friend auto operator<=>(const SweepCell&, const SweepCell&) = default;
};

struct SweepRow {
  SweepCell cell;
  RunCounts counts;
  Count late = 0;  // not done by their deadline, for whatever reason
  Duration makespan{};
  // finish − submit of the jobs that are done; none if no job is.
  std::optional<double> mean_completion_ms;
  std::optional<Duration> p95_completion;
  double map_utilisation = 0;
  double reduce_utilisation = 0;
  double memory_utilisation = 0;
  std::optional<double> energy_j;  // none where the cluster file tells no power
  std::optional<double> cost_usd;  // none where it tells no prices
  // Of maps; none without maps that are done, or where blocks have no places [UNL eqs 4.1, 4.2].
  std::optional<double> locality_rate, map_response_ms;
  // None where no job has a deadline (sim/metrics/promises.h) [UNL §5.3.2].
  std::optional<double> accept_ratio, success_ratio, utilisation, utilisation_of_all;
  std::uint64_t events = 0;
  double engine_seconds = 0;
};

using SweepDone = std::function<void(const SweepRow&, const Workload&, const SimulationResult&)>;

// Skips cells that `wanted` refuses. Calls `done` once per cell, in any order; calls do not overlap. Ends
// early if `stop` says so, after the cells that have begun. The first error of a cell ends the sweep and is
// thrown. Time: that of the simulations; memory: `threads` workloads and results.
void run_sweep(const SweepAxes& axes, unsigned threads, const std::function<bool(const SweepCell&)>& wanted,
               const SweepDone& done, const Stop& stop);

[[nodiscard]] SweepRow summarise(const SweepCell& cell, const Workload& workload, const Cluster& cluster,
                                 const SimulationResult& result);

// Mean, and half the width of its 95 % confidence interval (Student's t; infinite for one value).
struct MeanInterval {
  double mean = 0;
  double half = 0;
};
[[nodiscard]] MeanInterval mean_interval(const std::vector<double>& values);

}  // namespace wavewright
