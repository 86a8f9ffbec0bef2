// Genetic search over single orders [CLOUD Alg. 4, with the readings of docs/use/planning.md].
//
// The fitness of an order is 1 / value. Parents are chosen by roulette. A child takes the first jobs of one
// parent and the rest in the order of the other (the printed crossover breaks permutations). A mutation
// swaps two jobs. The best order survives.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

struct GeneticSizes {
  std::size_t population = 40;
  std::uint64_t generations = 100;
  double mutation = 0.2;  // probability that two jobs of a child are swapped
};

struct GeneticResult {
  std::vector<JobIndex> order;
  PlanValue value;
  std::uint64_t evaluations = 0;
  bool stopped = false;
};

// Starts from random orders, and from `start` unless it is empty. O(population · generations) evaluations.
[[nodiscard]] GeneticResult genetic_search(AnySchedule& evaluator, Objective objective, GeneticSizes sizes,
                                           const std::vector<JobIndex>& start, Random& random,
                                           const Stop& stop);

[[nodiscard]] std::unique_ptr<Planner> make_genetic();

}  // namespace wavewright
