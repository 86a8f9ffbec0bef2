// Converts a finished run to a job of a workload: the work of running it again.
//
// Each task is as long as its successful attempt: a map from start to finish, a reduce from the end of its
// shuffle and merge to its finish. Let E be the end of the run's last map. A reduce that started no later
// than E gives its first-wave shuffle (from E to the end of its merge), a later one its later-wave shuffle
// (from its start) [HP §III]. The other shuffle of a reduce is the mean over the reduces that have it. If
// none has it, it equals the known one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/history/run.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct RunAsJob {
  Job job;                  // submitted at the absolute time of the run's submission
  Count imputed_tasks = 0;  // tasks without times: as long as the mean of the others of their kind
};

// Nothing if the run did not succeed, has no submission, or has tasks of a kind none of which has times;
// `why` then gives the reason. Failed, killed and speculative attempts are left out. O(attempts).
[[nodiscard]] std::optional<RunAsJob> to_job(const JobRun& run, std::string& why);

// A batch of such jobs in order of submission, counted from the earliest. Runs of one id (imported from two
// clusters) get a suffix `-2`, `-3`, ….
[[nodiscard]] Workload to_workload(std::vector<Job> jobs);

}  // namespace wavewright
