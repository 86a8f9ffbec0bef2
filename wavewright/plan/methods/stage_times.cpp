#include "wavewright/plan/methods/stage_times.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace wavewright {

namespace {

// The last end if each task goes to the slot that is free first. cost(task, in the first wave): its length.
template <class Cost>
Duration greedy(std::size_t tasks, Count slots, Cost cost) {
  const std::size_t width = std::min(tasks, static_cast<std::size_t>(std::max<Count>(slots, 1)));
  std::priority_queue<Duration, std::vector<Duration>, std::greater<>> free_at;
  Duration last{};
  for (std::size_t task = 0; task < tasks; ++task) {
    Duration start{};
    if (task >= width) {
      start = free_at.top();
      free_at.pop();
    }
    const Duration end = start + cost(task, start == Duration{});
    free_at.push(end);
    last = std::max(last, end);
  }
  return last;
}

}  // namespace

StageTimes stage_times(const Job& job, SlotPool pool) {
  return {greedy(job.maps.size(), pool.map_slots, [&](std::size_t task, bool) { return job.maps[task]; }),
          greedy(job.reduces.size(), pool.reduce_slots, [&](std::size_t task, bool first_wave) {
            return job.reduces[task] + (first_wave ? job.first_shuffle(task) : job.later_shuffle(task));
          })};
}

std::vector<StageTimes> stage_times(std::span<const Job* const> jobs, SlotPool pool) {
  std::vector<StageTimes> times;
  times.reserve(jobs.size());
  for (const Job* job : jobs) times.push_back(stage_times(*job, pool));
  return times;
}

}  // namespace wavewright
