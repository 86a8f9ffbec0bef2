// A client of the HTTP API of `wavewright serve` (apps/serve/openapi.json).
//
// A daemon's refusals become the Errors that the same mistake gives at a store: no such job is a UsageError,
// a state that does not allow it Infeasible, a deadline that is not promised NotPromised, a job that cannot
// be submitted an InputError. All else is an ExternalError with the daemon's address: no answer, no valid
// token, too small a scope, another program's answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "wavewright/core/http.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/batch/live_board.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/serve/api.h"

namespace wavewright {

struct DaemonAccess {
  std::string url;              // as `server_url` gives it (live/yarn/resource_manager.h)
  std::string token = {};       // empty = none
  std::string token_from = {};  // names it in messages, as its file
  std::string ca_file = {};     // certificates to trust besides the system's; empty = none
};

// Can only this machine reach that address? `localhost`, `127.0.0.1`, `::1` or `[::1]`.
[[nodiscard]] bool is_loopback(std::string_view host);

// Does the address lead to this machine alone? Throws UsageError for what is no address.
[[nodiscard]] bool is_on_this_machine(const std::string& url);

class DaemonClient {
 public:
  // Throws UsageError if the token would leave this machine without TLS.
  explicit DaemonClient(DaemonAccess access, InterruptFlag interrupted = nullptr);

  [[nodiscard]] const std::string& url() const { return access_.url; }

  // The daemon's batch: name, beginning, reorder policy. One request.
  [[nodiscard]] LiveBatch head();
  // With its jobs, and what the API tells of each; progress and forecasts go into `outlook`, unless that is
  // null. A request for each 1,000 jobs.
  [[nodiscard]] LiveBatch batch(Outlook* outlook = nullptr);

  // The reason for a job's present state, and forecasts of jobs if they were added, as the API answers.
  [[nodiscard]] nlohmann::ordered_json why(const std::string& job);
  [[nodiscard]] nlohmann::ordered_json test(const NewJobs& jobs);

  // The latest `limit` jobs that have ended, those of the archive, too.
  [[nodiscard]] std::vector<LiveJob> ended(std::size_t limit);

  // Adds jobs, all or none; returns what `run --dry-run --json` prints of them, with `submitted`. If the
  // answer is lost, they may have been added: the same jobs are never added twice.
  nlohmann::ordered_json add(const NewJobs& jobs);
  void wish(const std::string& job, Wish wish);

  struct Events {
    std::vector<NumberedEvent> events;  // those behind the number given, at most 500
    std::int64_t last = 0;              // number of the latest that there is
  };
  [[nodiscard]] Events events(std::int64_t behind);
  // Gives each event behind that number to `take` as it happens, until it returns false, the daemon ends the
  // stream, or `patience` is over.
  void follow(std::int64_t behind, std::chrono::milliseconds patience,
              const std::function<bool(const NumberedEvent&)>& take);

 private:
  [[nodiscard]] HttpRequest request(const std::string& path) const;
  [[nodiscard]] HttpResponse send(const HttpRequest& request);
  [[nodiscard]] nlohmann::ordered_json read(const HttpResponse& response) const;
  bool read_page(const std::string& query, std::vector<LiveJob>& jobs, Outlook* outlook = nullptr);
  [[noreturn]] void refuse(const HttpResponse& response) const;
  [[nodiscard]] std::vector<PromiseRefusal> refusals_in(const nlohmann::ordered_json& list) const;
  [[noreturn]] void refuse_as_foreign() const;

  DaemonAccess access_;
  HttpClient http_;
  bool direct_ = false;  // past any proxy, as the token goes in the clear
};

}  // namespace wavewright
