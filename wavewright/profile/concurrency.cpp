#include "wavewright/profile/concurrency.h"

#include <algorithm>

namespace wavewright {

namespace {

Count peak(const JobRun& run, TaskKind kind) {
  std::vector<std::pair<Time, int>> steps;  // at equal instants ends (−1) sort before starts (+1)
  for (const TaskRun& task : run.tasks) {
    if (task.kind != kind) continue;
    for (const Attempt& attempt : task.attempts) {
      if (!attempt.start || !attempt.finish || *attempt.finish < *attempt.start) continue;
      steps.emplace_back(*attempt.start, +1);
      // An attempt of length 0 still held a slot.
      steps.emplace_back(std::max(*attempt.finish, *attempt.start + ms(1)), -1);
    }
  }
  std::sort(steps.begin(), steps.end());
  Count now = 0;
  Count most = 0;
  for (const auto& [instant, step] : steps) most = std::max(most, now += step);
  return most;
}

}  // namespace

SlotPool peak_attempts(const JobRun& run) {
  return {peak(run, TaskKind::map), peak(run, TaskKind::reduce)};
}

}  // namespace wavewright
