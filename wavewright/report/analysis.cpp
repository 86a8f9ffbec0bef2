#include "wavewright/report/analysis.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/report/charts/grid.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright::report {

namespace {

void check(const ReportSchedule& schedule, const ReportData& data) {
  const SimulationResult& result = schedule.result;
  if (result.jobs.size() != data.jobs.size()) {
    throw InternalError(fmt::format("schedule '{}' tells of {} jobs where the batch has {}", schedule.label,
                                    result.jobs.size(), data.jobs.size()));
  }
  if (result.trace.empty() && result.map_busy + result.reduce_busy > Duration{}) {
    throw InternalError(fmt::format("schedule '{}' comes without its trace", schedule.label));
  }
  for (const TaskRecord& task : result.trace) {
    const SlotPool pool = schedule.pool.value_or(data.pool);
    const Count slots = task.kind == Kind::reduce ? pool.reduce_slots : pool.map_slots;
    if (task.job >= data.jobs.size() || task.slot >= slots || task.start < Time{} || task.end < task.start) {
      throw InternalError(
          fmt::format("schedule '{}' has a task of job {} on slot {} from {} to {} ms that cannot be",
                      schedule.label, task.job, task.slot, to_ms(task.start), to_ms(task.end)));
    }
  }
}

}  // namespace

ScheduleView view_of(std::string label, const SimulationResult& of) {
  ScheduleView view;
  view.label = std::move(label);
  view.result = &of;
  view.maps = tasks_of(of, Kind::map);
  view.reduces = tasks_of(of, Kind::reduce);
  view.first_start.resize(of.jobs.size());
  for (const TaskRecord& task : of.trace) {
    std::optional<Time>& first = view.first_start[task.job];
    if (!first || task.start < *first) first = task.start;
  }
  return view;
}

Analysis analyse(const ReportData& data) {
  Analysis analysis;
  analysis.data = &data;
  analysis.horizon = std::max(ms(1), data.makespan_bound);
  for (const ReportSchedule& schedule : data.schedules) {
    check(schedule, data);
    ScheduleView& view = analysis.schedules.emplace_back(view_of(schedule.label, schedule.result));
    view.note = schedule.note;
    view.pool = schedule.pool.value_or(data.pool);
    analysis.horizon = std::max(analysis.horizon, schedule.result.makespan);
    for (const TaskRecord& task : schedule.result.trace) {
      analysis.horizon = std::max(analysis.horizon, task.end.time_since_epoch());
    }
  }
  return analysis;
}

double gap(const Analysis& analysis, const ScheduleView& schedule) {
  return relative(schedule.result->makespan, analysis.data->makespan_bound);
}

Deadlines deadlines_of(const Analysis& analysis, const ScheduleView& schedule) {
  Deadlines found;
  for (std::size_t job = 0; job < analysis.jobs().size(); ++job) {
    const std::optional<Time>& deadline = analysis.jobs()[job].deadline;
    if (!deadline) continue;
    ++found.all;
    const JobOutcome& outcome = schedule.result->jobs[job];
    const bool ended = is_done(outcome);
    if (ended && outcome.finish <= *deadline) continue;
    ++found.missed;
    const Duration by = ended ? outcome.finish - *deadline : Duration{};
    if (found.latest && by <= found.by) continue;
    found.latest = job;
    found.by = by;
  }
  return found;
}

std::string schedule_class(std::size_t place) {
  constexpr std::size_t last = 4;
  return fmt::format("p{}", std::min(place, last));
}

std::optional<Duration> finish_change(const ScheduleView& changed, const ScheduleView& base,
                                      std::size_t job) {
  const JobOutcome& one = changed.result->jobs[job];
  const JobOutcome& other = base.result->jobs[job];
  if (one.rejected || other.rejected) return std::nullopt;
  return one.finish - other.finish;
}

}  // namespace wavewright::report
