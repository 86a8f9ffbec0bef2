#include "wavewright/dispatch/rules.h"
#include "wavewright/dispatch/sorted_by.h"

namespace wavewright {

std::vector<JobIndex> weighted_rule(std::span<const WaitingJob> jobs, SlotPool pool) {
  std::vector<double> keys;
  keys.reserve(jobs.size());
  for (const WaitingJob& job : jobs) {
    const StageTimes times = fluid_times(job, pool);
    keys.push_back(static_cast<double>(to_ms(times.map + times.reduce)) / job.weight);
  }
  return sorted_by(keys);
}

}  // namespace wavewright
