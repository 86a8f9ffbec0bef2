// Factors on durations, and how a duration is rounded that was multiplied by one.
#pragma once

#include <cmath>
#include <cstdint>

namespace wavewright {

// In units of 2^-43.
using Factor = std::uint64_t;
inline constexpr int factor_bits = 43;
inline constexpr Factor unit_factor = Factor{1} << factor_bits;

// `value` is at most a million. Rounded up, so that a duration of which exactly half a millisecond is left
// after the division is not taken for less.
[[nodiscard]] inline Factor factor_of(double value) {
  return static_cast<Factor>(std::ceil(value * static_cast<double>(unit_factor)));
}

// Rounded to the nearest ms, halves up: exact for durations of up to ten days and factors with few digits.
[[nodiscard]] inline std::uint64_t scaled(std::uint64_t duration_ms, Factor factor) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{duration_ms} * factor + unit_factor / 2) >> factor_bits);
}

}  // namespace wavewright
