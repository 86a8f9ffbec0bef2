#include "wavewright/cloud/deadline/cheapest_count.h"

#include <algorithm>

namespace wavewright {

Count cheapest_count(Count most, double machine, const std::function<double(Count)>& lateness) {
  const auto cost = [&](Count machines) {
    return lateness(machines) + static_cast<double>(machines) * machine;
  };
  double least = cost(0);
  if (least == 0) return 0;
  Count best = 0, step = 1;
  for (Count power = 1; power < 2 * most; power *= 2) {
    const Count tried = std::min(power, most);
    const double with = cost(tried);
    if (with < least) {
      least = with;
      best = tried;
      step = std::max<Count>(1, tried / 4);
    }
    if (static_cast<double>(tried) * machine > least) break;
  }
  for (; best > 0 && step > 0; step /= 2) {
    for (const Count tried : {best - step, best + step}) {
      if (tried < 0 || tried > most) continue;
      const double with = cost(tried);
      if (with < least || (with == least && tried < best)) {
        least = with;
        best = tried;
      }
    }
  }
  return best;
}

}  // namespace wavewright
