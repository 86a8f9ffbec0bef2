// Random streams by seed and name, equal on every machine. Adding a stream does not shift another one.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <utility>

namespace wavewright {

class Random {
 public:
  // Each (seed, name, index) gives an independent stream.
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
  std::mt19937_64 engine_;  // portable by the standard, unlike std's distributions
};

// SplitMix64 by Steele, Lea and Flood. Good enough for streams of a few numbers and very cheap to create:
// used where every job or task has its own stream.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] std::uint64_t bits() {
    std::uint64_t word = state_ += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  }
  // [0, bound), 0 < bound ≤ 2^32; bias below 2^-32.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return ((bits() >> 32) * bound) >> 32; }
  [[nodiscard]] double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)

 private:
  std::uint64_t state_;
};

}  // namespace wavewright
