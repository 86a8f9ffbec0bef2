// The summary of `wavewright sweep`: each policy on each workload and cluster, over all seeds.
#pragma once

#include <optional>
#include <vector>

#include "apps/commands/sweep_file.h"

namespace wavewright::app {

// A policy on one workload and cluster. Completion times are of the jobs that are done.
struct SweepSummary {
  SweepCell cell;  // its seed means nothing
  std::size_t runs = 0;
  MeanInterval makespan;                   // ms
  std::optional<MeanInterval> completion;  // mean per run, ms; none if no job of any run is done
  // How far `completion` is from the first policy's with the same seeds, in percent; none if no seed has
  // both.
  std::optional<MeanInterval> difference;
  double late = 0;   // jobs per run
  RunCounts counts;  // of all runs
  // Means of a run; none where the cluster file tells no power, or no prices.
  std::optional<double> energy_j, cost_usd;
  // One entry for each of run_metrics, in their order; absent if no run has a value.
  std::vector<std::optional<MeanInterval>> metrics;

  [[nodiscard]] double per_run(Count count) const {
    return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, runs));
  }
};

[[nodiscard]] std::vector<SweepSummary> summaries_of(const SweepAxes& axes, const SweepResults& results);

void print_summary(const SweepFile& file, const std::vector<SweepSummary>& summaries);

// The document of --json (docs/formats/schemas/sweep.schema.json).
[[nodiscard]] Json summary_json(const SweepFile& file, const SweepResults& results,
                                const std::vector<SweepSummary>& summaries, bool partial);

}  // namespace wavewright::app
