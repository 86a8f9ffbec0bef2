#include "wavewright/history/sanity_checks.h"

#include <algorithm>

#include "wavewright/history/clocks.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/limits.h"

namespace wavewright {

namespace {

bool backwards(const std::optional<Time>& earlier, const std::optional<Time>& later) {
  return earlier && later && *later < *earlier;
}
bool far_backwards(const std::optional<Time>& earlier, const std::optional<Time>& later) {
  return earlier && later && *later + clock_slack < *earlier;
}

class Tally {
 public:
  explicit Tally(std::string reason) : reason_(std::move(reason)) {}

  void count(bool wrong, const std::string& id) {
    if (wrong && count_++ == 0) first_ = id;
  }

  void report(JobRun& run, const DiagnosticSink& diagnostics) const {
    if (count_ == 0) return;
    run.quality_warnings[reason_] = count_;
    const std::string detail = count_ == 1 ? first_ : std::to_string(count_) + " times, first " + first_;
    diagnostics(diagnosed(Diagnostic::Severity::warning, {run.source}, reason_, detail));
  }

 private:
  std::string reason_;
  std::string first_;
  Count count_ = 0;
};

Count tasks_of(const JobRun& run, TaskKind kind) {
  return std::count_if(run.tasks.begin(), run.tasks.end(),
                       [&](const TaskRun& task) { return task.kind == kind; });
}

Attempt* winner_of(TaskRun& task) {
  return const_cast<Attempt*>(winner(task));  // NOLINT: the task itself may be changed
}

void fill_missing_finishes(JobRun& run, Tally& filled) {
  for (TaskRun& task : run.tasks) {
    Attempt* const best = winner_of(task);
    if (best == nullptr || best->finish || !task.finish || !best->start || *task.finish < *best->start)
      continue;
    best->finish = task.finish;
    filled.count(true, best->id);
  }
}

// All volumes of one kind together stay below the limit, too, so that no sum of them overflows.
void drop_impossible_bytes(JobRun& run, Tally& dropped) {
  std::int64_t left_to_read = most_bytes_of_a_run;
  std::int64_t left_to_write = most_bytes_of_a_run;
  const auto look_at = [&](std::optional<Bytes>& volume, std::int64_t& left, const std::string& id) {
    if (!volume) return;
    const bool wrong = volume->count < 0 || volume->count > left;
    dropped.count(wrong, id);
    if (wrong) {
      volume.reset();
    } else {
      left -= volume->count;
    }
  };
  for (TaskRun& task : run.tasks) {
    look_at(task.input, left_to_read, task.id);
    look_at(task.output, left_to_write, task.id);
  }
}

// For a run that succeeded: all its tasks must have succeeded, and are told.
void count_lost_events(JobRun& run, const DiagnosticSink& diagnostics) {
  Tally endless("attempt without an end");
  Tally bare("task without a successful attempt");
  Tally untimed("successful attempt without a start or a finish");
  Tally totals("tasks told are not as many as the job planned: those told count");
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = winner(task);
    const bool job_task = task.kind == TaskKind::map || task.kind == TaskKind::reduce;
    bare.count(job_task && best == nullptr, task.id);
    untimed.count(best != nullptr && (!best->start || !best->finish), best == nullptr ? task.id : best->id);
    for (const Attempt& attempt : task.attempts) {
      endless.count(attempt.state == AttemptState::unknown && !attempt.finish, attempt.id);
    }
  }
  totals.count(
      tasks_of(run, TaskKind::map) != run.total_maps || tasks_of(run, TaskKind::reduce) != run.total_reduces,
      run.id);
  for (const Tally* tally : {&endless, &bare, &untimed, &totals}) tally->report(run, diagnostics);
  // A number that the tasks do not bear out would size every prediction.
  run.total_maps = tasks_of(run, TaskKind::map);
  run.total_reduces = tasks_of(run, TaskKind::reduce);
}

void count_impossible_times(JobRun& run, const DiagnosticSink& diagnostics) {
  Tally attempts("attempt finishes before it starts");
  Tally phases("phases of an attempt out of order");
  Tally outside("attempt outside its job's time");
  Tally shuffles("shuffle ended before the last map");
  Tally tasks("task finishes before it starts");
  Tally masters("application master started outside its job's time");
  Tally job("job finishes before it was submitted");
  const SanityChecks checks(run);
  for (const TaskRun& task : run.tasks) {
    tasks.count(backwards(task.start, task.finish), task.id);
    const Attempt* const best = winner(task);
    for (const Attempt& attempt : task.attempts) {
      attempts.count(backwards(attempt.start, attempt.finish), attempt.id);
      phases.count(backwards(attempt.shuffle_finish, attempt.sort_finish) ||
                       backwards(attempt.start, attempt.shuffle_finish) ||
                       backwards(attempt.sort_finish, attempt.finish) ||
                       backwards(attempt.map_finish, attempt.finish),
                   attempt.id);
      if (&attempt != best) continue;
      outside.count(far_backwards(run.submit, attempt.start) || far_backwards(attempt.finish, run.finish),
                    attempt.id);
      shuffles.count(far_backwards(checks.maps_done(), attempt.shuffle_finish), attempt.id);
    }
  }
  for (const MasterRun& master : run.masters) masters.count(!checks.possible(master), run.id);
  job.count(backwards(run.submit, run.finish), run.id);
  for (const Tally* tally : {&attempts, &phases, &outside, &shuffles, &tasks, &masters, &job})
    tally->report(run, diagnostics);
}

}  // namespace

void repair_impossible(JobRun& run, const DiagnosticSink& diagnostics) {
  Tally filled("finish of an attempt missing, taken from its task");
  Tally bytes("volume that cannot be, dropped");
  Tally shifted("clock of a node off, its attempts shifted");
  fill_missing_finishes(run, filled);
  drop_impossible_bytes(run, bytes);
  for (const ClockOffset& clock : clocks_off(run)) {
    shift_clock(run, clock);
    for (Count i = 0; i < clock.attempts; ++i) shifted.count(true, clock.node);
  }
  for (const Tally* tally : {&filled, &bytes, &shifted}) tally->report(run, diagnostics);
  count_impossible_times(run, diagnostics);
  if (run.state == RunState::succeeded) count_lost_events(run, diagnostics);
}

SanityChecks::SanityChecks(const JobRun& run) : run_(&run) {
  for (const TaskRun& task : run.tasks) {
    const Attempt* const best = task.kind == TaskKind::map ? winner(task) : nullptr;
    if (best == nullptr || !within(*best)) continue;
    if (!maps_done_ || *best->finish > *maps_done_) maps_done_ = best->finish;
  }
}

bool SanityChecks::within(const Attempt& attempt) const {
  return attempt.start && attempt.finish && *attempt.finish >= *attempt.start &&
         !far_backwards(run_->submit, attempt.start) && !far_backwards(attempt.finish, run_->finish);
}

bool SanityChecks::possible(const MasterRun& master) const {
  return !far_backwards(run_->submit, master.start) && !far_backwards(master.start, run_->finish);
}

bool SanityChecks::possible(const Attempt& attempt) const {
  return within(attempt) && !far_backwards(attempt.start, attempt.shuffle_finish) &&
         !far_backwards(attempt.shuffle_finish, attempt.sort_finish) &&
         !far_backwards(attempt.sort_finish, attempt.finish) &&
         !far_backwards(maps_done_, attempt.shuffle_finish);
}

}  // namespace wavewright
