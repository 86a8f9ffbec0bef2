// Instants as people write them: `22:00`, `now-2h`, `yesterday`, `2026-11-19`, `2026-11-19T22:00:00Z`.
//
// Clock times and dates are those of a time zone given as the offset rule of the C library (the local zone);
// an ISO instant with `Z` or `+01:00` says its own. Throws UsageError with the forms that are understood.
#pragma once

#include <string_view>

#include "wavewright/core/time.h"

namespace wavewright {

// The instant meant by `text` when it is `now`:
//   HH:MM[:SS]            the latest such time of day that is not after `latest`
//   today, yesterday      midnight at the beginning of that day
//   now, now-2h, now+5min
//   YYYY-MM-DD            midnight at the beginning of that day
//   YYYY-MM-DD[T ]HH:MM[:SS[.mmm]][Z|±HH:MM]
//   @1700000000000        milliseconds since 1970
[[nodiscard]] Time parse_when(std::string_view text, Time now, Time latest);

// A span such as last night's: `to` first, the latest of its kind until now; then `from`, the latest of its
// kind until `to`. Throws UsageError unless from < to.
struct TimeSpan {
  Time from{};
  Time to{};
};
[[nodiscard]] TimeSpan parse_span(std::string_view from, std::string_view to, Time now);

}  // namespace wavewright
