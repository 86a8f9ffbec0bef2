// The number of machines for which machines and the lateness that is left cost least.
#pragma once

#include <functional>

#include "wavewright/core/quantity.h"

namespace wavewright {

// From 0 to `most`. `machine`: USD for each, above 0. `lateness`: USD with so many; it should not grow with
// them. Tries powers of two, then goes down from the best with ever smaller steps: exact where the sum has
// one valley, near it where lateness falls in steps, as waves of tasks make it do. O(log most) calls.
[[nodiscard]] Count cheapest_count(Count most, double machine, const std::function<double(Count)>& lateness);

}  // namespace wavewright
