#include <utility>

#include "wavewright/dispatch/rules.h"
#include "wavewright/dispatch/sorted_by.h"

namespace wavewright {

std::vector<JobIndex> deadline_rule(std::span<const WaitingJob> jobs, SlotPool pool) {
  std::vector<std::pair<Time, Duration>> keys;
  keys.reserve(jobs.size());
  for (const WaitingJob& job : jobs) {
    const StageTimes times = fluid_times(job, pool);
    keys.emplace_back(job.deadline.value_or(Time::max()), times.map + times.reduce);
  }
  return sorted_by(keys);
}

}  // namespace wavewright
