#include "wavewright/sim/metrics/run_counts.h"

#include <algorithm>

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
    counts.killed_attempts += job.killed_attempts;
    counts.second_attempts += job.second_attempts;
  }
  return counts;
}

RunCounts& RunCounts::operator+=(const RunCounts& other) {
  done += other.done;
  failed += other.failed;
  rejected += other.rejected;
  unfinished += other.unfinished;
  failed_attempts += other.failed_attempts;
  lost_attempts += other.lost_attempts;
  killed_attempts += other.killed_attempts;
  second_attempts += other.second_attempts;
  return *this;
}

bool is_done(const JobOutcome& job) {
  return !job.rejected && !job.failed && !job.unfinished;
}

std::string_view state_of(const JobOutcome& job) {
  return job.rejected ? "rejected" : job.failed ? "failed" : job.unfinished ? "unfinished" : "done";
}

std::optional<double> mean_completion_ms(const SimulationResult& result) {
  const Count done = std::count_if(result.jobs.begin(), result.jobs.end(), is_done);
  if (done == 0) return std::nullopt;
  return static_cast<double>(to_ms(result.total_completion)) / static_cast<double>(done);
}

}  // namespace wavewright
