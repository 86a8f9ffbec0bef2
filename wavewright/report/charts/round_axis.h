// The numbers of a chart's axis: from `low` to `high` in about six steps of 1, 2 or 5 times a power of ten.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace wavewright::report {

struct RoundAxis {
  double low = 0, high = 1, step = 1;

  // Holds both values, which must be finite.
  RoundAxis(double least, double most) {
    constexpr double steps = 6;
    const double span = std::max(most - least, 1e-9);
    const double power = std::pow(10, std::floor(std::log10(span / steps)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      step = factor * power;
      if (span / step <= steps) break;
    }
    low = std::floor(least / step) * step;
    high = std::max(std::ceil(most / step) * step, low + step);
  }
  [[nodiscard]] double at(double value) const { return (value - low) / (high - low); }  // 0 to 1
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> all;
    const std::int64_t steps = std::llround((high - low) / step);
    for (std::int64_t i = 0; i <= steps; ++i) all.push_back(low + static_cast<double>(i) * step);
    return all;
  }
};

}  // namespace wavewright::report
