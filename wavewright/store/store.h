// The store: all imported runs in a database.
//
// URL: `sqlite:PATH` (or `sqlite::memory:`), `postgresql://…`, `mariadb://…` (store/url.h). A run is a row of
// columns for lists and filters. Compressed texts with its tasks (store/task_codec.h) and its durations by
// phase (store/phases_codec.h) are read only on demand. All functions throw ExternalError with the store and
// a remedy if the database fails, InputError if its data are damaged.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"
#include "wavewright/profile/run_phases.h"
#include "wavewright/store/fullness.h"

namespace wavewright {

// A run without its tasks.
struct RunHeader {
  std::string id;
  std::string name;
  std::string user;
  std::string queue;
  RunState state = RunState::unknown;
  std::optional<Time> submit;
  std::optional<Time> launch;
  std::optional<Time> finish;
  Count maps = 0;
  Count reduces = 0;
  Count failed_attempts = 0;
  Count killed_attempts = 0;
  SlotPool peak;               // attempts that ran at once (profile/concurrency.h)
  std::optional<Bytes> input;  // of all maps
  std::string hadoop;
  std::string source;
  // Why the stored row cannot be, such as `maps is 2147483647`; empty if it is sound. What cannot be is 0 or
  // absent above.
  std::string damage = {};

  friend bool operator==(const RunHeader&, const RunHeader&) = default;
};

// The header of a run as the store keeps it. O(attempts · log attempts).
[[nodiscard]] RunHeader header_of(const JobRun& run);

// Texts match regardless of ASCII case; `*` stands for any text. An absent condition matches everything.
struct RunFilter {
  std::optional<std::string> id = std::nullopt;
  std::vector<std::string> ids = {};  // one of these, each without `*`; empty: any id
  std::optional<std::string> name = std::nullopt;
  std::optional<std::string> user = std::nullopt;
  std::optional<std::string> queue = std::nullopt;
  std::optional<RunState> state = std::nullopt;
  // Submitted in [from, to). If its submission is unknown, a run's first known instant counts.
  std::optional<Time> from = std::nullopt;
  std::optional<Time> to = std::nullopt;
  std::optional<std::string> exact_name = std::nullopt;  // case matters; `*` is a literal star
  std::optional<Count> limit = std::nullopt;             // only this many of the newest
};

struct RunName {
  std::string name;
  Count runs = 0;
  Count succeeded = 0;
};

// When a run was on its cluster.
struct RunStay {
  std::string id;
  Time submit;
  Time finish;
};

// A run prepared for writing by pack_run (store/packed.h), in any thread.
struct PackedRun {
  RunHeader header;
  std::string identity;
  std::string tasks;
  std::string phases;
  Fullness fullness;
};

// A file that was read; the next import skips it.
struct ImportedFile {
  std::string name;
  std::string version;  // HistoryFile::version
  Count jobs = 0;
  std::string reason;  // why it gave no jobs
};

class Database;

class Store {
 public:
  enum class Access : std::uint8_t {
    create,    // create the file, its folder and its tables if missing
    existing,  // throw if there is no store
    damaged    // likewise; if its schema's version cannot be read, taken to be the newest
  };
  // Updates an older schema; refuses a newer one. Throws UsageError for an unknown kind of URL.
  [[nodiscard]] static Store open(const std::string& url, Access access);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  struct Added {
    Count fresh = 0;      // new
    Count completed = 0;  // known without an outcome; now they have one
    Count updated = 0;    // known; a fuller copy came, or a newer one of a running job
    Count known = 0;      // known; nothing changed

    Added& operator+=(const Added& other);
  };
  // Adds all runs and their files in one transaction, or none. Of several copies of one run the store keeps
  // the fullest (store/run_copy.h). Throws InputError for a number of planned tasks that
  // cannot be.
  Added add(std::span<const PackedRun> runs, std::span<const ImportedFile> files = {});
  Added add(std::span<const JobRun> runs);

  // Damaged runs are left out of each_run, runs and each_phases, and told here with their problem. Without it
  // they throw ExternalError at the first one.
  using DamageSink = std::function<void(const RunHeader& run, const std::string& problem)>;
  void on_damaged(DamageSink told) { damaged_ = std::move(told); }

  // For each file: did it give jobs before in this version? False for an unknown version.
  [[nodiscard]] std::vector<bool> unchanged(std::span<const ImportedFile> files) const;

  // Newest first; damaged ones with their `damage`.
  [[nodiscard]] std::vector<RunHeader> headers(const RunFilter& filter) const;
  // The same runs with their tasks, one at a time.
  void each_run(const RunFilter& filter, const std::function<void(JobRun&&)>& sink) const;
  [[nodiscard]] std::vector<JobRun> runs(const RunFilter& filter) const;
  // Their durations by phase; reads no tasks. The headers lack user, queue and source.
  void each_phases(const RunFilter& filter,
                   const std::function<void(const RunHeader&, RunPhases&&)>& sink) const;
  // Of all runs whose submission and finish are known and that were there after `from` and before `to`, in no
  // order.
  [[nodiscard]] std::vector<RunStay> stays(Time from, Time to) const;
  [[nodiscard]] Count run_count() const;
  // All names, ascending.
  [[nodiscard]] std::vector<RunName> names() const;
  // The stored form of a name, found regardless of case. Throws UsageError with the nearest name if unknown.
  [[nodiscard]] std::string known_name(const std::string& name) const;

  [[nodiscard]] const Database& database() const { return *database_; }

 private:
  explicit Store(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
  std::unique_ptr<class RunWriter> writer_;
  DamageSink damaged_;
};

}  // namespace wavewright
