// Completion time of a job alone on M map and R reduce slots, in closed form.
//
// There are three models:
//   bounds  [HP §II-B, errata of the printed forms] low and up bracket every greedy assignment of tasks with
//           exactly these means and maxima; avg is their middle;
//   wave    [CLOUD (3.14)] whole waves, each as long as the middle of min and max:
//             ⌈N_M/M⌉·map + first + (⌈N_R/R⌉ − 1)·later + ⌈N_R/R⌉·reduce,
//           where `first` is the mean of the first shuffle and the others are middles (min + max)/2;
//   simple  [CLOUD (3.15)] the same without ceilings: A/M + B/R + C.
// In all models slots beyond the number of tasks have no effect, later waves cost nothing if there are none,
// and the job's overhead is added. Times never grow with slots. O(1).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "wavewright/cluster/cluster.h"
#include "wavewright/predict/statistics.h"

namespace wavewright {

enum class TimeModel : std::uint8_t { wave, low, bounds, up, simple };  // bounds: the middle of low and up
inline constexpr std::array<TimeModel, 5> time_models = {TimeModel::low, TimeModel::bounds, TimeModel::up,
                                                         TimeModel::wave, TimeModel::simple};

[[nodiscard]] std::string to_string(TimeModel model);
[[nodiscard]] TimeModel parse_time_model(const std::string& name);  // throws UsageError with the nearest name

struct Bounds {
  double low_ms = 0;
  double up_ms = 0;
  [[nodiscard]] double avg_ms() const { return (low_ms + up_ms) / 2; }

  friend Bounds operator+(Bounds a, Bounds b) { return {a.low_ms + b.low_ms, a.up_ms + b.up_ms}; }
};

// n tasks, assigned greedily to slots, with k = min(slots, n):
//   low = max(n·avg/k, longest task),  up = (n − 1)·avg/k + max;  both 0 without tasks.
[[nodiscard]] Bounds stage_bounds(Count tasks, const PhaseStatistics& task, Count slots);

// From the last map's end to the last reduce's. With k = min(slots, n), first + later waves:
//   low = max(first.avg + (n/k − 1)·later.avg + n·reduce.avg/k,  longest reduce + shortest shuffle)
//   up  = first.max + [n > k: ((n − 1)/k − 1)·later.avg + later.max, not below 0] + (n − 1)·reduce.avg/k
//         + reduce.max
[[nodiscard]] Bounds reduce_stage_bounds(const JobStatistics& job, Count slots);

// Both stages and the overhead. Throws Infeasible if there are tasks of a kind without slots.
[[nodiscard]] Bounds job_bounds(const JobStatistics& job, SlotPool slots);

// A, B and C of (3.15): A and B in slot-milliseconds, C (with the overhead) in ms.
struct SimpleForm {
  double a = 0;
  double b = 0;
  double c = 0;
};
[[nodiscard]] SimpleForm simple_form(const JobStatistics& job);

// Time by one model; for `bounds` their avg. Throws as job_bounds does.
[[nodiscard]] double completion_ms(const JobStatistics& job, SlotPool slots, TimeModel model);

// The two addends without checks, for searches. Slots must be at least 1; the result is 0 without tasks.
[[nodiscard]] double map_stage_ms(const JobStatistics& job, Count slots, TimeModel model);
[[nodiscard]] double reduce_stage_ms(const JobStatistics& job, Count slots, TimeModel model);

}  // namespace wavewright
