#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright {

RunCounts counts_of(const SimulationResult& result) {
  RunCounts counts;
  for (const JobOutcome& job : result.jobs) {
    ++(job.rejected     ? counts.rejected
       : job.failed     ? counts.failed
       : job.unfinished ? counts.unfinished
                        : counts.done);
    counts.failed_attempts += job.failed_attempts;
    counts.lost_attempts += job.lost_attempts;
    counts.second_attempts += job.second_attempts;
  }
  return counts;
}

}  // namespace wavewright
