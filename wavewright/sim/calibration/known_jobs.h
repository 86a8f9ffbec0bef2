// Launches learnt from jobs whose work is known, like that of SleepJobs: those with which a simulation of
// their runs goes as the runs did. The lengths of tasks alone (calibrate.h) hardly tell launches where all
// tasks wait about equally long, and tell masters' launches hardly ever. When each job's first task starts,
// its maps end and it ends tells both.
#pragma once

#include <functional>
#include <span>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct KnownJobsFit {
  Count jobs = 0;  // runs compared
  Launches launches;
  Duration master_start{};
  double error = 0;  // mean distance of a run's three times from the simulated ones, ms
};

// `runs`: all that ran then, each of one of the `known` jobs: of its name and numbers of maps and reduces.
// Tasks of known jobs take so long without launches; shuffles of no length take the cluster's overhead.
// `cluster`: with what calibrate.h learns; its number of processors stays, and so does Launches::submit_work.
// `policy`: that of the cluster, made anew for each simulation. UsageError if a run is of no known job. About
// 700 simulations.
[[nodiscard]] KnownJobsFit fit_known_jobs(std::span<const JobRun> runs, const Workload& known,
                                          const Cluster& cluster, const std::function<Policy()>& policy);

}  // namespace wavewright
