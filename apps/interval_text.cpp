#include "apps/interval_text.h"
#include "wavewright/core/apart.h"

#include <cmath>

namespace wavewright::app {

std::string interval_text(const MeanInterval& interval) {
  const auto rounded = [](double time) { return ms(std::llround(time)); };
  const Duration mean = rounded(interval.mean);
  if (!std::isfinite(interval.half) || interval.half <= 0) return format_duration(mean);
  const Duration half = rounded(interval.half);
  return format_apart({mean, mean - half, mean + half}).front() + " ± " + format_duration(half);
}

}  // namespace wavewright::app
