// Time as the whole product uses it: integer milliseconds in 64 bits, never a floating-point clock.
//
// A `Time` is an instant, a `Duration` a length. In histories instants count from 1970-01-01 UTC; in
// workloads, plans and simulations they count from the workload's own beginning (0).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace wavewright {

using Duration = std::chrono::duration<std::int64_t, std::milli>;

struct Epoch {
  using duration = Duration;
  using rep = Duration::rep;
  using period = Duration::period;
  using time_point = std::chrono::time_point<Epoch, Duration>;
  static constexpr bool is_steady = false;
};

using Time = std::chrono::time_point<Epoch, Duration>;

[[nodiscard]] constexpr Duration ms(std::int64_t count) {
  return Duration{count};
}
[[nodiscard]] constexpr Time at_ms(std::int64_t count) {
  return Time{Duration{count}};
}
[[nodiscard]] constexpr std::int64_t to_ms(Duration d) {
  return d.count();
}
[[nodiscard]] constexpr std::int64_t to_ms(Time t) {
  return t.time_since_epoch().count();
}

// The largest duration that input may name (about 9,000 years), so that sums of many stay representable.
inline constexpr Duration longest_duration = ms(std::int64_t{1} << 48);

// Reads `8min`, `1h30m`, `250ms`, `2.5h`, `90s`, `1d`; a bare number is seconds. Not negative, at most
// `longest_duration`. Throws UsageError otherwise.
[[nodiscard]] Duration parse_duration(std::string_view text);

// The shortest exact-enough form for people: `250ms`, `42.5s`, `8min`, `1h30m`, `3d4h`.
[[nodiscard]] std::string format_duration(Duration duration);

// `2026-11-20 06:00:00` in UTC; for people, core/when.h has the local form.
[[nodiscard]] std::string format_utc(Time instant);

}  // namespace wavewright
