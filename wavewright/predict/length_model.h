// Expected lengths of a job's tasks before it runs: a sample to draw from, and its variation.
//
// The logarithm of a task's length is taken as μ + b + w: b is common to all tasks of a run and stage
// (another cluster, other data), w is the task's own. The deviation of w is that of the tasks around their
// run's mean. That of b comes from the runs' means; as runs are few, it is mixed with a prior that weighs as
// much as `prior_runs` runs, and drawn from Student's t (as in predict/calibration.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

struct StageLengths {
  static constexpr double prior_deviation = 0.1;
  static constexpr double prior_runs = 5;

  double within = 0.05;              // deviation of w
  double between = prior_deviation;  // of b, for a run to come
  double freedom = prior_runs;       // of Student's t

  // A draw of b.
  [[nodiscard]] double draw_between(Random& random) const;
};

struct LengthModel {
  // Lengths of tasks to draw from, each kind at most `most_kept`; reduces without their shuffle.
  static constexpr std::size_t most_kept = 2'000;
  std::vector<Duration> map, first_shuffle, shuffle, reduce;
  StageLengths maps, reduces;
  Count runs = 0;                // that it comes from; 0 = the workload file
  Duration startup{}, commit{};  // medians of the runs: to the first task, and from the last
  Duration wait{};               // median between two tasks in one slot

  [[nodiscard]] double mean_map_ms() const;
  // With its shuffle; `later`: it started after the last map's end.
  [[nodiscard]] double mean_reduce_ms(bool later) const;
};

// From successful runs, scaled to the job (predict/scaling.h). O(durations).
[[nodiscard]] LengthModel length_model(std::span<const RunPhases> runs, std::uint64_t seed = 1);
// The model of a job whose tasks a workload file lists: their means.
[[nodiscard]] LengthModel fixed_lengths(Duration map, Duration reduce);

}  // namespace wavewright
