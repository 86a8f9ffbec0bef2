// Decodes REST responses of the JobHistory server and of a running job's application master: bytes in, no
// network. Fields are those of Hadoop's "MapReduce History Server REST APIs" and "MR Application Master REST
// APIs"; one that is missing or malformed is absent.
//
// REST lacks some figures of a job's history file: when a map function ended, which hosts held a split, when
// a task (not its first attempt) was scheduled, attempts killed before they ran. It reports FAILED for tasks
// that were killed with their job: a task whose last attempt did not fail counts as killed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/history/run_builder.h"

namespace wavewright::rest {

// All functions throw InputError if the response is not JSON or has another form; `url` is its origin.

// Is `id` of the form `job_DIGITS_DIGITS` (`application_…`)? Ids become parts of paths, so no other is used.
[[nodiscard]] bool is_job_id(std::string_view id);
[[nodiscard]] bool is_application_id(std::string_view id);

struct ListedJob {
  std::string id;     // job_1700000000000_0001, or anything the server sends
  std::string state;  // SUCCEEDED
  std::int64_t finish_ms = 0;
};
// Entries of `/ws/v1/history/mapreduce/jobs`, even with malformed ids. `"jobs": null` is an empty list.
// Throws InputError if there is no list.
[[nodiscard]] std::vector<ListedJob> listed_jobs(std::string_view answer, const std::string& url);

// The same of one job, `/ws/v1/history/mapreduce/jobs/ID`. Throws InputError if the answer has no job.
[[nodiscard]] ListedJob listed_job(std::string_view answer, const std::string& url);

struct Application {
  std::string id;     // application_1700000000000_0001
  std::string state;  // RUNNING, FINISHED
  std::string queue;
  std::optional<std::int64_t> submit_ms;

  [[nodiscard]] std::string job() const;  // job_1700000000000_0001
};
// Entries of the ResourceManager's `/ws/v1/cluster/apps` and `/ws/v1/cluster/apps/ID`.
[[nodiscard]] std::vector<Application> applications(std::string_view answer, const std::string& url);
[[nodiscard]] std::optional<Application> application(std::string_view answer, const std::string& url);

// Does the response have the member that identifies a server (`historyInfo`, `clusterInfo`)? False, without
// an exception, for anything that is not JSON.
[[nodiscard]] bool has_member(std::string_view answer, std::string_view name);

// The message of a `RemoteException`; empty if there is none.
[[nodiscard]] std::string remote_message(std::string_view answer);

// Each applies one response to the run.
//
// take_job returns the names of fields with a wrong type.
std::vector<std::string> take_job(std::string_view answer, const std::string& url, RunBuilder& builder);
void take_job_counters(std::string_view answer, const std::string& url, RunBuilder& builder);
// The attempts of the application master, from `…/jobattempts`.
void take_masters(std::string_view answer, const std::string& url, RunBuilder& builder);
// Returns the ids of the job's tasks. Throws InputError for an id that would lead elsewhere in a path.
std::vector<std::string> take_tasks(std::string_view answer, const std::string& url, RunBuilder& builder);
void take_attempts(std::string_view answer, const std::string& url, const std::string& task_id,
                   RunBuilder& builder);
void take_task_counters(std::string_view answer, const std::string& url, const std::string& task_id,
                        RunBuilder& builder);

}  // namespace wavewright::rest
