// When the tasks of each job can run at all: the earliest instants, and the latest ones for its deadline.
//
// Model: that of sim/simulate_cluster.h, every length the least that it can be. A task runs on the fastest
// class that the job can use, next to its block; no attempt fails, straggles or waits. Reduces pay the
// shorter of their shuffles after the job's last map, and none where the network carries the shuffle. A job
// starts when it has arrived and its predecessors are done, and later by Masters::start; it ends Masters::
// finish after its last task. Where no node is there without rent, no task starts before a machine has
// booted.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/job/precedence.h"
#include "wavewright/sched/event.h"

namespace wavewright {

// Times and work in ms. Work is time on a slot of a node of speed 1.
struct StageWindow {
  double from = 0;
  double to = std::numeric_limits<double>::infinity();  // no deadline
  double work = 0;                                      // of all tasks together
  double rate = 0;                                      // most work in a ms: all tasks at once
};

struct JobWindows {
  bool needed = false;  // one of the jobs asked for, or a predecessor of one
  StageWindow maps, reduces;
};

// Mode "slots" only.
class StageWindows {
 public:
  // The workload and the cluster must outlive it. O(tasks + edges + jobs · node rows).
  StageWindows(const Workload& workload, const Cluster& cluster);

  // The earliest end of a job under any policy.
  [[nodiscard]] Time earliest_end(JobIndex job) const;
  // The windows of all jobs if those of `in_time` (by job) end by their deadlines, where they have one, and
  // are done at some time where they have none. Call only if each of them can. O(jobs + edges).
  [[nodiscard]] std::vector<JobWindows> windows(const std::vector<bool>& in_time) const;

 private:
  struct Lengths {
    double start = 0, head = 0;              // earliest instants of its start, and of its first task
    double least_map = 0, least_reduce = 0;  // least time of each stage
    StageWindow maps, reduces;               // without their times
  };
  [[nodiscard]] double latest_start(JobIndex job, double latest_end) const;
  void set_windows(JobIndex job, double latest_end, JobWindows& windows) const;

  const Workload& workload_;
  const Cluster& cluster_;
  Precedence precedence_;
  std::vector<Lengths> lengths_;
  std::vector<std::uint32_t> order_;  // each job behind its predecessors
};

// Jobs whose deadline no policy can meet, by index, with their earliest end. None on a cluster of containers,
// about which it knows nothing. O(tasks + edges + jobs · node rows).
struct ImpossibleDeadline {
  JobIndex job = 0;
  Time earliest{};
};
[[nodiscard]] std::vector<ImpossibleDeadline> impossible_deadlines(const Workload& workload,
                                                                   const Cluster& cluster);

}  // namespace wavewright
