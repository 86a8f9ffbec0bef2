// How many jobs and attempts of a simulated run came to which end.
#pragma once

#include <optional>
#include <string_view>

#include "wavewright/sim/result.h"

namespace wavewright {

struct RunCounts {
  // Jobs; their sum is all of the workload.
  Count done = 0, failed = 0, rejected = 0, unfinished = 0;
  // Attempts, as JobOutcome counts them.
  Count failed_attempts = 0, lost_attempts = 0, killed_attempts = 0, second_attempts = 0;

  RunCounts& operator+=(const RunCounts& other);
  friend bool operator==(const RunCounts&, const RunCounts&) = default;
};

// Is the job neither failed, rejected nor unfinished? Completion times are of such jobs.
[[nodiscard]] bool is_done(const JobOutcome& job);

// `done`, `failed`, `rejected` or `unfinished`.
[[nodiscard]] std::string_view state_of(const JobOutcome& job);

// O(jobs).
[[nodiscard]] RunCounts counts_of(const SimulationResult& result);

// Mean of finish − submit over the jobs that are done; none if no job is. O(jobs).
[[nodiscard]] std::optional<double> mean_completion_ms(const SimulationResult& result);

}  // namespace wavewright
