#include "wavewright/history/hadoop1/apply.h"

#include "wavewright/history/hadoop1/counters.h"
#include "wavewright/history/text.h"

namespace wavewright::hadoop1 {

namespace {

AttemptState attempt_state(std::string_view word) {
  if (word == "SUCCESS") return AttemptState::succeeded;
  if (word == "FAILED") return AttemptState::failed;
  if (word == "KILLED") return AttemptState::killed;
  return AttemptState::unknown;
}

RunState run_state(std::string_view word) {
  if (word == "SUCCESS" || word == "SUCCEEDED") return RunState::succeeded;
  if (word == "FAILED") return RunState::failed;
  if (word == "KILLED") return RunState::killed;
  return RunState::unknown;  // PREP, RUNNING
}

void put(std::string& into, const std::string& text) {
  if (!text.empty()) into = clean_text(text);
}

void put(std::optional<Time>& into, const Record& record, std::string_view key, RunBuilder& builder) {
  if (const auto told = builder.instant(parse_integer(record.get(key)))) into = told;
}

void put(Count& into, const Record& record, std::string_view key, RunBuilder& builder) {
  if (const auto told = parse_integer(record.get(key))) into = builder.planned(key, told);
}

Applied apply_job(const Record& record, RunBuilder& builder) {
  JobRun& run = builder.run;
  builder.name_job(record.get("JOBID"));
  put(run.name, record.get("JOBNAME"));
  put(run.user, record.get("USER"));
  put(run.queue, record.get("JOB_QUEUE"));
  put(run.submit, record, "SUBMIT_TIME", builder);
  put(run.launch, record, "LAUNCH_TIME", builder);
  put(run.finish, record, "FINISH_TIME", builder);
  put(run.total_maps, record, "TOTAL_MAPS", builder);
  put(run.total_reduces, record, "TOTAL_REDUCES", builder);
  put(run.diagnostics_text, record.get("FAIL_REASON"));
  if (const auto state = run_state(record.get("JOB_STATUS")); state != RunState::unknown) run.state = state;
  const bool readable =
      parse_counters(record.get("COUNTERS"), [&](const auto& group, const auto& name, std::int64_t value) {
        builder.job_counter(group, name, value);
      });
  return readable ? Applied::yes : Applied::bad_counters;
}

bool read_counters(const Record& record, IoCounters& counters) {
  return parse_counters(record.get("COUNTERS"), [&](const auto& group, const auto& name, std::int64_t value) {
    counters.add(group, name, value);
  });
}

Applied apply_task(const Record& record, RunBuilder& builder) {
  const std::string id = record.get("TASKID");
  TaskRun* const task = builder.task(id, record.get("TASK_TYPE"));
  if (task == nullptr) return Applied::unknown_record;
  if (!task->start) put(task->start, record, "START_TIME", builder);
  put(task->finish, record, "FINISH_TIME", builder);
  if (const std::string splits = record.get("SPLITS"); !splits.empty()) task->split_nodes = hosts_of(splits);
  const AttemptState state = attempt_state(record.get("TASK_STATUS"));
  if (state != AttemptState::unknown) task->state = state;
  if (state != AttemptState::succeeded) return Applied::yes;
  IoCounters counters;
  const bool readable = read_counters(record, counters);
  builder.task_counters(id, counters);
  return readable ? Applied::yes : Applied::bad_counters;
}

Applied apply_attempt(const Record& record, RunBuilder& builder) {
  const std::string id = record.get("TASK_ATTEMPT_ID");
  Attempt* const attempt = builder.attempt(record.get("TASKID"), record.get("TASK_TYPE"), id);
  if (attempt == nullptr) return Applied::unknown_record;
  put(attempt->start, record, "START_TIME", builder);
  put(attempt->finish, record, "FINISH_TIME", builder);
  put(attempt->shuffle_finish, record, "SHUFFLE_FINISHED", builder);
  put(attempt->sort_finish, record, "SORT_FINISHED", builder);
  if (attempt->node.empty()) attempt->node = host_of(record.get("TRACKER_NAME"));
  if (const std::string host = record.get("HOSTNAME"); !host.empty()) {
    attempt->node = host_of(host);
    attempt->rack = rack_of(host);
  }
  if (const std::string error = record.get("ERROR"); !error.empty()) {
    attempt->error = clean_text(error, Lines::keep);
  }
  const AttemptState state = attempt_state(record.get("TASK_STATUS"));
  if (state != AttemptState::unknown) attempt->state = state;
  if (state != AttemptState::succeeded) return Applied::yes;
  IoCounters counters;
  const bool readable = read_counters(record, counters);
  builder.attempt_counters(id, counters);
  return readable ? Applied::yes : Applied::bad_counters;
}

}  // namespace

Applied apply(const Record& record, RunBuilder& builder) {
  if (record.type == "Job") return apply_job(record, builder);
  if (record.type == "Task") return apply_task(record, builder);
  if (record.type == "MapAttempt" || record.type == "ReduceAttempt") return apply_attempt(record, builder);
  return record.type == "Meta" ? Applied::yes : Applied::unknown_record;
}

}  // namespace wavewright::hadoop1
