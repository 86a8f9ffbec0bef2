// Distributions of task durations, named as in the workload file: `lognormal(9.9511,1.6764)`.
//
// Parameters are in milliseconds (for lognormal those of the logarithm of milliseconds). Drawn durations
// are whole milliseconds, at least 1; only `const(0)` gives 0.
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
  double second = 0;  // –, upper end, standard deviation, that of the logarithm

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

// Reads `const(x)`, `uniform(a,b)`, `normal(m,s)`, `lognormal(mu,sigma)`. Throws UsageError on anything
// else, on parameters that are not finite, and on those that hardly ever give a positive duration (a
// normal mean more than three deviations below 0).
[[nodiscard]] Distribution parse_distribution(std::string_view text);
[[nodiscard]] std::string to_string(const Distribution& distribution);

// A real number, redrawn until it is above 0 (but for const). This moves a normal mean up: N(154, 558)
// gives 506 on average [HP §IV-A, papers' errata].
[[nodiscard]] double draw_positive(const Distribution& distribution, Random& random);

// Whole milliseconds. Throws UsageError when a draw passes `longest_duration`.
[[nodiscard]] Duration draw(const Distribution& distribution, Random& random);
[[nodiscard]] std::vector<Duration> draw(const Distribution& distribution, Count count, Random& random);

// What is known of a phase: min ≤ mean ≤ max, in ms.
struct DurationRange {
  double min = 0;
  double mean = 0;
  double max = 0;
};

// PERT: the beta distribution on [min, max] with that mean and shape parameters that sum to 6,
// α = 6·(mean − min)/(max − min). Throws UsageError unless 0 ≤ min ≤ mean ≤ max ≤ longest_duration.
[[nodiscard]] std::vector<Duration> draw(const DurationRange& range, Count count, Random& random);

}  // namespace wavewright
