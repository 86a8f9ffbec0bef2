// Instants at equal intervals, for policies that decide by time. None is stored, as no policy needs all.
#pragma once

#include "wavewright/core/time.h"

namespace wavewright {

struct Ticks {
  Time first{};
  Duration every{};  // above 0

  [[nodiscard]] Time at_or_after(Time now) const {
    if (now <= first) return first;
    const std::int64_t passed = (to_ms(now - first) + to_ms(every) - 1) / to_ms(every);
    return first + passed * every;
  }
};

}  // namespace wavewright
