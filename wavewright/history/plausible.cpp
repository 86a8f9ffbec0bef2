#include "wavewright/history/plausible.h"

#include <algorithm>

#include "wavewright/history/findings.h"

namespace wavewright {

namespace {

bool backwards(const std::optional<Time>& earlier, const std::optional<Time>& later) {
  return earlier && later && *later < *earlier;
}

class Tally {
 public:
  explicit Tally(std::string reason) : reason_(std::move(reason)) {}

  void count(bool wrong, const std::string& id) {
    if (wrong && count_++ == 0) first_ = id;
  }

  void report(const std::string& source, const DiagnosticSink& diagnostics) const {
    if (count_ == 0) return;
    const std::string detail = count_ == 1 ? first_ : std::to_string(count_) + " times, first " + first_;
    diagnostics(diagnosed(Diagnostic::Severity::warning, {source}, reason_, detail));
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

}  // namespace

void report_implausible(const JobRun& run, const DiagnosticSink& diagnostics) {
  Tally attempts("attempt finishes before it starts");
  Tally phases("phases of an attempt out of order");
  Tally tasks("task finishes before it starts");
  Tally job("job finishes before it was submitted");
  Tally totals("tasks told are not as many as the job planned");
  for (const TaskRun& task : run.tasks) {
    tasks.count(backwards(task.start, task.finish), task.id);
    for (const Attempt& attempt : task.attempts) {
      attempts.count(backwards(attempt.start, attempt.finish), attempt.id);
      phases.count(backwards(attempt.shuffle_finish, attempt.sort_finish) ||
                       backwards(attempt.start, attempt.shuffle_finish) ||
                       backwards(attempt.sort_finish, attempt.finish) ||
                       backwards(attempt.map_finish, attempt.finish),
                   attempt.id);
    }
  }
  job.count(backwards(run.submit, run.finish), run.id);
  if (run.state == RunState::succeeded) {
    totals.count(tasks_of(run, TaskKind::map) != run.total_maps ||
                     tasks_of(run, TaskKind::reduce) != run.total_reduces,
                 run.id);
  }
  for (const Tally* tally : {&attempts, &phases, &tasks, &job, &totals})
    tally->report(run.source, diagnostics);
}

}  // namespace wavewright
