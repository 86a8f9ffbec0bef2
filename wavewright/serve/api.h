// The HTTP API of `wavewright serve`, without the HTTP server: a request in, a response out
// (apps/serve/openapi.json). Errors are problems (serve/problem.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/batch/live_board.h"
#include "wavewright/serve/announced_body.h"
#include "wavewright/serve/api_message.h"
#include "wavewright/serve/tokens.h"

namespace wavewright {

struct NewJobs {
  std::string text;                // of a workload file
  std::string queue;               // of jobs that name none; empty = the daemon's
  bool dry_run = false;            // check them and add none
  ApiToken token = {};             // of whoever asks
  bool admit = false;              // only if all their deadlines can be promised
  std::string confidence = "max";  // of these promises: `max`, `p90`
};
struct AddedJobs {
  std::vector<std::string> ids;  // none in a dry run
  std::string submission;        // JSON, as `run --dry-run --json` prints it
};

// What the API needs of the program around it. Each may be called by several threads at once, and may throw
// Errors, which become problems.
struct ApiPorts {
  std::function<std::optional<ApiToken>(std::string_view token)> find_token;
  // Adds the jobs of a workload file's text, all or none.
  std::function<AddedJobs(const NewJobs& jobs)> add_jobs;
  // Forecasts of such jobs as JSON. Adds none.
  std::function<std::string(const NewJobs& jobs)> test_jobs;
  // The reason for a job's present state, as JSON.
  std::function<std::string(const LiveJob& job)> why;
  std::function<void(const std::string& job, Wish wish)> wish;
  // Of the archive, as BatchArchive gives them.
  std::function<std::vector<LiveJob>(const EndedQuestion& question)> past_jobs;
  std::function<std::optional<LiveJob>(const std::string& id)> past_job;
  std::function<std::string(const std::string& text)> preview_plan;  // a plan file's text
  std::function<std::string()> cluster;                              // JSON
  std::string policies;                                              // likewise
  std::string openapi;                                               // likewise
  // The signed document of targets as its file has it (live/yarn/targets.h); absent: the daemon tells none.
  std::function<std::optional<std::string>()> targets;
};

class Api {
 public:
  // The board must outlive it.
  Api(const LiveBoard& board, ApiPorts ports) : board_(board), ports_(std::move(ports)) {}

  // Never throws. May be called by several threads.
  [[nodiscard]] ApiResponse answer(const ApiRequest& request) const;

  // Why the body of a request is not read, absent if it may be. `request.body` is not looked at. The
  // connection must end after such an answer: what follows there would be taken for the next request. A
  // body of more than 64 KiB is read only of whoever may use the route. Never throws.
  [[nodiscard]] std::optional<ApiResponse> refuse_unread(const ApiRequest& request,
                                                         const AnnouncedBody& body) const;

  // Absent if the request may follow the stream of events, else why not.
  [[nodiscard]] std::optional<ApiResponse> refuse_events(const ApiRequest& request) const;

 private:
  const LiveBoard& board_;
  ApiPorts ports_;
};

// Paths of the API as OpenAPI writes them, such as `GET /v1/jobs/{id}`.
[[nodiscard]] std::vector<std::string> api_routes();

// An event as a message of a stream of server-sent events.
[[nodiscard]] std::string event_message(const NumberedEvent& event);

}  // namespace wavewright
