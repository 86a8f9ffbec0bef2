// Positions of jobs by ascending key; equal keys keep their order. Internal to the rules.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

template <class Key>
[[nodiscard]] std::vector<JobIndex> sorted_by(const std::vector<Key>& keys) {
  std::vector<JobIndex> order(keys.size());
  std::iota(order.begin(), order.end(), JobIndex{0});
  std::stable_sort(order.begin(), order.end(), [&](JobIndex a, JobIndex b) { return keys[a] < keys[b]; });
  return order;
}

}  // namespace wavewright
