// YARN as a cluster of live batches: its applications from the REST interface of the ResourceManager, ended
// ones from the JobHistory server, commands as processes of this machine. Of several ResourceManagers the
// active one is asked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/history/source/server.h"
#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/submission/client_processes.h"
#include "wavewright/live/submission/program_name.h"
#include "wavewright/live/yarn/active_server.h"

namespace wavewright {

class YarnDriver : public ClusterDriver {
 public:
  // The servers must outlive it. Without a history server (null), applications that the ResourceManager has
  // forgotten stay unknown.
  YarnDriver(const WebServer& resource_manager, const WebServer* history_server, ClientProcesses processes);

  [[nodiscard]] Applications applications(const std::string& tag) override;
  [[nodiscard]] std::optional<Application> ended_application(const std::string& id) override;
  [[nodiscard]] std::vector<Application> ended_with(const std::string& tag, Time since) override;
  // Runs `yarn application -kill`, which knows the cluster's own security; at most once in half a minute.
  void kill_application(const std::string& id) override;

  [[nodiscard]] std::string machine() override { return this_machine(); }
  void start(const ClientAttempt& attempt, const std::vector<std::string>& command) override {
    processes_.start(attempt, command);
  }
  [[nodiscard]] Client client(const ClientAttempt& attempt) override {
    if (attempt.machine != machine()) return {ClientState::elsewhere, 0, {}};
    return processes_.client(attempt);
  }
  void kill_client(const ClientAttempt& attempt) override { processes_.kill(attempt); }
  void forget(const ClientAttempt& attempt) override { ClientProcesses::forget(attempt); }

 private:
  [[nodiscard]] std::int64_t kept();
  void require_history_server() const;

  const WebServer& resource_manager_;
  const WebServer* history_server_;
  ClientProcesses processes_;
  ActiveServer active_;
  std::optional<std::int64_t> kept_;        // ended applications that the ResourceManager lists
  std::map<std::string, Duration> killed_;  // when a kill was begun last, by the steady clock
};

class SystemClocks : public Clocks {
 public:
  [[nodiscard]] Time wall() override;
  [[nodiscard]] Duration steady() override;
};

// The steps of a YarnDriver on an answer's text; `url` is for errors. Each throws ExternalError if the answer
// is none of a ResourceManager or JobHistory server.

// Entries of `/ws/v1/cluster/apps`, by submission.
[[nodiscard]] std::vector<Application> parse_applications(std::string_view text, const std::string& url);
// From `/ws/v1/cluster/info`: 0 if it keeps its applications over a restart, else when it started.
[[nodiscard]] std::int64_t parse_incarnation(std::string_view text, const std::string& url);
// Likewise: when it started.
[[nodiscard]] std::int64_t parse_began(std::string_view text, const std::string& url);
// From `/ws/v1/cluster/appstatistics`: ended applications that it lists; absent if it does not tell.
[[nodiscard]] std::optional<std::int64_t> parse_listed(std::string_view text, const std::string& url);
// From `/ws/v1/cluster/metrics`: applications that have ended.
[[nodiscard]] std::int64_t parse_ended(std::string_view text, const std::string& url);
// From `/conf` in JSON: the value of a key; empty if it has none.
[[nodiscard]] std::string parse_setting(std::string_view text, std::string_view key, const std::string& url);
// `/ws/v1/history/mapreduce/jobs/job_…`
[[nodiscard]] std::optional<Application> parse_history_job(std::string_view text, const std::string& url);

}  // namespace wavewright
