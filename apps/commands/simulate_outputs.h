// Outputs of `wavewright simulate` besides its table: tasks, nodes and intervals as files, the run as a page,
// and the explanation of a job's time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "apps/context.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

// Data for --nodes and --intervals, summed up during the simulation.
struct StreamedUsage {
  std::optional<NodeUsageSums> nodes;
  std::optional<IntervalUsageSums> intervals;
};

class SimulationOutputs {
 public:
  void declare(CLI::App& command);

  // Throw UsageError before anything runs: for outputs that cannot be combined or would overwrite an input,
  // and for a job to explain that the workload does not have.
  void check(const std::vector<std::string>& inputs) const;
  void check(const Workload& workload) const;
  [[nodiscard]] bool needs_trace() const;
  // Must tasks be kept until the end? The tasks' own file and the sums do not need it.
  [[nodiscard]] bool keeps_tasks() const;
  // Calls `simulate` with a sink for tasks as they end; null if none is needed.
  [[nodiscard]] StreamedUsage stream_tasks(const Workload& workload, const Cluster& cluster,
                                           const std::function<void(TaskSink*)>& simulate) const;
  // `name`: the workload's. Contents that cannot be written are refused before any file is written.
  void write(const SimulationResult& result, StreamedUsage usage, const Workload& workload,
             const Cluster& cluster, const std::string& name, const std::string& policy) const;

  // The job of --why; empty = none.
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] Json why_document(const SimulationResult& result, const Workload& workload,
                                  const Cluster& cluster) const;
  void print_why(const SimulationResult& result, const Workload& workload, const Cluster& cluster) const;

 private:
  [[nodiscard]] std::string page(const SimulationResult& result, const Workload& workload,
                                 const Cluster& cluster, const std::string& name,
                                 const std::string& policy) const;

  std::string trace_, nodes_, intervals_, batsim_jobs_, report_, why_;
  std::string interval_ = "60s";
};

}  // namespace wavewright::app
