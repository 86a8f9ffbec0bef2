// Distribution of a job's completion time: many simulations with task durations drawn from its runs.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/predict/run_model.h"

namespace wavewright {

// The parts of a run's time, in order.
struct RunStages {
  double startup_ms = 0;
  double map_ms = 0;
  double reduce_ms = 0;  // from the last map's end: shuffle and reduce
  double commit_ms = 0;

  [[nodiscard]] double total_ms() const { return startup_ms + map_ms + reduce_ms + commit_ms; }
};

struct Percentiles {
  double p5_ms = 0;  // p5 to p95: an interval that holds 90 % of runs (predict/calibration.h)
  double p50_ms = 0;
  double p95_ms = 0;
  double mean_ms = 0;
  std::vector<double> totals_ms;  // ascending, with the variation between runs
  // The time that this share of runs does not exceed; 0.5 is p50, 0.95 is p95.
  [[nodiscard]] double at(double share) const;
  Count replications = 0;  // number simulated; fewer than requested for very many tasks
  RunStages stages;        // means; their sum is mean_ms
};

// Of ascending numbers, type 7; 0 if there are none.
[[nodiscard]] double quantile_of(const std::vector<double>& ascending, double q);

struct SimulatedRuns {
  std::vector<double> totals_ms;  // ascending, submission to finish
  RunStages stages;               // means
  [[nodiscard]] double quantile(double q) const { return quantile_of(totals_ms, q); }
  // Standard deviation of the logarithm of a total.
  [[nodiscard]] double log_deviation() const;
};

struct JobShape {
  Count maps = 0;
  Count reduces = 0;
  SlotPool slots;
};

// Each replication draws a run of the model, then from it each task's duration and wait, independently and
// with replacement. It takes the run's start-up and commit and runs the job alone on the slots
// (predict/single_job.h). Equal seeds give equal draws on every machine. If a kind has more than
// `tasks_at_once` tasks, only the last waves (twenty, down to four for many slots) are drawn one by one; the
// others enter as their sum, normally distributed. Throws UsageError if even that is too much, Infeasible if
// there are tasks but no slots. O(replications · tasks · log slots); replications are reduced so that it
// takes at most a second or two.
inline constexpr Count tasks_at_once = 300'000;
inline constexpr Count least_replications = 20;  // the least for p5 and p95; never reduced further
[[nodiscard]] SimulatedRuns simulate_runs(const RunModel& model, const JobShape& shape, std::uint64_t seed,
                                          Count replications = 300);

}  // namespace wavewright
