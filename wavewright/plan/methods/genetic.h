// Genetic search over single orders [CLOUD Alg. 4, with the readings of docs/use/planning.md]: the fitness of
// an order is 1 / its value; parents are chosen by roulette; a child takes the first jobs of one parent and
// the rest in the order of the other, for the printed crossover breaks permutations; now and then two of its
// jobs change places. The best order survives.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {

struct GeneticSizes {
  std::size_t population = 40;
  std::uint64_t generations = 100;
  double mutation = 0.2;  // probability that a child's jobs change places
};

struct GeneticResult {
  std::vector<JobIndex> order;
  Value value;
  std::uint64_t evaluations = 0;
  bool stopped = false;
};

// From random orders on, and `start` where it is not empty. O(population · generations) evaluations.
[[nodiscard]] GeneticResult genetic_search(OrderEvaluator& evaluator, Objective objective, GeneticSizes sizes,
                                           const std::vector<JobIndex>& start, Random& random,
                                           const Stop& stop);

[[nodiscard]] std::unique_ptr<Planner> make_genetic();

}  // namespace wavewright
