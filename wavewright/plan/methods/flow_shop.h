// The order of jobs with the least total completion time in a permutation flow shop of two machines. A
// batch on one map and one reduce slot is such a shop if all jobs have maps and reduces and are submitted
// at time 0; so is a batch on more slots if the tasks of every job fill the slots in whole waves.
//
// Dynamic programming over sets of jobs, by size, with dominance. A state of a set is the instant when the
// second machine ends (the first ends at the sum of the set's maps in any order) and the sum of ends so far.
// With q jobs still to come:
// - a state that ends no later, with no larger sum, dominates: each of the q jobs ends no later;
// - so does a state that ends d later with a sum smaller by q·d: each of the q jobs ends at most d later;
// - a state is dropped if a lower bound on its continuation reaches the best known order. The bounds are each
//   machine alone, and the assignment of jobs to positions (bounds/position_bound.h), once for each set.
// With one state for each set this is plain dynamic programming over 2^n sets. The first incumbent comes from
// a local search.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/job/job.h"
#include "wavewright/plan/bounds/position_bound.h"

namespace wavewright {

struct FlowShopOrder {
  std::vector<std::uint32_t> order;
  std::int64_t total = 0;  // Σ of ends
  std::int64_t bound = 0;  // lower bound on the total of any order
  std::uint64_t states = 0;
  bool complete = false;  // `bound` is `total`
  bool stopped = false;   // by `stop`, not by `most_states`
};

// For up to 32 jobs (throws InternalError otherwise), all lengths at least 1. Keeps up to `most_states`
// states of 32 bytes. `start`, an order of all jobs, replaces the local search as first incumbent.
[[nodiscard]] FlowShopOrder least_total_flow_shop(std::span<const FlowJob> jobs, std::uint64_t most_states,
                                                  std::uint64_t seed, const Stop& stop,
                                                  std::span<const std::uint32_t> start = {});

// The batch as such a shop: map and reduce waves of each job. Empty if it is not one, or if a first shuffle
// differs from the later one.
[[nodiscard]] std::optional<std::vector<FlowJob>> as_flow_shop(const Workload& batch, SlotPool pool);

// Σ of ends in that order.
[[nodiscard]] std::int64_t flow_shop_total(std::span<const FlowJob> jobs,
                                           std::span<const std::uint32_t> order);

}  // namespace wavewright
