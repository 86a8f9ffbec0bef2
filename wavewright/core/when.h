// Instants as people name them, in the local time zone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wavewright/core/time.h"

namespace wavewright {

// Reads `now`, `now-2h`, `today` and `yesterday` (their midnight), `22:00` (the latest not after `now`),
// `2026-11-20`, `2026-11-20 06:00[:00]` (or with `T`; with a final `Z` in UTC), or 12 and more digits: ms
// since 1970. Throws UsageError otherwise.
[[nodiscard]] Time parse_when(std::string_view text, Time now);

struct TimeRange {
  std::optional<Time> from;  // included
  std::optional<Time> to;    // excluded
};

// Both ends; an empty text is an open end. `22:00` to `06:00` is a night: where a clock time as `from` falls
// after `to`, it means the day before. Throws UsageError where `from` lies after `to` all the same.
[[nodiscard]] TimeRange parse_range(std::string_view from, std::string_view to, Time now);

// The clock of this machine.
[[nodiscard]] Time now_instant();

}  // namespace wavewright
