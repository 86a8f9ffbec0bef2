// Random numbers that are the same on every machine (SplitMix64; normal by Box and Muller).
#pragma once

#include <cmath>
#include <cstdint>

namespace adaptive {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t word = state_ += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - unit()));
    return radius * std::cos(6.283185307179586 * unit());
  }

 private:
  std::uint64_t state_;
};

}  // namespace adaptive
