// Instants as people write and read them, in the local time zone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wavewright/core/time.h"

namespace wavewright {

// Reads `now`, `now-2h`, `today`, `yesterday` (both midnight), `22:00` (the latest one not after `now`),
// `2026-11-20`, `2026-11-20 06:00[:00]` (or with `T`; with a final `Z` or `+01:00` not in the local zone), or
// 12 and more digits (ms since 1970). Throws UsageError otherwise.
[[nodiscard]] Time parse_when(std::string_view text, Time now);

struct TimeRange {
  std::optional<Time> from;  // included
  std::optional<Time> to;    // excluded
};

// Parses both ends; an empty text is an open end. `22:00` to `06:00` is a night: a clock time as `from` that
// falls after `to` means the day before. Throws UsageError if `from` is still after `to`.
[[nodiscard]] TimeRange parse_range(std::string_view from, std::string_view to, Time now);

[[nodiscard]] Time now_instant();

// `2026-11-20 06:00:00` and `06:00:00`, rounded down to seconds.
[[nodiscard]] std::string format_instant(Time instant);
[[nodiscard]] std::string format_clock(Time instant);

// The zone in which that instant is written: `UTC`, `CET`, or in summer `CEST`.
[[nodiscard]] std::string zone_name(Time instant);

}  // namespace wavewright
