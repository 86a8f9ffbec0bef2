#include "wavewright/profile/task_times.h"

#include <algorithm>

#include "wavewright/history/sanity_checks.h"

namespace wavewright {

namespace {

void cut_reduce(const std::optional<Time>& maps_done, TaskTime& time) {
  const Attempt& attempt = *time.attempt;
  time.first_wave = maps_done && *attempt.start <= *maps_done;
  // In the first wave the reduce phase cannot begin before the last map's end.
  const Time begin = time.first_wave ? std::min(*maps_done, *attempt.finish) : *attempt.start;
  const std::optional<Time> told = attempt.sort_finish ? attempt.sort_finish : attempt.shuffle_finish;
  const Time merged = told ? std::clamp(*told, begin, *attempt.finish) : begin;
  if (told) time.shuffle = merged - begin;
  time.reduce = *attempt.finish - merged;
}

}  // namespace

std::vector<TaskTime> task_times(const JobRun& run) {
  const SanityChecks checks(run);
  std::vector<TaskTime> times;
  for (const TaskRun& task : run.tasks) {
    if (task.kind != TaskKind::map && task.kind != TaskKind::reduce) continue;
    const Attempt* const best = winner(task);
    if (best == nullptr) continue;
    TaskTime& time = times.emplace_back();
    time.task = &task;
    time.attempt = best;
    time.possible = checks.possible(*best);
    if (!time.possible) continue;
    if (task.kind == TaskKind::map) {
      time.map = *best->finish - *best->start;
    } else {
      cut_reduce(checks.maps_done(), time);
    }
  }
  return times;
}

}  // namespace wavewright
