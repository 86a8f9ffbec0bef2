// Scales by thresholds of utilisation, as managed Hadoop services do; the earliest deadline goes first. It
// knows neither deadlines nor lengths when it rents: a rival of the policies that do.
//
// At the end of each period it looks at the share of slots that are free and at the tasks that wait for each
// one that runs. If less than `out` is free, or more than `pending` wait, it rents `step` of the present
// machines, at least one, and then lets `cooldown` pass. If more than `in` is free, it gives as many back as
// soon as they are idle, but keeps `least`. Amazon EMR's default rules are 15 % and 75 % of YARN's memory
// available, 0.75 containers pending for each allocated one, and 300 s. They add one instance; `step` does
// better.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

struct AutoscalerOptions {
  double out = 0.15;      // share of free slots
  double in = 0.75;       // likewise, above `out`
  double pending = 0.75;  // tasks
  double step = 0.2;      // share of the machines
  Duration period = ms(60'000), cooldown = ms(300'000);
  Count least = 1;  // machines
};

// O(jobs under way) a period.
[[nodiscard]] std::unique_ptr<Allocator> make_autoscaler(const DeadlineOptions& options,
                                                         const AutoscalerOptions& own);

}  // namespace wavewright
