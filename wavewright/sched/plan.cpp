#include "wavewright/sched/plan.h"

#include <limits>

namespace wavewright {

double Plan::gap() const {
  const auto bound = static_cast<double>(to_ms(lower_bound));
  const auto over = static_cast<double>(to_ms(value() - lower_bound));
  if (over == 0) return 0;
  return bound == 0 ? std::numeric_limits<double>::infinity() : over / bound;
}

}  // namespace wavewright
