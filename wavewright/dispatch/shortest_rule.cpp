#include "wavewright/dispatch/rules.h"
#include "wavewright/dispatch/sorted_by.h"

namespace wavewright {

std::vector<JobIndex> shortest_rule(std::span<const WaitingJob> jobs, SlotPool pool) {
  std::vector<Duration> lengths;
  lengths.reserve(jobs.size());
  for (const StageTimes& times : fluid_times(jobs, pool)) lengths.push_back(times.map + times.reduce);
  return sorted_by(lengths);
}

}  // namespace wavewright
