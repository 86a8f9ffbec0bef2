// Selects jobs of a workload: those submitted first, and not those named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct JobSelection {
  std::optional<Count> first =
      std::nullopt;  // so many jobs, by submission; equal ones by order of the workload
  std::optional<Duration> within = std::nullopt;  // submitted less than this after the first job
  std::vector<std::string> without = {};          // ids; they are left out of what the others select

  [[nodiscard]] bool takes_all() const { return !first && !within && without.empty(); }
};

// The selected jobs in the order of the workload, their submissions as they are. Throws UsageError if an id
// of `without` is of no job, if nothing is left, or if a selected job waits (`after`) for one that is not.
// O(jobs · log jobs).
[[nodiscard]] Workload select_jobs(Workload workload, const JobSelection& selection);

}  // namespace wavewright
