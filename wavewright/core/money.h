// Money as a whole number of micro-dollars, so that sums are exact.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "wavewright/core/time.h"

namespace wavewright {

struct Money {
  std::int64_t micro_usd = 0;

  friend constexpr auto operator<=>(Money, Money) = default;
  friend constexpr Money operator+(Money a, Money b) { return {a.micro_usd + b.micro_usd}; }
  friend constexpr Money operator-(Money a, Money b) { return {a.micro_usd - b.micro_usd}; }
  constexpr Money& operator+=(Money other) {
    micro_usd += other.micro_usd;
    return *this;
  }
};

inline constexpr std::int64_t micro_per_usd = 1'000'000;

// Rounds to the nearest micro-dollar. Amounts beyond about 9 · 10^12 USD overflow.
[[nodiscard]] inline Money from_usd(double usd) {
  return {std::llround(usd * static_cast<double>(micro_per_usd))};
}
[[nodiscard]] constexpr double to_usd(Money money) {
  return static_cast<double>(money.micro_usd) / static_cast<double>(micro_per_usd);
}

// Price of `time` at `per_hour`, rounded to the nearest micro-dollar, halves up. Both must not be negative.
[[nodiscard]] constexpr Money price_of(Money per_hour, Duration time) {
  __extension__ using Wide = __int128;
  constexpr std::int64_t ms_per_hour = 3'600'000;
  return {
      static_cast<std::int64_t>((Wide{per_hour.micro_usd} * to_ms(time) + ms_per_hour / 2) / ms_per_hour)};
}

}  // namespace wavewright
