#include "apps/interval_text.h"
#include "wavewright/core/apart.h"

#include <cmath>

#include <fmt/format.h>

namespace wavewright::app {

std::string interval_text(const MeanInterval& interval) {
  const auto rounded = [](double time) { return ms(std::llround(time)); };
  const Duration mean = rounded(interval.mean);
  const Duration half = std::isfinite(interval.half) ? rounded(interval.half) : Duration{};
  if (half <= Duration{}) return format_duration(mean);
  return format_apart({mean, mean - half, mean + half}).front() + " ± " + format_duration(half);
}

std::string percent_change_text(const MeanInterval& interval) {
  const std::string half = fmt::format("{:.1f}", std::isfinite(interval.half) ? interval.half : 0.0);
  return fmt::format("{:+.1f}{} %", interval.mean, half == "0.0" ? "" : " ± " + half);
}

}  // namespace wavewright::app
