#include "wavewright/plan/schedule/stage_tasks.h"

#include <algorithm>
#include <utility>

namespace wavewright {

namespace {

// Upper bound on any schedule, ms: Σ submissions and longest task lengths.
double longest(const Workload& batch) {
  double sum = 0;
  for (const Job& job : batch.jobs) {
    sum += static_cast<double>(to_ms(job.submit));
    for (const Duration map : job.maps) sum += static_cast<double>(to_ms(map));
    for (std::size_t i = 0; i < job.reduces.size(); ++i)
      sum += static_cast<double>(to_ms(job.longest_reduce(i)));
  }
  return sum;
}

// length_of(task): its lengths in the first wave and later.
void add_job(StageTasks& stage, std::size_t tasks, auto&& length_of) {
  const std::size_t begin = stage.runs.size();
  for (std::size_t task = 0; task < tasks; ++task) {
    const auto [first, later] = length_of(task);
    if (stage.runs.size() > begin && stage.runs.back().first == first && stage.runs.back().later == later) {
      ++stage.runs.back().count;
    } else {
      stage.runs.push_back({first, later, 1});
    }
  }
  stage.tasks += tasks;
  stage.runs_from.push_back(static_cast<std::uint32_t>(stage.runs.size()));
}

}  // namespace

StageTasks maps_of(const Workload& batch) {
  StageTasks stage;
  for (const Job& job : batch.jobs) {
    add_job(stage, job.maps.size(),
            [&](std::size_t task) { return std::pair(to_ms(job.maps[task]), to_ms(job.maps[task])); });
  }
  return stage;
}

StageTasks reduces_of(const Workload& batch) {
  StageTasks stage;
  for (const Job& job : batch.jobs) {
    add_job(stage, job.reduces.size(), [&](std::size_t task) {
      return std::pair(to_ms(job.reduces[task] + job.first_shuffle(task)),
                       to_ms(job.reduces[task] + job.later_shuffle(task)));
    });
  }
  return stage;
}

bool are_two_stages(const Workload& batch, SlotPool pool) {
  constexpr double word = 4.6e18;  // 2^62: an instant in ms and a slot number share 64 bits
  const std::uint64_t tasks = 1 + batch.tasks();
  const std::uint32_t slots = used_slots(std::max(pool.map_slots, pool.reduce_slots), tasks);
  if (longest(batch) * 2 * (static_cast<double>(slots) + 1) > word) return false;
  return std::all_of(batch.jobs.begin(), batch.jobs.end(), [&](const Job& job) {
    const auto positive = [](Duration length) { return length > Duration{}; };
    bool ok = (job.maps.empty() || pool.map_slots > 0) && (job.reduces.empty() || pool.reduce_slots > 0) &&
              std::all_of(job.maps.begin(), job.maps.end(), positive);
    for (std::size_t i = 0; i < job.reduces.size(); ++i) ok = ok && positive(job.least_reduce(i));
    return ok;
  });
}

std::uint32_t used_slots(Count slots, std::uint64_t tasks) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(slots), std::max<std::uint64_t>(tasks, 1)));
}

}  // namespace wavewright
