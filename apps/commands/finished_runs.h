// The thread that imports the histories of a live batch's jobs as they end. A JobHistory server that is slow,
// or gives no answer, delays nobody who runs the batch.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// How often the server is asked for an application that it does not know, and for how long.
struct HistoryPace {
  std::chrono::milliseconds again{5'000};   // between the first tries
  int quick_tries = 6;                      // so many are the first
  std::chrono::milliseconds later{60'000};  // between later tries
  int most_tries = 20;  // then the application is dropped: after about a quarter of an hour
  std::chrono::milliseconds at_end{30'000};       // `wait` takes so long at most,
  std::chrono::milliseconds in_reading{120'000};  // and so long while a history is being read
};

struct HistoryRequest {
  std::string store = {};    // its URL
  std::string server = {};   // `http://HOST:19888`; empty = nothing is imported
  std::string ca_file = {};  // certificates to trust besides the system's; empty = none
  HistoryPace pace = {};
};

class FinishedRuns {
 public:
  struct NotThere {
    std::string job;  // its id in the batch
    std::string application;
    int tries = 0;
  };
  struct News {
    std::vector<std::string> imported = {};  // ids of runs, `job_1700000000000_0001`
    std::vector<NotThere> not_there = {};    // applications that are no longer asked for
    std::string problem = {};                // of server or store, when it is new; empty = none
  };

  // Opens the store by itself, for it is a thread's own. Throws UsageError if the server's address is none.
  explicit FinishedRuns(HistoryRequest request);
  // Ends the thread. Its requests end within a second. Only a store that another program keeps locked takes
  // longer: ten seconds at most.
  ~FinishedRuns();
  FinishedRuns(const FinishedRuns&) = delete;
  FinishedRuns& operator=(const FinishedRuns&) = delete;
  FinishedRuns(FinishedRuns&&) = delete;
  FinishedRuns& operator=(FinishedRuns&&) = delete;

  // Hands over the applications of jobs that have ended. None of `not_mapreduce` is asked for: the server has
  // histories of MapReduce alone. A job that ended a quarter of an hour ago or more is asked for once. Never
  // waits. `jobs`: of the batch, at least those that changed since the last call.
  // O(jobs + applications · log applications).
  void look(std::span<const LiveJob> jobs, const std::set<std::string>& not_mapreduce);
  // Jobs that left the batch: what is missing of them is still asked for.
  void forget(const std::vector<LiveJob>& jobs);
  // News since the last call. Never waits.
  [[nodiscard]] News take();
  // Waits until nothing is missing, as long as the pace says, or until `interrupted`. Returns how many
  // histories are missing then.
  [[nodiscard]] std::size_t wait(const std::atomic<bool>& interrupted);
  // Histories that were imported so far.
  [[nodiscard]] Count imported();

 private:
  using Clock = std::chrono::steady_clock;

  struct Missing {
    std::string job, application;
    int most_tries = 0;
    int tries = 0;             // answers of the server that lack it
    Clock::time_point next{};  // the next one is not before
  };
  struct Round {
    std::set<std::string> known, imported;  // ids of runs; those were in the store before
    bool asked = false;                     // the server
    std::string problem;
  };

  void work();
  [[nodiscard]] std::vector<std::string> due() const;
  [[nodiscard]] Clock::time_point next_due() const;
  [[nodiscard]] Round ask(std::optional<Store>& store, const std::vector<std::string>& ids);
  void import_runs(Store& store, const std::vector<std::string>& ids);
  void settle(const std::vector<std::string>& ids, const Round& round);
  void settle(const std::string& id, const Round& round);

  HistoryRequest request_;
  std::set<std::string> seen_;  // ids of applications; of whoever calls `look`
  std::mutex mutex_;
  std::condition_variable changed_, settled_;
  std::atomic<bool> stopped_{false};        // ends requests, too
  std::atomic<bool> reading_{false};        // a history is there, and is being read
  std::map<std::string, Missing> missing_;  // by id of the run; guarded, as the next five
  Clock::time_point not_before_{};          // the server is not asked: it gave no answer
  bool hurried_ = false;                    // somebody waits
  std::string problem_;                     // the latest that was told, without numbers
  News news_;
  Count imported_ = 0;
  std::thread thread_;
};

}  // namespace wavewright::app
