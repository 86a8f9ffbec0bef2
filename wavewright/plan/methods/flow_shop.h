// The order of jobs with the least total completion time in a flow shop of two machines, the same order on
// both: what a batch on one map and one reduce slot is, whose jobs have maps and reduces and are all there;
// and one on more slots, where the tasks of every job fill them in whole waves.
//
// Sets of jobs, one size after the other: of all orders of a set only those states are kept that may lead to
// the best. A state is when the second machine ends (the first ends with the set's maps, in any order) and
// the sum of ends so far. With q jobs still to come,
//  - a state that ends no later, with no larger sum, leads to no worse an order: the same jobs behind it end
//    no later, one by one;
//  - nor does one that ends d later, with a sum that is q·d smaller: each of the q ends at most d later;
//  - a state goes where a lower bound of what can follow it reaches the best order known: either machine
//  alone,
//    and the assignment of jobs to places (bounds/position_bound.h), solved once a set.
// Where one state a set remains this is dynamic programming over 2^n sets. The best order known at first is
// that of a local search.
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
  std::int64_t total = 0;  // Σ of its ends
  std::int64_t bound = 0;  // no order has less
  std::uint64_t states = 0;
  bool complete = false;  // `bound` is `total`
  bool stopped = false;   // by `stop`, not by `most_states`
};

// Of up to 32 jobs (throws Defect otherwise), lengths from 1. Keeps up to `most_states` of 32 bytes. A
// `start` of all jobs is the best order known at first, in place of a local search's.
[[nodiscard]] FlowShopOrder least_total_flow_shop(std::span<const FlowJob> jobs, std::uint64_t most_states,
                                                  std::uint64_t seed, const Stop& stop,
                                                  std::span<const std::uint32_t> start = {});

// The batch as such a shop: for each job its map and its reduce waves. None where it is none, or where a
// shuffle is longer in one wave than in another.
[[nodiscard]] std::optional<std::vector<FlowJob>> as_flow_shop(const Workload& batch, SlotPool pool);

// Σ of the ends of that order.
[[nodiscard]] std::int64_t flow_shop_total(std::span<const FlowJob> jobs,
                                           std::span<const std::uint32_t> order);

}  // namespace wavewright
