// The searches of `best` (methods/best.h) for batches that PrioritySchedule models: annealing over priority
// rules (methods/annealing.h) and over pairs of orders (methods/order_annealing.h), two searches at a time.
//
// For the makespan the rules start from good orders. For the total completion time both ways get a short
// time; the rest goes to the better one, or to both if they are nearly equal. Rules are better if tasks of a
// job differ much or jobs come one by one, orders if there are many small jobs. With few jobs only rules are
// searched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/plan/methods/annealing.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

struct BestSearchResult {
  std::vector<PriorityRule> rules;  // one or more, the best first
  PlanValue value;                  // of the first
  std::uint64_t evaluations = 0;
  bool stopped = false;
};

// Starts from `plan`, the usual orders and, if not empty, map ends by job in ms, as due times. The limit of
// evaluations is for all searches together. Equal seeds and numbers of evaluations give equal results on any
// machine. O(evaluations · schedule).
[[nodiscard]] BestSearchResult search_rules_and_orders(const PlanningProblem& problem, const Plan& plan,
                                                       std::span<const std::int64_t> map_ends,
                                                       const SearchLimits& limits, const Stop& stop);

}  // namespace wavewright
