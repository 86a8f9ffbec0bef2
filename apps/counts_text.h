// Says how the jobs and attempts of a run ended.
#pragma once

#include <string>

#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright::app {

// Lines such as `jobs: 7 done, 2 failed` and `attempts: 8 failed`; no line if every job was done at the first
// attempt of each task.
[[nodiscard]] std::string counts_text(const RunCounts& counts);

// ` of the jobs done` after a completion time, unless all jobs are done.
[[nodiscard]] std::string of_jobs_done(const RunCounts& counts);

}  // namespace wavewright::app
