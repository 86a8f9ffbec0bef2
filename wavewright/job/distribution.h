// Distributions of task durations, written as in the workload file: `lognormal(9.9511,1.6764)`.
//
// Parameters are in ms; those of lognormal are mean and deviation of ln(ms). Drawn durations are whole ms, at
// least 1; only `const(0)` gives 0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/random.h"
#include "wavewright/core/time.h"

namespace wavewright {

struct Distribution {
  enum class Shape : std::uint8_t { constant, uniform, normal, lognormal };
  Shape shape = Shape::constant;
  double first = 0;   // value, lower end, mean, mean of the logarithm
  double second = 0;  // –, upper end, standard deviation, deviation of the logarithm

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

// Reads `const(x)`, `uniform(a,b)`, `normal(m,s)`, `lognormal(mu,sigma)`. Throws UsageError for anything
// else, for parameters that are not finite, and for a normal mean more than three deviations below 0, as its
// draws are hardly ever positive.
[[nodiscard]] Distribution parse_distribution(std::string_view text);
[[nodiscard]] std::string to_string(const Distribution& distribution);

// A real number in ms, redrawn until it is above 0 (except const). This raises the mean of a normal
// distribution: N(154, 558) gives 506 on average [HP §IV-A, papers' errata].
[[nodiscard]] double draw_positive(const Distribution& distribution, Random& random);

// Whole ms. Throws UsageError if a draw exceeds `longest_duration`.
[[nodiscard]] Duration draw(const Distribution& distribution, Random& random);
[[nodiscard]] std::vector<Duration> draw(const Distribution& distribution, Count count, Random& random);

// Known range of a phase's durations, in ms: min ≤ mean ≤ max.
struct DurationRange {
  double min = 0;
  double mean = 0;
  double max = 0;
};

// PERT: the beta distribution on [min, max] with this mean and shape parameters of sum 6, α = 6·(mean −
// min)/(max − min). Throws UsageError unless 0 ≤ min ≤ mean ≤ max ≤ longest_duration.
[[nodiscard]] std::vector<Duration> draw(const DurationRange& range, Count count, Random& random);

}  // namespace wavewright
