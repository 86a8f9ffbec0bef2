#include "wavewright/plan/bounds/time_window/window_job.h"

#include <algorithm>
#include <map>

#include "wavewright/plan/bounds/counting_bound.h"

namespace wavewright {

namespace {

constexpr std::size_t most_lengths = 12;

std::vector<AlikeTasks> alike_tasks(const std::vector<CountedTask>& counted) {
  std::map<std::int64_t, double> counts;
  std::vector<std::int64_t> lengths;
  for (const CountedTask& task : counted) {
    if (task.length == 0) continue;
    ++counts[task.length];
    lengths.push_back(task.length);
  }
  std::vector<AlikeTasks> tasks;
  if (counts.size() <= most_lengths) {
    for (const auto& [length, count] : counts) tasks.push_back({static_cast<double>(length), count});
    return tasks;
  }
  std::sort(lengths.begin(), lengths.end());
  for (std::size_t part = 0; part < most_lengths; ++part) {
    const std::size_t begin = part * lengths.size() / most_lengths;
    const std::size_t end = (part + 1) * lengths.size() / most_lengths;
    tasks.push_back({static_cast<double>(lengths[begin]), static_cast<double>(end - begin)});
  }
  return tasks;
}

}  // namespace

std::vector<WindowJob> window_jobs(const Workload& batch, SlotPool pool) {
  std::vector<WindowJob> jobs;
  jobs.reserve(batch.jobs.size());
  for (const Job& job : batch.jobs) {
    const std::vector<CountedTask> maps = counted_maps(job), reduces = counted_reduces(job);
    jobs.push_back({alike_tasks(maps), alike_tasks(reduces), static_cast<double>(to_ms(job.submit)),
                    static_cast<double>(stage_alone(maps, std::max<Count>(1, pool.map_slots))),
                    static_cast<double>(stage_alone(reduces, std::max<Count>(1, pool.reduce_slots)))});
  }
  return jobs;
}

}  // namespace wavewright
