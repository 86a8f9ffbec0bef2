// YARN as a cluster of live batches: its applications from the REST interface of the ResourceManager, ended
// ones from the JobHistory server, commands as processes of this machine. Of several ResourceManagers the
// active one is asked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/history/source/server.h"
#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/submission/client_processes.h"
#include "wavewright/live/submission/program_name.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/history_questions.h"

namespace wavewright {

// How patient the driver is with `yarn application -kill`.
struct KillPace {
  Duration between = ms(30'000);   // from the beginning of one to that of the next for one application
  Duration longest = ms(120'000);  // then one that has not ended is killed
};

class YarnDriver : public ClusterDriver {
 public:
  // The servers must outlive it. Without a history server (null), applications that the ResourceManager has
  // forgotten stay unknown. It is asked in a thread of the driver: a call waits for the answer as long as the
  // patience says, then it throws ExternalError as for no answer. A later call with the same arguments gets
  // the answer that has come since.
  YarnDriver(const WebServer& resource_manager, const WebServer* history_server, ClientProcesses processes,
             KillPace pace = {}, HistoryPatience patience = {});

  [[nodiscard]] Applications applications(const std::string& tag) override;
  [[nodiscard]] std::optional<Application> ended_application(const std::string& id) override;
  [[nodiscard]] std::vector<Application> ended_with(const std::string& tag, Time since) override;
  // Runs `yarn application -kill` under the account of the job: it knows the cluster's own security, and YARN
  // lets that account end what it has submitted. It is begun at most once in half a minute, and one at a
  // time. The second call after its end throws if it ended with an error: a list from after that has the
  // application.
  void kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                        const std::string& id) override;

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

  // Ids of the latest list's applications of another type than MAPREDUCE, so far as it tells types: the
  // JobHistory server has none of these.
  [[nodiscard]] const std::set<std::string>& not_mapreduce() const { return not_mapreduce_; }

 private:
  [[nodiscard]] std::int64_t kept();
  [[nodiscard]] std::optional<Application> ended_in_history(const std::string& id,
                                                            InterruptFlag stopped) const;
  [[nodiscard]] std::vector<Application> tagged_in_history(const std::string& tag, Time since,
                                                           InterruptFlag stopped) const;
  void require_history_server(InterruptFlag stopped) const;
  void look_at_kills();

  struct Kill {  // of an application, by the steady clock
    Duration asked{};
    std::optional<Duration> begun = std::nullopt;  // the last try
    std::unique_ptr<Aside> program = nullptr;      // null once its end was told
    bool ended = false;                            // it was seen so
  };

  const WebServer& resource_manager_;
  const WebServer* history_server_;
  ClientProcesses processes_;
  ActiveServer active_;
  std::optional<std::int64_t> kept_;  // ended applications that the ResourceManager lists
  std::set<std::string> not_mapreduce_;
  KillPace pace_;
  std::map<std::string, Kill> kills_;  // by application
  HistoryQuestions questions_;         // last: its thread uses the history server
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
// `/ws/v1/history/mapreduce/jobs/job_…`
[[nodiscard]] std::optional<Application> parse_history_job(std::string_view text, const std::string& url);

}  // namespace wavewright
