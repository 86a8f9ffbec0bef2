// Task durations of a workload as ranges of a job's profile, so that each seed draws others.
#pragma once

#include "wavewright/job/profile.h"
#include "wavewright/job/workload_file.h"

namespace wavewright {

// Least, mean and longest duration of each phase; absent for phases without durations.
[[nodiscard]] OpenDurations open_durations(const JobProfile& profile);

}  // namespace wavewright
