// What `wavewright queue` shows of a run: each job's way through the queue, and the same jobs dispatched as
// they came.
#pragma once

#include "apps/context.h"
#include "wavewright/dispatch/run_queue.h"
#include "wavewright/sim/result.h"

namespace wavewright::app {

struct QueueView {
  const Workload& workload;    // as the jobs arrived
  const DispatchQueue& queue;  // empty again
  QueueRun run;
  SimulationResult ordered;    // of `run.dispatched`
  SimulationResult unordered;  // of `workload`
  std::string policy;          // the cluster's
};

// docs/schemas/queue.schema.json. Improvements are (unordered − ordered) / ordered [ORDER §5.2].
[[nodiscard]] Json to_json(const QueueView& view);

// Tables on standard output; of more jobs than a screen holds only the first, unless `all`.
void print(const QueueView& view, bool all);

}  // namespace wavewright::app
