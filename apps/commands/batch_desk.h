// The batch that a command speaks of, wherever it is: in the store, or at a daemon over its HTTP API. Both
// ways give the same answers and the same errors.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/batch/live_board.h"
#include "wavewright/live/outlook/night_check.h"
#include "wavewright/live/outlook/outlook.h"

namespace wavewright::app {

struct DeskOptions {
  std::string daemon, token_file, ca_file;
  std::string batch;            // its name; empty = the latest, or the daemon's
  bool daemon_by_flag = false;  // not by a setting

  // Declares --run, --daemon, --token-file and --ca-file. `what`: of --run, `the batch`.
  void declare(CLI::App& command, const std::string& what);
  // To be called when the command line is parsed and settings have not been filled in.
  void parsed() { daemon_by_flag = !daemon.empty(); }
};

struct JobsToAdd {
  std::string file = {};   // workload file, - = standard input; empty: `line` has them
  std::string line = {};   // of a workload file
  std::string queue = {};  // of jobs that name none
  bool dry_run = false;    // check them and add none
  std::string admit = {};  // the confidence with which all deadlines are to be promised; empty = none is
};

// Where a command that asks the store finds the cluster; a daemon knows its own.
struct ClusterPlace {
  std::string cluster, resource_manager, ca_file, keytab;  // a file; web addresses; certificates; a file

  // Declares --cluster, --resource-manager and --keytab, which the settings may tell.
  void declare(CLI::App& command, const std::string& what);
};

class BatchDesk {
 public:
  virtual ~BatchDesk() = default;

  // As it stands now. Jobs of a daemon have what the API tells of them.
  [[nodiscard]] virtual LiveBatch read() = 0;
  // The latest progress and forecasts. Call `read` first.
  [[nodiscard]] virtual Outlook outlook() = 0;
  // The reason for a job's present state, as the API answers (apps/serve/openapi.json).
  [[nodiscard]] virtual Json why(const std::string& job, const ClusterPlace& place) = 0;
  // Forecasts of jobs if they were added, likewise. Adds none.
  [[nodiscard]] virtual Json test(const JobsToAdd& jobs, const ClusterPlace& place) = 0;
  // Compares promises with ends, for jobs that ended since then.
  [[nodiscard]] virtual NightCheck night(Time from) = 0;
  // Its name, beginning and ordering, without jobs.
  [[nodiscard]] virtual LiveBatch head() = 0;
  // The latest `limit` jobs that have ended, those of the archive, too.
  [[nodiscard]] virtual std::vector<LiveJob> ended(std::size_t limit) = 0;
  // Adds jobs, all or none; returns what `run --dry-run --json` prints of them, with `submitted`. Where the
  // place names a cluster, it must have the queues of the jobs, as with `run`. Throws NotPromised.
  virtual Json add(const JobsToAdd& jobs, const ClusterPlace& place) = 0;
  virtual void wish(const std::string& job, Wish wish) = 0;
  // Events behind that number, some hundreds at most.
  [[nodiscard]] virtual std::vector<NumberedEvent> events(std::int64_t behind) = 0;
  [[nodiscard]] virtual std::int64_t last_event() = 0;
  // Gives each event behind that number to `take` as it happens, until it returns false. Returns after
  // `patience` or before. Throws Interrupted.
  virtual void follow(std::int64_t behind, std::chrono::milliseconds patience,
                      const std::function<bool(const NumberedEvent&)>& take) = 0;
};

// With a daemon named, its desk; else the store's. `--store` on the command line wins over a setting
// `daemon`. Throws UsageError if there is no such batch, no token, or if both are on the command line.
[[nodiscard]] std::unique_ptr<BatchDesk> open_desk(const Context& context, const DeskOptions& options);

}  // namespace wavewright::app
