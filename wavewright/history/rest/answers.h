// What the JobHistory server and a running job's application master answer to REST, taken apart: bytes in,
// no network. Fields are those of Hadoop's "MapReduce History Server REST APIs" and "MR Application Master
// REST APIs"; one that is missing or odd is absent.
//
// Against a job's own history file REST lacks: when a map function ended, which hosts held a split, when a
// task (not its first attempt) was scheduled, attempts that were killed before they ran. It tells FAILED of
// tasks that were killed with their job: one whose last attempt did not fail is taken as killed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/history/run_builder.h"

namespace wavewright::rest {

// All functions throw InputError where the answer is no JSON, or none to the question; `url` is where it came
// from.

// Whether `id` is `job_DIGITS_DIGITS` (`application_…`). Ids become parts of paths: no other is asked for.
[[nodiscard]] bool is_job_id(std::string_view id);
[[nodiscard]] bool is_application_id(std::string_view id);

struct ListedJob {
  std::string id;     // job_1700000000000_0001, or whatever the server tells
  std::string state;  // SUCCEEDED
  std::int64_t finish_ms = 0;
};
// Of `/ws/v1/history/mapreduce/jobs`: every entry, also one whose id is none. `"jobs": null` is an empty
// list; InputError where there is no list.
[[nodiscard]] std::vector<ListedJob> listed_jobs(std::string_view answer, const std::string& url);

struct Application {
  std::string id;     // application_1700000000000_0001
  std::string state;  // RUNNING, FINISHED
  std::string queue;
  std::optional<std::int64_t> submit_ms;

  [[nodiscard]] std::string job() const;  // job_1700000000000_0001
};
// The same of the ResourceManager's `/ws/v1/cluster/apps` and `/ws/v1/cluster/apps/ID`.
[[nodiscard]] std::vector<Application> applications(std::string_view answer, const std::string& url);
[[nodiscard]] std::optional<Application> application(std::string_view answer, const std::string& url);

// Whether an answer has the member by which a server is known: `historyInfo`, `clusterInfo`. False, without
// a throw, for anything that is no JSON.
[[nodiscard]] bool has_member(std::string_view answer, std::string_view name);

// The message in a `RemoteException`; empty where there is none.
[[nodiscard]] std::string remote_message(std::string_view answer);

// Each takes one answer into the run.
//
// Of the job itself; returns the names of the fields that are there, but of a wrong type.
std::vector<std::string> take_job(std::string_view answer, const std::string& url, RunBuilder& builder);
void take_job_counters(std::string_view answer, const std::string& url, RunBuilder& builder);
// Of `…/jobattempts`: the attempts at its application master.
void take_masters(std::string_view answer, const std::string& url, RunBuilder& builder);
// The ids of the job's tasks. InputError for one that would lead elsewhere in a path.
std::vector<std::string> take_tasks(std::string_view answer, const std::string& url, RunBuilder& builder);
void take_attempts(std::string_view answer, const std::string& url, const std::string& task_id,
                   RunBuilder& builder);
void take_task_counters(std::string_view answer, const std::string& url, const std::string& task_id,
                        RunBuilder& builder);

}  // namespace wavewright::rest
