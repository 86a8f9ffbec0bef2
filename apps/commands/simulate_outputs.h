// What `wavewright simulate` writes and says beside its table: tasks, nodes and intervals as files, all of it
// as a page, and why a job took as long as it did.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/context.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

class SimulationOutputs {
 public:
  void declare(CLI::App& command);

  // Throw UsageError before anything runs: on outputs that make no sense or would overwrite an input, and on
  // a job to explain that the workload has not.
  void check(const std::vector<std::string>& inputs) const;
  void check(const Workload& workload) const;
  [[nodiscard]] bool needs_trace() const;
  // `name`: the workload's. What cannot be written for its content is refused before any file is.
  void write(const SimulationResult& result, const Workload& workload, const Cluster& cluster,
             const std::string& name, const std::string& policy) const;

  // The job that --why names; empty = none.
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] Json why_json(const SimulationResult& result, const Workload& workload,
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
