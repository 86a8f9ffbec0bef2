// SIM: the best order of a few waiting jobs, found by simulating orders [ORDER §4.3].
//
// The model is that of the planners: the jobs alone on an empty pool, all submitted at `now`, slow-start 1,
// every task as long as its stage's mean. The cluster's remaining work is not in the model (papers.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/dispatch/ordering_engine.h"

namespace wavewright {

// Most jobs of a search: bounds prune the search for a planned objective; for others each order is tried.
inline constexpr std::size_t most_searched = 12;
inline constexpr std::size_t most_permuted = 9;
[[nodiscard]] std::size_t most_jobs_searched(const OrderingEngine& engine);

struct SearchedOrder {
  std::vector<JobIndex> order;
  double value = 0;  // of the objective, in the model
  std::uint64_t evaluated = 0;
  bool stopped = false;  // before every order was seen or ruled out
};

// Gives `start` if no order is better. At most `most_jobs_searched` jobs; O(jobs! · jobs) at worst.
[[nodiscard]] SearchedOrder search_orders(const OrderingEngine& engine, std::span<const WaitingJob> jobs,
                                          Time now, const std::vector<JobIndex>& start, const Stop& stop);

// The objective of one order in that model.
[[nodiscard]] double value_of_order(const OrderingEngine& engine, std::span<const WaitingJob> jobs, Time now,
                                    std::span<const JobIndex> order);

}  // namespace wavewright
