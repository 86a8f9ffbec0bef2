#include "wavewright/history/rest/answers.h"

#include <algorithm>
#include <limits>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/history/text.h"

namespace wavewright::rest {

namespace {

using json::integer;
using json::text;
using json::Value;

RunState run_state(std::string_view word) {
  if (word == "SUCCEEDED") return RunState::succeeded;
  if (word == "FAILED" || word == "ERROR") return RunState::failed;
  if (word == "KILLED" || word == "KILL_WAIT") return RunState::killed;
  if (word == "RUNNING" || word == "NEW" || word == "INITED" || word == "SETUP") return RunState::running;
  return RunState::unknown;
}

AttemptState attempt_state(std::string_view word) {
  if (word == "SUCCEEDED") return AttemptState::succeeded;
  if (word == "FAILED") return AttemptState::failed;
  if (word == "KILLED") return AttemptState::killed;
  return AttemptState::unknown;
}

void put(std::string& into, std::string_view told, Lines lines = Lines::join) {
  if (!told.empty()) into = clean_text(told, lines);
}

template <class Each>
void for_each_counter(Value holder, std::string_view groups, std::string_view value, Each each) {
  json::for_each(holder, groups, [&](Value group) {
    json::for_each(group, "counter", [&](Value counter) {
      if (const auto number = integer(counter, value)) {
        each(text(group, "counterGroupName"), text(counter, "name"), *number);
      }
    });
  });
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// `PREFIX_DIGITS_DIGITS`
bool is_id(std::string_view id, std::string_view prefix) {
  if (!id.starts_with(prefix)) return false;
  id.remove_prefix(prefix.size());
  const std::size_t bar = id.find('_');
  return bar != std::string_view::npos && is_number(id.substr(0, bar)) && is_number(id.substr(bar + 1));
}

// Calls `each` for the entries of `{"jobs": {"job": [...]}}`. Servers write an empty list as null, as an
// empty object or as an empty text.
template <class Each>
void for_each_listed(Value root, std::string_view list, std::string_view entry, const std::string& url,
                     Each each) {
  const auto refuse = [&] {
    throw InputError({url}, "the answer is no list of jobs", "check the address, and the server's version");
  };
  const auto holder = json::member(root, list);
  if (!holder) return refuse();
  if (holder->is_null() || (holder->is_string() && text(root, list).empty())) return;
  if (!holder->is_object()) return refuse();
  const auto entries = json::member(*holder, entry);
  if (!entries || entries->is_null()) return;
  if (!entries->is_array() && !entries->is_object()) return refuse();
  json::for_each(*holder, entry, each);
}

// The job's fields with a wrong type that is not null either.
std::vector<std::string> of_wrong_type(Value job) {
  std::vector<std::string> odd;
  const auto look = [&](const char* name, auto good) {
    const auto value = json::member(job, name);
    if (value && !value->is_null() && !good(*value)) odd.emplace_back(name);
  };
  for (const char* name : {"name", "user", "queue", "state", "diagnostics"}) {
    look(name, [](Value value) { return value.is_string(); });
  }
  for (const char* name : {"submitTime", "startTime", "finishTime", "mapsTotal", "reducesTotal"}) {
    look(name, [&](Value) { return integer(job, name).has_value(); });
  }
  return odd;
}

ListedJob listed_job_of(Value job) {
  return {clean_text(text(job, "id")), clean_text(text(job, "state")),
          std::max<std::int64_t>(integer(job, "finishTime").value_or(0), 0)};
}

Application application_of(Value told) {
  return {clean_text(text(told, "id")), clean_text(text(told, "state")), clean_text(text(told, "queue")),
          integer(told, "startedTime")};
}

void take_attempt(Value told, const std::string& task_id, RunBuilder& builder) {
  Attempt* const attempt = builder.attempt(task_id, text(told, "type"), text(told, "id"));
  if (attempt == nullptr) return;
  attempt->state = attempt_state(text(told, "state"));
  attempt->start = builder.instant(integer(told, "startTime"));
  attempt->finish = builder.instant(integer(told, "finishTime"));
  // For an attempt that ended before these phases, the server repeats its finish here.
  const auto phase = [&](std::string_view key) {
    const auto end = builder.instant(integer(told, key));
    return attempt->state == AttemptState::succeeded || end != attempt->finish ? end : std::nullopt;
  };
  attempt->shuffle_finish = phase("shuffleFinishTime");
  attempt->sort_finish = phase("mergeFinishTime");
  attempt->node = host_of(text(told, "nodeHttpAddress"));
  put(attempt->rack, text(told, "rack"));
  put(attempt->error, text(told, "diagnostics"), Lines::keep);
}

// A task failed if its last attempt did. A task killed with its job has a killed attempt last, or none.
bool last_failed(const TaskRun& task) {
  const auto last = std::max_element(task.attempts.begin(), task.attempts.end(),
                                     [](const Attempt& a, const Attempt& b) { return a.finish < b.finish; });
  return last != task.attempts.end() && last->state == AttemptState::failed;
}

}  // namespace

bool is_job_id(std::string_view id) {
  return is_id(id, "job_");
}

bool is_application_id(std::string_view id) {
  return is_id(id, "application_");
}

std::string Application::job() const {
  constexpr std::string_view prefix = "application_";
  return id.starts_with(prefix) ? "job_" + id.substr(prefix.size()) : std::string();
}

std::vector<ListedJob> listed_jobs(std::string_view answer, const std::string& url) {
  json::Document document;
  std::vector<ListedJob> jobs;
  for_each_listed(document.parse(answer, url), "jobs", "job", url,
                  [&](Value job) { jobs.push_back(listed_job_of(job)); });
  return jobs;
}

ListedJob listed_job(std::string_view answer, const std::string& url) {
  json::Document document;
  const auto job = json::member(document.parse(answer, url), "job");
  if (!job) throw InputError({url}, "an answer without a job", "ask the server's operator");
  return listed_job_of(*job);
}

std::vector<Application> applications(std::string_view answer, const std::string& url) {
  json::Document document;
  std::vector<Application> list;
  for_each_listed(document.parse(answer, url), "apps", "app", url,
                  [&](Value told) { list.push_back(application_of(told)); });
  return list;
}

std::optional<Application> application(std::string_view answer, const std::string& url) {
  json::Document document;
  const auto told = json::member(document.parse(answer, url), "app");
  return told ? std::optional(application_of(*told)) : std::nullopt;
}

bool has_member(std::string_view answer, std::string_view name) {
  json::Document document;
  try {
    return json::member(document.parse(answer, {}), name).has_value();
  } catch (const InputError&) {
    return false;
  }
}

std::string remote_message(std::string_view answer) {
  json::Document document;
  try {
    const auto told = json::member(document.parse(answer, {}), "RemoteException");
    if (!told) return {};
    const std::string exception = clean_text(text(*told, "exception"));
    const std::string message = clean_text(text(*told, "message"));
    return (exception + (exception.empty() || message.empty() ? "" : ": ") + message).substr(0, 500);
  } catch (const InputError&) {
    return {};
  }
}

std::vector<std::string> take_job(std::string_view answer, const std::string& url, RunBuilder& builder) {
  json::Document document;
  const auto job = json::member(document.parse(answer, url), "job");
  if (!job) throw InputError({url}, "an answer without a job", "ask the server's operator");
  if (const std::string_view id = text(*job, "id"); !id.empty()) builder.name_job(id);
  JobRun& run = builder.run;
  put(run.name, text(*job, "name"));
  put(run.user, text(*job, "user"));
  put(run.queue, text(*job, "queue"));
  put(run.diagnostics_text, text(*job, "diagnostics"));
  run.state = run_state(text(*job, "state"));
  if (const auto submit = builder.instant(integer(*job, "submitTime"))) run.submit = submit;
  run.launch = builder.instant(integer(*job, "startTime"));
  run.finish = builder.instant(integer(*job, "finishTime"));
  run.total_maps = builder.planned("mapsTotal", integer(*job, "mapsTotal"));
  run.total_reduces = builder.planned("reducesTotal", integer(*job, "reducesTotal"));
  return of_wrong_type(*job);
}

void take_job_counters(std::string_view answer, const std::string& url, RunBuilder& builder) {
  json::Document document;
  const auto counters = json::member(document.parse(answer, url), "jobCounters");
  if (!counters) return;
  for_each_counter(*counters, "counterGroup", "totalCounterValue",
                   [&](std::string_view group, std::string_view name, std::int64_t value) {
                     builder.job_counter(group, name, value);
                   });
}

void take_masters(std::string_view answer, const std::string& url, RunBuilder& builder) {
  json::Document document;
  const auto attempts = json::member(document.parse(answer, url), "jobAttempts");
  if (!attempts || !attempts->is_object()) return;
  json::for_each(*attempts, "jobAttempt", [&](Value told) {
    const std::int64_t number = integer(told, "id").value_or(0);
    if (number < 1 || number > std::numeric_limits<std::int32_t>::max()) return;
    builder.master(static_cast<std::int32_t>(number), builder.instant(integer(told, "startTime")),
                   text(told, "nodeHttpAddress"));
  });
}

std::vector<std::string> take_tasks(std::string_view answer, const std::string& url, RunBuilder& builder) {
  json::Document document;
  std::vector<std::string> ids;
  const auto tasks = json::member(document.parse(answer, url), "tasks");
  if (!tasks) return ids;
  json::for_each(*tasks, "task", [&](Value told) {
    const std::string_view id = text(told, "id");
    const bool plain = std::all_of(id.begin(), id.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
    if (!plain) throw InputError({url}, "a task whose id is none of Hadoop's", "see the server's log");
    TaskRun* const task = builder.task(id, text(told, "type"));
    if (task == nullptr) return;
    ids.emplace_back(id);
    task->state = attempt_state(text(told, "state"));
    task->start = builder.instant(integer(told, "startTime"));
    task->finish = builder.instant(integer(told, "finishTime"));
    put(task->successful_attempt, text(told, "successfulAttempt"));
  });
  return ids;
}

void take_attempts(std::string_view answer, const std::string& url, const std::string& task_id,
                   RunBuilder& builder) {
  json::Document document;
  const auto attempts = json::member(document.parse(answer, url), "taskAttempts");
  if (attempts) {
    json::for_each(*attempts, "taskAttempt", [&](Value told) { take_attempt(told, task_id, builder); });
  }
  TaskRun* const task = builder.task(task_id, {});
  if (task != nullptr && task->state == AttemptState::failed && !last_failed(*task)) {
    task->state = AttemptState::killed;
  }
}

void take_task_counters(std::string_view answer, const std::string& url, const std::string& task_id,
                        RunBuilder& builder) {
  json::Document document;
  const auto counters = json::member(document.parse(answer, url), "jobTaskCounters");
  if (!counters) return;
  IoCounters read;
  for_each_counter(*counters, "taskCounterGroup", "value",
                   [&](std::string_view group, std::string_view name, std::int64_t value) {
                     read.add(group, name, value);
                   });
  builder.task_counters(task_id, read);
}

}  // namespace wavewright::rest
