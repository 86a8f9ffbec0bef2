// A run of units on a YARN cluster, as map-only jobs of Hadoop Streaming.
//
// A round is one streaming job. Its input has a line for each unit that has no result yet. Whatever dies,
// each round is submitted once (live/batch/batch_driver.h), a unit's result is taken once, and the next start
// with the same key goes on: it follows the round in progress, takes the results of all rounds, and submits
// only the units that have none.
//
// A run has a folder on this machine and one in HDFS until `finish`. The machine's also has the clients'
// locks and must not be on a network file system.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/tar.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/store/store.h"
#include "wavewright/streaming/hadoop_client.h"
#include "wavewright/streaming/unit.h"
#include "wavewright/streaming/unit_results.h"

namespace wavewright {

struct UnitRunOptions {
  std::filesystem::path state;             // folder of all runs on this machine
  std::string hdfs_folder;                 // of all runs; relative = in the user's home folder
  std::string queue = {};                  // empty = the client's own
  std::vector<std::string> settings = {};  // key=value of Hadoop, for the job
  std::size_t units_per_task = 0;       // 0 = so many that each container of the cluster gets about two tasks
  std::vector<std::string> supervisor;  // as ClientProcesses takes it
};

struct UnitRunWatch {
  InterruptFlag interrupted = nullptr;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  std::function<void(const std::string&)> note = [](const std::string&) {};
};

class UnitRun {
 public:
  // `kind`: one word. `key`: a text that is equal for equal work. The references must outlive the run;
  // without a history server (null), jobs that the ResourceManager has forgotten are taken to be lost.
  UnitRun(UnitRunOptions options, UnitRunWatch watch, const HadoopClient& hadoop,
          const WebServer& resource_manager, const WebServer* history_server, const std::string& kind,
          const std::string& key);

  // Was it begun and not finished?
  [[nodiscard]] bool begun() const { return batch_.has_value(); }
  // Packs what the worker finds in its folder `inputs`, and the program. Once, before anything is submitted.
  void begin(const std::function<void(TarWriter&)>& inputs);
  // Follows the round in progress, and takes the results of all rounds. Call it once, if `begun`.
  void take_up();
  // Submits units until each has a result. `taken` is told of each unit whose result is new. Throws
  // ExternalError if a unit fails, or if a round brings nothing; Interrupted, and the round goes on.
  void complete(const std::vector<Unit>& units, const std::function<void(const std::string& unit)>& taken);
  // Removes the run from HDFS and from this machine, as far as it is there.
  void finish();
  // Where a run is on this machine.
  [[nodiscard]] static std::filesystem::path folder_of(const std::filesystem::path& state,
                                                       const std::string& kind, const std::string& key);
  // Removes what a program that was killed in the middle of `finish` left of its run on this machine.
  static void remove_ended(const std::filesystem::path& state);

  [[nodiscard]] const UnitResults& results() const { return results_; }
  // The units of the rounds so far, as they were submitted.
  [[nodiscard]] std::vector<Unit> submitted() const;
  // The application of the last round; empty before it is accepted.
  [[nodiscard]] std::string application() const;

 private:
  [[nodiscard]] std::size_t rounds() const { return batch_ ? batch_->jobs.size() : 0; }
  [[nodiscard]] std::filesystem::path ended_folder() const;
  [[nodiscard]] std::filesystem::path file(const char* what, std::size_t round) const;
  [[nodiscard]] std::string hdfs_folder(std::size_t round) const;
  void submit(const std::vector<Unit>& units, std::size_t per_task);
  void follow(std::size_t round);
  void show(const LiveJob& job);
  std::vector<std::string> collect(std::size_t round);
  [[nodiscard]] std::size_t usual_units_per_task(std::size_t units) const;
  [[noreturn]] void refuse(const std::vector<Unit>& missing) const;

  UnitRunOptions options_;
  UnitRunWatch watch_;
  const HadoopClient& hadoop_;
  const WebServer& resource_manager_;
  const WebServer* history_server_;
  std::filesystem::path folder_;
  std::string name_;  // kind and hash of the key
  Store store_;       // of all runs on this machine
  std::optional<LiveBatch> batch_;
  UnitResults results_;
};

// Progress of an application, 0 to 1, from `/ws/v1/cluster/apps/ID`; absent if the answer does not tell.
[[nodiscard]] std::optional<double> parse_progress(std::string_view answer);
// Containers of that size that a cluster holds, from `/ws/v1/cluster/metrics`; 0 if the answer does not tell.
[[nodiscard]] std::size_t parse_containers(std::string_view answer, std::int64_t memory_mb);
// The last error of a task in the output of a job's client; empty if there is none.
[[nodiscard]] std::string task_error(const std::string& log);

}  // namespace wavewright
