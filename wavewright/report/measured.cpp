#include "wavewright/report/measured.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/report/text.h"

namespace wavewright {

namespace {

AttemptOutcome outcome_of(AttemptState state) {
  switch (state) {
    case AttemptState::succeeded:
      return AttemptOutcome::done;
    case AttemptState::failed:
      return AttemptOutcome::failed;
    case AttemptState::killed:
    case AttemptState::unknown:
      return AttemptOutcome::killed;
  }
  return AttemptOutcome::killed;
}

// The attempts of a kind with their times from `zero` on; their slots are still open.
void collect(std::vector<TaskRecord>& all, const JobRun& run, std::size_t job, TaskKind kind, Time zero) {
  for (const TaskRun& task : run.tasks) {
    if (task.kind != kind) continue;
    for (const Attempt& attempt : task.attempts) {
      if (!attempt.start || !attempt.finish || *attempt.finish < *attempt.start || *attempt.start < zero)
        continue;
      TaskRecord record;
      record.job = static_cast<JobIndex>(job);
      record.kind = kind == TaskKind::map ? Kind::map : Kind::reduce;
      record.task = static_cast<std::uint32_t>(std::max(0, task.number));
      record.start = Time{} + (*attempt.start - zero);
      record.end = Time{} + (*attempt.finish - zero);
      record.attempt = static_cast<std::uint32_t>(std::max(0, attempt.number));
      record.outcome = outcome_of(attempt.state);
      all.push_back(record);
    }
  }
}

// Gives each attempt, in order of start, the lowest free slot. Returns how many slots that takes.
Count give_slots(std::vector<TaskRecord>& attempts) {
  std::stable_sort(attempts.begin(), attempts.end(),
                   [](const TaskRecord& a, const TaskRecord& b) { return a.start < b.start; });
  using Busy = std::pair<Time, std::uint32_t>;
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::uint32_t slots = 0;
  for (TaskRecord& attempt : attempts) {
    while (!busy.empty() && busy.top().first <= attempt.start) {
      free.push(busy.top().second);
      busy.pop();
    }
    if (free.empty()) free.push(slots++);
    attempt.slot = free.top();
    free.pop();
    busy.emplace(attempt.end, attempt.slot);
  }
  return slots;
}

}  // namespace

std::optional<ReportSchedule> measured_schedule(std::span<const JobRun> runs) {
  if (runs.empty()) return std::nullopt;
  for (const JobRun& run : runs) {
    if (!run.submit || !run.finish || *run.finish < *run.submit) return std::nullopt;
  }
  Time zero = *runs.front().submit, latest = zero;
  for (const JobRun& run : runs) {
    zero = std::min(zero, *run.submit);
    latest = std::max(latest, *run.submit);
  }
  ReportSchedule schedule;
  schedule.label = "as measured";
  SlotPool pool;
  for (const TaskKind kind : {TaskKind::map, TaskKind::reduce}) {
    std::vector<TaskRecord> attempts;
    for (std::size_t job = 0; job < runs.size(); ++job) collect(attempts, runs[job], job, kind, zero);
    const bool maps = kind == TaskKind::map;
    (maps ? pool.map_slots : pool.reduce_slots) = give_slots(attempts);
    for (const TaskRecord& each : attempts)
      (maps ? schedule.result.map_busy : schedule.result.reduce_busy) += each.end - each.start;
    schedule.result.trace.insert(schedule.result.trace.end(), attempts.begin(), attempts.end());
  }
  for (const JobRun& run : runs) {
    JobOutcome& outcome = schedule.result.jobs.emplace_back();
    outcome.submit = Time{} + (*run.submit - zero);
    outcome.start = outcome.maps_done = outcome.submit;
    outcome.finish = Time{} + (*run.finish - zero);
    outcome.failed = run.state == RunState::failed || run.state == RunState::killed;
  }
  for (const TaskRecord& each : schedule.result.trace) {
    JobOutcome& outcome = schedule.result.jobs[each.job];
    if (each.kind == Kind::map && each.outcome == AttemptOutcome::done)
      outcome.maps_done = std::max(outcome.maps_done, std::min(each.end, outcome.finish));
  }
  schedule.result.sum_up();
  schedule.pool = pool;
  schedule.note = fmt::format(
      "As it ran on the cluster of then: at most {} and {} at once{}.",
      report::counted(pool.map_slots, "map"), report::counted(pool.reduce_slots, "reduce"),
      latest > zero ? fmt::format(", jobs submitted over {}", report::duration_text(latest - zero))
                    : std::string());
  return schedule;
}

}  // namespace wavewright
