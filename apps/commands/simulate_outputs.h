// Outputs of `wavewright simulate` besides its table: tasks, nodes and intervals as files, the run as a page,
// and which jobs to explain.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "apps/context.h"
#include "wavewright/sim/metrics/map_locality.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

// Data for --nodes, --intervals and the summary, summed up during the simulation.
struct StreamedUsage {
  std::optional<NodeUsageSums> nodes;  // for --nodes, or if the cluster file tells power or prices
  std::optional<IntervalUsageSums> intervals;
  std::optional<MapLocalitySums> maps;  // if blocks have places
  std::optional<JobSlotTimes> slots;    // if jobs have deadlines
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
  // `name`: the workload's. Contents that cannot be written are refused before any file is written. Returns
  // what all nodes used, if `usage` has it; NodeUsageSums::energy is known then.
  [[nodiscard]] std::optional<UsageTotals> write(const SimulationResult& result, StreamedUsage& usage,
                                                 const Workload& workload, const Cluster& cluster,
                                                 const std::string& name, const std::string& policy) const;

  // The jobs that --why names. Throws as `check` does.
  [[nodiscard]] std::vector<JobIndex> jobs_to_explain(const Workload& workload) const;

 private:
  [[nodiscard]] std::string page(const SimulationResult& result, const Workload& workload,
                                 const Cluster& cluster, const std::string& name,
                                 const std::string& policy) const;

  std::string trace_, nodes_, intervals_, batsim_jobs_, report_;
  std::vector<std::string> why_;
  std::string interval_ = "60s";
};

}  // namespace wavewright::app
