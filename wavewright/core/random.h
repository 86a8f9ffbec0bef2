// Seeded, named random streams: adding one stream does not shift another, and the same seed gives the same
// numbers on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <utility>

namespace wavewright {

class Random {
 public:
  // A stream of its own for every (seed, name, index).
  Random(std::uint64_t seed, std::string_view name, std::uint64_t index = 0);

  [[nodiscard]] std::uint64_t bits() { return engine_(); }
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);                   // [0, bound), bound > 0, unbiased
  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high);  // [low, high], both included
  [[nodiscard]] double unit();                                              // [0, 1)
  [[nodiscard]] double uniform(double low, double high) { return low + (high - low) * unit(); }
  [[nodiscard]] double normal(double mean, double deviation);
  [[nodiscard]] double lognormal(double mu, double sigma);  // exp of normal(mu, sigma)
  [[nodiscard]] double exponential(double mean);
  [[nodiscard]] double beta(double alpha, double beta);  // [0, 1], both > 0

  template <class T>
  void shuffle(std::span<T> values) {  // Fisher–Yates
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::mt19937_64 engine_;  // the standard fixes its numbers; not so those of std's distributions
};

}  // namespace wavewright
