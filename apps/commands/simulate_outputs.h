// What `wavewright simulate` writes and says beside its table: tasks, nodes and intervals as files, all of it
// as a page, and why a job took as long as it did.
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

// What --nodes and --intervals ask for, summed up while the simulation goes on.
struct StreamedUsage {
  std::optional<NodeUsageSums> nodes;
  std::optional<IntervalUsageSums> intervals;
};

class SimulationOutputs {
 public:
  void declare(CLI::App& command);

  // Throw UsageError before anything runs: on outputs that make no sense or would overwrite an input, and on
  // a job to explain that the workload has not.
  void check(const std::vector<std::string>& inputs) const;
  void check(const Workload& workload) const;
  [[nodiscard]] bool needs_trace() const;
  // Whether they must be kept until all is over: their own file and the sums over them need none.
  [[nodiscard]] bool keeps_tasks() const;
  // Calls `simulate` with what takes the tasks as they end; null where nobody wants them so.
  [[nodiscard]] StreamedUsage stream_tasks(const Workload& workload, const Cluster& cluster,
                                           const std::function<void(TaskSink*)>& simulate) const;
  // `name`: the workload's. What cannot be written for its content is refused before any file is.
  void write(const SimulationResult& result, StreamedUsage usage, const Workload& workload,
             const Cluster& cluster, const std::string& name, const std::string& policy) const;

  // The job that --why names; empty = none.
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
