#include "wavewright/dispatch/waiting_job.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

StageWork work_of(std::size_t tasks, auto&& length_of) {
  double sum = 0;
  for (std::size_t task = 0; task < tasks; ++task) sum += static_cast<double>(to_ms(length_of(task)));
  return {static_cast<Count>(tasks), ms(tasks == 0 ? 0 : std::llround(sum / static_cast<double>(tasks)))};
}

Duration fluid_time(const StageWork& work, Count slots) {
  const double time = static_cast<double>(work.tasks) * static_cast<double>(to_ms(work.mean)) /
                      static_cast<double>(std::max<Count>(1, slots));
  return ms(std::llround(std::min(time, static_cast<double>(to_ms(longest_duration)))));
}

}  // namespace

WaitingJob waiting_job(const Job& job) {
  WaitingJob waiting{
      job.id, job.submit, work_of(job.maps.size(), [&](std::size_t task) { return job.maps[task]; }),
      work_of(job.reduces.size(), [&](std::size_t task) { return job.least_reduce(task); }), job.deadline};
  waiting.weight = delay_weight(job);
  return waiting;
}

FinishedJob finished(const WaitingJob& job, Time at) {
  return {job.arrived, at, job.deadline, job.weight};
}

StageTimes fluid_times(const WaitingJob& job, SlotPool pool) {
  return {fluid_time(job.maps, pool.map_slots), fluid_time(job.reduces, pool.reduce_slots)};
}

std::vector<StageTimes> fluid_times(std::span<const WaitingJob> jobs, SlotPool pool) {
  std::vector<StageTimes> times;
  times.reserve(jobs.size());
  for (const WaitingJob& job : jobs) times.push_back(fluid_times(job, pool));
  return times;
}

Workload batch_of(std::span<const WaitingJob> jobs) {
  Workload batch;
  batch.jobs.reserve(jobs.size());
  for (const WaitingJob& waiting : jobs) {
    Job job;
    job.id = std::to_string(batch.jobs.size());
    job.maps.assign(static_cast<std::size_t>(waiting.maps.tasks), waiting.maps.mean);
    job.reduces.assign(static_cast<std::size_t>(waiting.reduces.tasks), waiting.reduces.mean);
    batch.jobs.push_back(std::move(job));
  }
  return batch;
}

}  // namespace wavewright
