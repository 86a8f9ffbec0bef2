// Jobs of queues and users, and how many of their tasks run at an instant: what tests of policies compare.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"

namespace wavewright {

// So many tasks of one length, ms.
inline std::vector<int> equal(std::size_t count, int length) {
  return std::vector<int>(count, length);
}

inline Job in_queue(std::string queue, Job job) {
  job.queue = std::move(queue);
  return job;
}
inline Job of_user(std::string user, Job job) {
  job.user = std::move(user);
  return job;
}

// How many tasks of the kind each job has running just after the instant, in the order of the workload.
using Counts = std::vector<Count>;
inline Counts running(const SimulationResult& result, Kind kind, int instant) {
  Counts counts(result.jobs.size(), 0);
  for (const TaskRecord& task : result.trace) {
    if (task.kind == kind && task.start <= at_ms(instant) && at_ms(instant) < task.end) ++counts[task.job];
  }
  return counts;
}

}  // namespace wavewright
