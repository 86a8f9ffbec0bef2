#include "wavewright/history/jhist/apply.h"

#include "wavewright/history/text.h"

namespace wavewright::jhist {

namespace {

AttemptState attempt_state(std::string_view word) {
  if (word == "SUCCEEDED") return AttemptState::succeeded;
  if (word == "FAILED") return AttemptState::failed;
  if (word == "KILLED") return AttemptState::killed;
  return AttemptState::unknown;
}

RunState run_state(std::string_view word) {
  if (word == "SUCCEEDED") return RunState::succeeded;
  if (word == "KILLED" || word == "JOB_KILLED") return RunState::killed;
  return RunState::failed;  // FAILED, ERROR
}

void put(std::string& into, std::string_view text) {
  if (!text.empty()) into = clean_text(text);
}

void put(std::optional<Time>& into, std::optional<Time> told) {
  if (told) into = told;
}

IoCounters io_counters(const Event& event) {
  IoCounters counters;
  for (const CounterValue& counter : event.counters) counters.add(counter.group, counter.name, counter.value);
  return counters;
}

void job_described(const Event& event, RunBuilder& builder) {
  JobRun& run = builder.run;
  put(run.name, event[Text::job_name]);
  put(run.user, event[Text::user]);
  put(run.queue, event[Text::job_queue]);
  put(run.submit, builder.instant(event[Number::submit_time]));
  put(run.launch, builder.instant(event[Number::launch_time]));
  if (const auto maps = event[Number::total_maps]) run.total_maps = builder.planned("totalMaps", maps);
  if (const auto reduces = event[Number::total_reduces])
    run.total_reduces = builder.planned("totalReduces", reduces);
}

// A later attempt repeats the earlier ones.
void master_started(const Event& event, RunBuilder& builder) {
  builder.master(trailing_number(event[Text::application_attempt_id]),
                 builder.instant(event[Number::start_time]), event[Text::node_manager]);
}

void job_ended(const Event& event, RunBuilder& builder, RunState state) {
  JobRun& run = builder.run;
  run.state = state;
  put(run.finish, builder.instant(event[Number::finish_time]));
  put(run.diagnostics_text, event[Text::diagnostics]);
  for (const CounterValue& counter : event.counters)
    builder.job_counter(counter.group, counter.name, counter.value);
}

void task_started(const Event& event, RunBuilder& builder) {
  TaskRun* const task = builder.task(event[Text::task_id], event[Text::task_type]);
  if (task == nullptr) return;
  if (!task->start) task->start = builder.instant(event[Number::start_time]);
  task->split_nodes = hosts_of(event[Text::split_locations]);
}

void task_ended(const Event& event, RunBuilder& builder, AttemptState state) {
  TaskRun* const task = builder.task(event[Text::task_id], event[Text::task_type]);
  if (task == nullptr) return;
  task->state = state;
  put(task->finish, builder.instant(event[Number::finish_time]));
  if (state != AttemptState::succeeded) return;
  put(task->successful_attempt, event[Text::successful_attempt]);
  builder.task_counters(event[Text::task_id], io_counters(event));
}

void attempt_started(const Event& event, RunBuilder& builder) {
  Attempt* const attempt =
      builder.attempt(event[Text::task_id], event[Text::task_type], event[Text::attempt_id]);
  if (attempt == nullptr) return;
  put(attempt->start, builder.instant(event[Number::start_time]));
  if (attempt->node.empty()) attempt->node = host_of(event[Text::tracker]);
}

// Success, failure or kill. A map that succeeded and was lost with its node has two events; the last counts.
void attempt_ended(const Event& event, RunBuilder& builder, AttemptState state) {
  Attempt* const attempt =
      builder.attempt(event[Text::task_id], event[Text::task_type], event[Text::attempt_id]);
  if (attempt == nullptr) return;
  attempt->state = state;
  put(attempt->finish, builder.instant(event[Number::finish_time]));
  put(attempt->map_finish, builder.instant(event[Number::map_finish_time]));
  put(attempt->shuffle_finish, builder.instant(event[Number::shuffle_finish_time]));
  put(attempt->sort_finish, builder.instant(event[Number::sort_finish_time]));
  if (std::string host = host_of(event[Text::host]); !host.empty()) attempt->node = std::move(host);
  if (event[Text::rack] != "UNKNOWN") put(attempt->rack, event[Text::rack]);  // it never ran
  attempt->error = clean_text(event[Text::error], Lines::keep);
  if (state == AttemptState::succeeded) builder.attempt_counters(event[Text::attempt_id], io_counters(event));
}

bool apply_attempt(const Event& event, RunBuilder& builder) {
  const std::string_view type = event.type;
  AttemptState named = AttemptState::unknown;
  if (type.ends_with("_ATTEMPT_STARTED")) {
    attempt_started(event, builder);
    return true;
  }
  if (type.ends_with("_ATTEMPT_FINISHED")) named = AttemptState::succeeded;
  if (type.ends_with("_ATTEMPT_FAILED")) named = AttemptState::failed;
  if (type.ends_with("_ATTEMPT_KILLED")) named = AttemptState::killed;
  if (named == AttemptState::unknown) return false;
  const AttemptState told = attempt_state(event[Text::status]);
  attempt_ended(event, builder, told == AttemptState::unknown ? named : told);
  return true;
}

bool apply_task(const Event& event, RunBuilder& builder) {
  if (event.type == "TASK_STARTED") {
    task_started(event, builder);
  } else if (event.type == "TASK_FINISHED") {
    task_ended(event, builder, AttemptState::succeeded);
  } else if (event.type == "TASK_FAILED") {
    const AttemptState told = attempt_state(event[Text::status]);
    task_ended(event, builder, told == AttemptState::killed ? told : AttemptState::failed);
  } else {
    return event.type == "TASK_UPDATED";
  }
  return true;
}

bool apply_job(const Event& event, RunBuilder& builder) {
  const std::string_view type = event.type;
  if (type == "JOB_FINISHED") {
    job_ended(event, builder, RunState::succeeded);
  } else if (type == "JOB_FAILED" || type == "JOB_KILLED" || type == "JOB_ERROR") {
    const std::string_view told = event[Text::job_status];
    job_ended(event, builder, run_state(told.empty() ? type : told));
  } else if (type == "JOB_SUBMITTED" || type == "JOB_INITED" || type == "JOB_INFO_CHANGED" ||
             type == "JOB_QUEUE_CHANGED") {
    job_described(event, builder);
  } else {
    return type == "JOB_PRIORITY_CHANGED" || type == "JOB_STATUS_CHANGED";
  }
  return true;
}

}  // namespace

bool apply(const Event& event, RunBuilder& builder) {
  if (!event[Text::job_id].empty()) builder.name_job(event[Text::job_id]);
  if (event.type.starts_with("JOB_")) return apply_job(event, builder);
  if (event.type.starts_with("TASK_")) return apply_task(event, builder);
  if (event.type == "AM_STARTED") {
    master_started(event, builder);
    return true;
  }
  return event.type == "NORMALIZED_RESOURCE" || apply_attempt(event, builder);
}

}  // namespace wavewright::jhist
