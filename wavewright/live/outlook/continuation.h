// The rest of a job as a job of its own, with lengths drawn: the tasks that run, then those to come.
#pragma once

#include "wavewright/core/random.h"
#include "wavewright/job/job.h"
#include "wavewright/live/outlook/outlook.h"

namespace wavewright {

// Without submission and predecessors. `launch` is what an engine adds to each task, and is taken off those
// that run. O(tasks).
[[nodiscard]] Job rest_of(const LiveJob& job, const KnownJob& known, Duration launch, Random& random);

struct TaskCounts {
  Count maps = 0, reduces = 0;
};

// As its application master tells; before it does, as was expected.
[[nodiscard]] TaskCounts tasks_of(const LiveJob& job, const KnownJob& known);

// Jobs with more tasks are not forecast: drawing them would take seconds and hundreds of MiB each time.
inline constexpr Count most_tasks_of_a_forecast = 1'000'000;

// Is enough known of it to say when it ends?
[[nodiscard]] bool has_tasks(const LiveJob& job, const KnownJob& known);

}  // namespace wavewright
