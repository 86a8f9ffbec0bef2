// The rest of a job as a job of its own, with lengths drawn: the tasks that run, then those to come.
#pragma once

#include "wavewright/core/random.h"
#include "wavewright/job/job.h"
#include "wavewright/live/outlook.h"

namespace wavewright {

// Without submission and predecessors. `launch` is what an engine adds to each task, and is taken off those
// that run. O(tasks).
[[nodiscard]] Job rest_of(const LiveJob& job, const KnownJob& known, Duration launch, Random& random);

// Is enough known of it to say when it ends?
[[nodiscard]] bool has_tasks(const LiveJob& job, const KnownJob& known);

}  // namespace wavewright
