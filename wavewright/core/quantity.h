// Counts and bytes as types of their own, so that one is not passed where the other is meant.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace wavewright {

using Count = std::int64_t;  // tasks, slots, jobs, attempts

// a / b, rounded up. `a` is not negative, `b` positive.
[[nodiscard]] constexpr Count divide_up(Count a, Count b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

struct Bytes {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  constexpr Bytes& operator+=(Bytes other) {
    count += other.count;
    return *this;
  }
};

// Reads `64MB`, `2GiB`, `1.5TB`, `1048576`; MB is 10^6 and MiB 2^20. Throws UsageError.
[[nodiscard]] Bytes parse_bytes(std::string_view text);

// `64.0 MiB`
[[nodiscard]] std::string format_bytes(Bytes bytes);

}  // namespace wavewright
