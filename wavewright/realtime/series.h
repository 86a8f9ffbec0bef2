// Series of a job's instances that are promised as a whole: `nightly/24h/30` comes 30 times, every 24 hours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

struct Series {
  static constexpr Count most_times = 10'000;

  std::string name;  // of its jobs
  Duration every{};  // above 0
  Count times = 0;   // from 2 to most_times

  friend bool operator==(const Series&, const Series&) = default;
};

// `NAME/TIME/N`, several with `|` between. None if the text is not of this form, or names a job twice.
[[nodiscard]] std::optional<std::vector<Series>> parse_series(std::string_view text);
// The first series of the text that has more than most_times instances, as it stands there; none if there is
// none, or if the text is not of this form before.
[[nodiscard]] std::optional<std::string> series_too_long(std::string_view text);
// The first job that the text names twice; none if it is not of this form before.
[[nodiscard]] std::optional<std::string> job_named_twice(std::string_view text);

}  // namespace wavewright
