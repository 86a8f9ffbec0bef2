// The length that a real-time policy takes a job's tasks to have at most.
#pragma once

#include "wavewright/core/parameters.h"
#include "wavewright/sched/view.h"

namespace wavewright {

struct TaskBound {
  enum class Of { max, mean, quantile };
  Of of = Of::max;
  double quantile = 1;

  // On the node class that is slowest for the job, of those that are present. O(classes); a quantile
  // O(classes · tasks).
  [[nodiscard]] Duration length(const View& view, JobIndex job, Kind kind) const;
};

// Of `estimate=max|mean|N%`.
[[nodiscard]] TaskBound read_task_bound(Parameters& parameters);
[[nodiscard]] Parameter task_bound_parameter();

}  // namespace wavewright
