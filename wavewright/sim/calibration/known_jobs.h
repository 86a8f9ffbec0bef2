// Learns launches from runs of jobs whose work is known, such as SleepJobs: a simulation of the runs with
// these launches goes as the runs did. The lengths of tasks alone (calibrate.h) hardly tell launches where
// all tasks wait about equally long, and tell masters' launches hardly ever. The times at which each job is
// initialised, its first task starts, its maps end and it ends tell both.
#pragma once

#include <functional>
#include <span>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct KnownJobsFit {
  Count jobs = 0;      // runs compared
  Count left_out = 0;  // runs that did not succeed
  Launches launches;
  Duration master_start{};
  double error = 0;   // mean distance of the runs' times from the simulated ones, ms
  double length = 0;  // mean time of a run from its submission to its end, ms
};

// `runs`: all that ran then, each of one of the `known` jobs: of its name and numbers of maps and reduces. A
// known job has the queue and user of its run, unless it names its own. Its tasks take as long as it says,
// and their launches on top; shuffles of no length take the cluster's overhead. `cluster`: with what
// calibrate.h learns. Its number of processors stays, and so does Launches::submit_work. Without processors
// only the masters' start is sought. `policy`: that of the cluster, made anew for each simulation. UsageError
// if a run that succeeded is of no known job, two known jobs are alike, no run has succeeded, or the policy
// rejects a job. About 3,000 simulations with containers, 700 with slots, and more if launches take longer
// than 8 s; at most 60,000.
[[nodiscard]] KnownJobsFit fit_known_jobs(std::span<const JobRun> runs, const Workload& known,
                                          const Cluster& cluster, const std::function<Policy()>& policy);

}  // namespace wavewright
