// What passes between a run's tasks: start-up, the waits of slots for their next task, and commit.
#pragma once

#include "wavewright/history/run.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

// The share of its maps that must be done before a job asks for its first reduce, as the run's settings tell
// it (`mapreduce.job.reduce.slowstart.completedmaps`); Hadoop's default 0.05 where they do not.
[[nodiscard]] double slowstart_of(const std::map<std::string, std::string>& settings);

// Maps that must be done: ⌈share · maps⌉, at most all.
[[nodiscard]] Count slowstart_maps(double share, Count maps);

// Fills stages, ramp and waits of `phases`. Only winning attempts with possible instants are seen: what
// failed between two of them is part of the wait. O(attempts · log attempts).
void add_waits(const JobRun& run, RunPhases& phases);

}  // namespace wavewright
