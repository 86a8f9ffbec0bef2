// A finished run as a job of a workload: what would have to be done if it were submitted again.
//
// Each task is as long as its successful attempt: a map from start to finish; a reduce from the end of its
// shuffle and merge to its finish. Let E be the end of the run's last map. A reduce that started no later
// than E tells the first-wave shuffle (from E to the end of its merge), a later one the later-wave shuffle
// (from its start) [HP §III]. The kind that a reduce does not tell is the mean of those that do; where none
// does, it is like the kind that is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/history/run.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct RunAsJob {
  Job job;                  // submitted at the absolute time of the run's submission
  Count imputed_tasks = 0;  // whose attempts tell no times: as long as the mean of the others of their kind
};

// Nothing where the run did not succeed, tells no submission, or has tasks of a kind of which none tells its
// times; `why` then says which. Failed, killed and speculative attempts are left out. O(attempts).
[[nodiscard]] std::optional<RunAsJob> to_job(const JobRun& run, std::string& why);

// A batch of such jobs: in order of submission, which counts from the earliest. Runs of one id (imported
// from two clusters) get `-2`, `-3`, … behind it.
[[nodiscard]] Workload to_workload(std::vector<Job> jobs);

}  // namespace wavewright
