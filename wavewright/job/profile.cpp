#include "wavewright/job/profile.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

Duration PhaseProfile::quantile(double q) const {
  if (sample.empty()) return {};
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(sample.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sample.size() - 1);
  const auto low = static_cast<double>(sample[below].count());
  const auto high = static_cast<double>(sample[above].count());
  return ms(std::llround(low + (high - low) * (place - static_cast<double>(below))));
}

}  // namespace wavewright
