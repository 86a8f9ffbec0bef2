// How a job's completion time varies: simulated again and again with task durations drawn from its runs.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/predict/run_model.h"

namespace wavewright {

// Means over the simulated runs; they add up to mean_ms.
struct PhaseTimes {
  double startup_ms = 0;
  double map_ms = 0;
  double reduce_ms = 0;  // shuffle and reduce: from the last map's end
  double commit_ms = 0;

  [[nodiscard]] double total_ms() const { return startup_ms + map_ms + reduce_ms + commit_ms; }
};

struct Percentiles {
  double p5_ms = 0;  // with p95 an interval that holds 90 % of runs (predict/calibration.h)
  double p50_ms = 0;
  double p95_ms = 0;
  double mean_ms = 0;
  Count replications = 0;  // that were simulated: fewer than asked where the tasks are very many
  PhaseTimes stages;
};

struct SimulatedRuns {
  std::vector<double> totals_ms;  // ascending, submission to finish
  PhaseTimes stages;
  [[nodiscard]] double quantile(double q) const;  // type 7
  // Standard deviation of the logarithm of a total.
  [[nodiscard]] double log_deviation() const;
};

struct JobShape {
  Count maps = 0;
  Count reduces = 0;
  SlotPool slots;
};

// Each replication draws a run of the model, then every task's duration and wait out of it, independently and
// with replacement, takes its start-up and commit, and runs the job alone on the slots
// (predict/single_job.h). Draws of one seed are the same on every machine. Where there are more than
// `tasks_at_once` tasks of a kind, all but the last twenty waves (four, where slots are many) enter as their
// sum, normally distributed; UsageError where even those are too many. Infeasible where there are tasks and
// no slots. O(replications · tasks · log slots), the replications lowered so that this stays within a second
// or two.
inline constexpr Count tasks_at_once = 300'000;
inline constexpr Count least_replications = 20;  // that p5 and p95 can rest on; not lowered further
[[nodiscard]] SimulatedRuns simulate_runs(const RunModel& model, const JobShape& shape, std::uint64_t seed,
                                          Count replications = 300);

}  // namespace wavewright
