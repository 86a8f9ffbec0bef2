// Facts of a workload's jobs, as policies see them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sched/view.h"

namespace wavewright {

// The texts are views into `job`, which must outlive them. O(1).
[[nodiscard]] JobFacts facts_of(const Job& job, std::span<const JobIndex> predecessors);

// The q-quantile of task durations at speed 1, reduces with the longer of their shuffles; 0 without tasks.
// O(tasks).
[[nodiscard]] Duration quantile_of(const Job& job, Kind kind, double q);

// The q-quantile: the least value that is at least a share `q` of the values; 0 without values. O(values).
template <class Value>
[[nodiscard]] Value order_statistic(std::vector<Value> values, double q) {
  if (values.empty()) return {};
  const double rank = std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(values.size()));
  const auto at = values.begin() + std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(rank) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace wavewright
