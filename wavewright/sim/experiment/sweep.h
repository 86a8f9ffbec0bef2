// Many simulations at once: every workload on every cluster under every policy for every seed, on all cores.
//
// A seed draws what a workload leaves open (durations given as distributions) and where blocks lie; the same
// for every policy and cluster, so that policies are compared on common random numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct SweepAxes {
  std::vector<std::function<Workload(std::uint64_t seed)>> workloads;
  std::vector<Cluster> clusters;
  std::vector<std::string> policies;  // as make_policy takes them
  std::vector<std::uint64_t> seeds;
  const PolicyRegistry* registry = &standard_policies();  // that `policies` are looked up in

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
  Count jobs = 0;
  Count rejected = 0;
  Count failed = 0;
  Count late = 0;  // not done by their deadline
  Duration makespan{};
  double mean_completion_ms = 0;  // finish − submit, of the jobs not rejected
  Duration p95_completion{};
  double map_utilisation = 0;
  double reduce_utilisation = 0;
  double memory_utilisation = 0;
  std::uint64_t events = 0;
  double engine_seconds = 0;
};

using SweepDone = std::function<void(const SweepRow&, const Workload&, const SimulationResult&)>;

// Cells that `wanted` refuses are left out. `done` is called once a cell, in any order, never twice at once.
// Ends early when `stop` says so; what has begun is finished. The first error of a cell ends all and is
// thrown. Work: that of the simulations; memory: `threads` workloads and results.
void run_sweep(const SweepAxes& axes, unsigned threads, const std::function<bool(const SweepCell&)>& wanted,
               const SweepDone& done, const Stop& stop);

[[nodiscard]] SweepRow summarise(const SweepCell& cell, const Workload& workload, const Cluster& cluster,
                                 const SimulationResult& result);

// Mean of some values and half the width of its 95 % confidence interval (Student's t; infinite for one
// value).
struct MeanInterval {
  double mean = 0;
  double half = 0;
};
[[nodiscard]] MeanInterval mean_interval(const std::vector<double>& values);

}  // namespace wavewright
