// A simulated run of a dispatching queue, compared with the same jobs dispatched in order of arrival.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/dispatch/ordering_engine.h"
#include "wavewright/dispatch/run_queue.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct QueueOutcome {
  std::shared_ptr<const Workload> workload;  // as the jobs arrived
  std::string when;                          // the reorder policy
  OrderingEngine engine;
  QueueRun run;
  SimulationResult ordered;    // of `run.dispatched`
  SimulationResult unordered;  // of `workload`
  std::string policy;          // of the cluster
};

// Rejected and failed jobs do not count.
struct QueueTotals {
  double makespan = 0;          // ms
  double total_completion = 0;  // ms, from arrival
  double value = 0;             // of the engine's objective, or of its own one
};
[[nodiscard]] QueueTotals ordered_totals(const QueueOutcome& outcome);
[[nodiscard]] QueueTotals unordered_totals(const QueueOutcome& outcome);

// (unordered − ordered) / ordered [ORDER §5.2]; empty unless `ordered` is above 0.
[[nodiscard]] std::optional<double> improvement(double unordered, double ordered);

// The outcome of each job in the ordered run, by position in the workload. Points into `outcome`.
[[nodiscard]] std::vector<const JobOutcome*> outcomes_of(const QueueOutcome& outcome);

}  // namespace wavewright
