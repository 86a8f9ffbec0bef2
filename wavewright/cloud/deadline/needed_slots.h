// The slots that a job needs for its deadline, from what a policy may see of it [CLOUD §3.5, §4.2].
//
// The length of a task: by the lower bound, the upper bound or their middle [HP §II-B; predict/bounds.h], or
// the waves of tasks that all last a percentile of the job's durations. Reduces last with their later-wave
// shuffle. Nothing else is assumed to run.
#pragma once

#include <optional>

#include "wavewright/predict/bounds.h"
#include "wavewright/sched/view.h"

namespace wavewright {

struct SlotEstimator {
  // low, bounds (their middle) or up; wave and simple are CLOUD's (3.14) and (3.15), with tasks of the mean
  TimeModel bound = TimeModel::bounds;
  std::optional<double> percentile{};  // 0 to 1; instead of the bound
};

struct NeededSlots {
  SlotPool slots;           // the fewest; if even `most` is too few, `most`
  Duration shortest{};      // time with the most slots
  Duration reduce_stage{};  // time of the reduce stage with `slots`
  bool in_time = false;
};

// For a job whose tasks have not started, on nodes of the class. `left`: time until the deadline. `most`:
// slots that can be had; at least one of each kind is taken as there. O(tasks) for a percentile, else about
// O(√tasks · log tasks).
[[nodiscard]] NeededSlots needed_slots(const View& view, JobIndex job, ClassId node_class, Duration left,
                                       SlotPool most, const SlotEstimator& by);

}  // namespace wavewright
