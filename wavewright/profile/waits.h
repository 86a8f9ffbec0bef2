// Time between a run's tasks: start-up, waits of slots for their next task, commit.
#pragma once

#include "wavewright/history/run.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

// Slow-start of a run: the share of its maps that must be done before it requests its first reduce
// (`mapreduce.job.reduce.slowstart.completedmaps`); Hadoop's default 0.05 if not set.
[[nodiscard]] double slowstart_of(const std::map<std::string, std::string>& settings);

// Maps that must be done: ⌈share · maps⌉, at most all.
[[nodiscard]] Count slowstart_maps(double share, Count maps);

// Fills stages, ramp and waits of `phases`. Only winning attempts with possible instants count: a failed one
// between two of them is part of the wait. O(attempts · log attempts).
void add_waits(const JobRun& run, RunPhases& phases);

}  // namespace wavewright
