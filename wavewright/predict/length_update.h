// Updates the expected lengths of tasks from those that a run has done and that it has running.
//
// The run's shift b (predict/length_model.h) is estimated from the tasks that are done and those that run:
// one that runs is at least as long as it has run so far (a censored observation; the mean of the rest of the
// normal distribution stands for it, by expectation and maximisation). Without those that run, the
// short tasks, which end first, would make every run look fast. With the profile as prior this is the
// posterior; without it, the measured shift alone.
#pragma once

#include <optional>
#include <span>

#include "wavewright/predict/length_model.h"

namespace wavewright {

// A task's length, or how long it has run, as the logarithm of its ratio to the mean that was expected.
struct SeenLength {
  double log_ratio = 0;
  bool done = false;
};

struct LengthUpdate {
  double shift = 0;      // of the run: posterior mean of b
  double deviation = 0;  // of that
  double measured = 0;   // b from the run's tasks alone
  double strays_by = 0;  // `measured` in deviations of what the profile expects of so many tasks
  Count done = 0;        // tasks that are done
};

// Nothing is known without a task that is done: shift 0, deviation `between`. O(tasks).
[[nodiscard]] LengthUpdate update_lengths(std::span<const SeenLength> seen, const StageLengths& expected);

// A run drifts if its lengths are outside the interval that holds 99.9 % of the runs of its profile
// (Student's t), by at least a fifth, with at least three tasks done.
struct DriftRule {
  double share = 0.999;
  double least_change = 0.2;
  Count least_done = 3;
};
// The factor of its lengths to those expected, if it drifts.
[[nodiscard]] std::optional<double> drift_of(const LengthUpdate& update, const StageLengths& expected,
                                             const DriftRule& rule = {});

}  // namespace wavewright
