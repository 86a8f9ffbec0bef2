// Moves of jobs in an order, and when a schedule may notice them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

// Takes the job at position `from` to position `to`, or swaps the jobs of the two positions.
struct OrderMove {
  std::size_t from = 0;
  std::size_t to = 0;
  bool swaps = false;
};

// O(|from − to|).
void move_job(const OrderMove& move, std::span<JobIndex> order);

// Instants of a stage's schedule by job, ms. Without tasks in the stage, `first` is no_time and `last` −1.
struct ServingTimes {
  std::vector<std::int64_t> ready;        // when its tasks may start
  std::vector<std::int64_t> first, last;  // when the first and the last of its tasks start
};

// Before the first instant returned, the stage decides as without the move; `no_time` if the move changes
// nothing. `order` is that of the schedule. Two jobs whose order changes matter only while one is served and
// the other waits. O(|from − to|).
[[nodiscard]] std::int64_t differs_from(const OrderMove& move, std::span<const JobIndex> order,
                                        const ServingTimes& times);

}  // namespace wavewright
