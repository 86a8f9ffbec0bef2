#include "wavewright/history/run_builder.h"

#include <tuple>

#include "wavewright/history/findings.h"
#include "wavewright/history/limits.h"
#include "wavewright/history/sanity_checks.h"
#include "wavewright/history/text.h"

namespace wavewright {

void RunBuilder::name_job(std::string_view id) {
  if (run.id.empty()) run.id = clean_text(id);
}

TaskRun* RunBuilder::task(std::string_view id, std::string_view type) {
  if (id.empty()) return nullptr;
  if (const auto known = tasks_.find(id); known != tasks_.end()) return &run.tasks[known->second];
  tasks_.emplace(id, run.tasks.size());
  TaskRun& made = run.tasks.emplace_back();
  made.id = clean_text(id);
  made.kind = task_kind(type, id);
  made.number = trailing_number(id);
  if (run.id.empty()) run.id = job_of(id);
  return &made;
}

Attempt* RunBuilder::attempt(std::string_view task_id, std::string_view type, std::string_view attempt_id) {
  if (attempt_id.empty()) return nullptr;
  if (const auto known = attempts_.find(attempt_id); known != attempts_.end()) {
    return &run.tasks[known->second.task].attempts[known->second.attempt];
  }
  TaskRun* const owner = task(task_id, type);
  if (owner == nullptr) return nullptr;
  const auto index = static_cast<std::size_t>(owner - run.tasks.data());
  attempts_.emplace(attempt_id, AttemptPlace{index, owner->attempts.size(), {}});
  Attempt& made = owner->attempts.emplace_back();
  made.id = clean_text(attempt_id);
  made.number = trailing_number(attempt_id);
  return &made;
}

void RunBuilder::task_counters(std::string_view task_id, const IoCounters& counters) {
  const auto known = tasks_.find(task_id);
  if (known == tasks_.end()) return;
  TaskRun& told = run.tasks[known->second];
  const IoBytes bytes = counters.of(told.kind);
  if (bytes.input) told.input = bytes.input;
  if (bytes.output) told.output = bytes.output;
}

void RunBuilder::attempt_counters(std::string_view attempt_id, const IoCounters& counters) {
  if (const auto known = attempts_.find(attempt_id); known != attempts_.end()) {
    known->second.counters = counters;
  }
}

void RunBuilder::master(std::int32_t number, std::optional<Time> start, std::string_view host) {
  std::string node = host_of(host);
  if (start || !node.empty()) run.masters.push_back({number, start, std::move(node)});
}

void RunBuilder::job_counter(std::string_view group, std::string_view name, std::int64_t value) {
  if (group.size() + name.size() > 512) return;
  run.counters[clean_text(group) + "/" + clean_text(name)] = value;
}

Count RunBuilder::planned(std::string_view field, std::optional<std::int64_t> told) {
  if (!told || *told == -1) return 0;
  if (*told >= 0 && *told <= most_tasks_of_a_run) return *told;
  if (impossible_.empty()) impossible_ = std::string(field) + " " + std::to_string(*told);
  return 0;
}

std::optional<Time> RunBuilder::instant(std::optional<std::int64_t> told) {
  if (!told || *told <= 0) return std::nullopt;
  if (*told > longest_duration.count()) {
    ++instants_out_of_range_;
    return std::nullopt;
  }
  return at_ms(*told);
}

// Completes a task when all records are read: the successful attempt if the history names none, its bytes
// if the task has none of its own, the attempts' order.
void RunBuilder::settle(TaskRun& task) {
  if (task.successful_attempt.empty() && task.state == AttemptState::succeeded) {
    for (const Attempt& attempt : task.attempts) {
      if (attempt.state == AttemptState::succeeded) task.successful_attempt = attempt.id;
    }
  }
  if (const auto best = attempts_.find(task.successful_attempt); best != attempts_.end()) {
    const IoBytes bytes = best->second.counters.of(task.kind);
    if (!task.input) task.input = bytes.input;
    if (!task.output) task.output = bytes.output;
  }
}

void RunBuilder::settle_masters() {
  std::stable_sort(run.masters.begin(), run.masters.end(),
                   [](const MasterRun& a, const MasterRun& b) { return a.number < b.number; });
  std::vector<MasterRun> known;
  for (MasterRun& told : run.masters) {
    if (known.empty() || known.back().number != told.number) {
      known.push_back(std::move(told));
      continue;
    }
    if (!known.back().start) known.back().start = told.start;
    if (known.back().node.empty()) known.back().node = std::move(told.node);
  }
  run.masters = std::move(known);
}

JobRun RunBuilder::finish(const std::string& source, const DiagnosticSink& diagnostics) && {
  if (!impossible_.empty()) {
    throw InputError({source}, "number of planned tasks that cannot be",
                     impossible_ + ": the history is damaged, take another copy of it");
  }
  run.source = source;
  settle_masters();
  for (TaskRun& task : run.tasks) {
    settle(task);
    std::stable_sort(task.attempts.begin(), task.attempts.end(), [](const Attempt& a, const Attempt& b) {
      return std::tuple(a.start.value_or(Time::max()), a.number) <
             std::tuple(b.start.value_or(Time::max()), b.number);
    });
  }
  std::stable_sort(run.tasks.begin(), run.tasks.end(), [](const TaskRun& a, const TaskRun& b) {
    return std::tuple(a.kind, a.number) < std::tuple(b.kind, b.number);
  });
  if (instants_out_of_range_ > 0) {
    diagnostics(diagnosed(Diagnostic::Severity::warning, {source},
                          "instants beyond the year 10000, taken as not told",
                          std::to_string(instants_out_of_range_)));
  }
  repair_impossible(run, diagnostics);
  for (const auto& [reason, count] : lost_records_) run.quality_warnings[reason] += count;
  return std::move(run);
}

void hand_over(RunBuilder&& builder, const std::string& source, const RunSink& runs,
               const DiagnosticSink& diagnostics) {
  JobRun run;
  try {
    run = std::move(builder).finish(source, diagnostics);
  } catch (const InputError& error) {
    diagnostics(diagnosed(Diagnostic::Severity::skipped, error.where(), error.problem(), error.remedy()));
    return;
  }
  runs(std::move(run));
}

}  // namespace wavewright
