// Journal and cluster as a driver calls them, with the time that the calls take: what is left of a step is
// the driver's own work. Calls start processes and threads, so the driver's precedence is given back in them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/thread_precedence.h"
#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/batch/journal.h"

namespace wavewright {

class TimedCalls : public Journal, public ClusterDriver {
 public:
  // They must outlive it. `precedence` is of the thread that calls; null = it has none.
  TimedCalls(Journal& journal, ClusterDriver& cluster, ThreadPrecedence* precedence = nullptr)
      : journal_(journal), cluster_(cluster), precedence_(precedence) {}

  // Spent in calls since it was asked before, those included that threw.
  [[nodiscard]] std::chrono::nanoseconds take();

  [[nodiscard]] LiveBatch lead() override;
  void write(const JournalEntry& entry) override;
  void beat() override;
  [[nodiscard]] std::vector<LiveJob> added(std::size_t known) override;
  [[nodiscard]] std::vector<JobWish> wishes() override;

  [[nodiscard]] Applications applications(const std::string& tag) override;
  [[nodiscard]] std::optional<Application> ended_application(const std::string& id) override;
  [[nodiscard]] std::vector<Application> ended_with(const std::string& tag, Time since) override;
  void kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                        const std::string& id) override;
  [[nodiscard]] std::string machine() override;
  void start(const ClientAttempt& attempt, const std::vector<std::string>& command) override;
  [[nodiscard]] Client client(const ClientAttempt& attempt) override;
  void kill_client(const ClientAttempt& attempt) override;
  void forget(const ClientAttempt& attempt) override;

 private:
  Journal& journal_;
  ClusterDriver& cluster_;
  ThreadPrecedence* precedence_;
  std::chrono::nanoseconds spent_{};
};

}  // namespace wavewright
