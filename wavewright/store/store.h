// The store: every imported run, in a database.
//
// URL: `sqlite:PATH` (or `sqlite::memory:`), `postgresql://…`, `mariadb://…` (store/url.h). A run is a row of
// columns that lists and filters ask for, and beside it compressed texts with its tasks (store/task_codec.h)
// and with its durations by phase (store/phases_codec.h), read only when asked for.
// All functions throw ExternalError, naming the store and what to do, when the database fails.
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
  SlotPool peak;               // attempts at work at once (profile/concurrency.h)
  std::optional<Bytes> input;  // of all maps
  std::string hadoop;
  std::string source;

  friend bool operator==(const RunHeader&, const RunHeader&) = default;
};

// The header of a run as the store would keep it. O(attempts · log attempts).
[[nodiscard]] RunHeader header_of(const JobRun& run);

// Texts match ignoring ASCII case; `*` in them stands for any text. An absent condition matches everything.
struct RunFilter {
  std::optional<std::string> id = std::nullopt;
  std::optional<std::string> name = std::nullopt;
  std::optional<std::string> user = std::nullopt;
  std::optional<std::string> queue = std::nullopt;
  std::optional<RunState> state = std::nullopt;
  // Submitted in [from, to); a run whose submission is unknown counts by its first known instant.
  std::optional<Time> from = std::nullopt;
  std::optional<Time> to = std::nullopt;
  std::optional<std::string> exact_name = std::nullopt;  // in this very case; `*` is a star
  std::optional<Count> limit = std::nullopt;             // the newest so many
};

struct RunName {
  std::string name;
  Count runs = 0;
  Count succeeded = 0;
};

// A run made ready to be written: pack_run (store/packed.h), by whatever thread has time.
struct PackedRun {
  RunHeader header;
  std::string identity;
  std::string tasks;
  std::string phases;
};

// A file that was read, for an import to pass over the next time.
struct ImportedFile {
  std::string name;
  std::string version;  // HistoryFile::version
  Count jobs = 0;
  std::string reason;  // why it gave none
};

class Database;

class Store {
 public:
  enum class Access : std::uint8_t {
    create,   // make the file, its folder and its tables where they are missing
    existing  // refuse where there is no store yet
  };
  // Brings an older schema up to date; refuses a newer one. UsageError for an unknown kind of URL.
  [[nodiscard]] static Store open(const std::string& url, Access access);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  struct Added {
    Count fresh = 0;      // were not there
    Count completed = 0;  // were there without an outcome, and now have one
    Count updated = 0;    // were there without an outcome, and now tell more
    Count known = 0;      // were there: nothing changed

    Added& operator+=(const Added& other);
  };
  // All or none of them, in one transaction, together with the files that they came from. A run is known by
  // its job id and time of submission, or by its content where it lacks one of them. One that ended never
  // changes. One that did not (RUNNING, UNKNOWN) gives way to a later one of its id, also where the
  // submission differs by up to ten minutes, for a live cluster tells another instant than the history.
  Added add(std::span<const PackedRun> runs, std::span<const ImportedFile> files = {});
  Added add(std::span<const JobRun> runs);

  // For each file whether it gave jobs before in this very version. Unknown versions never did.
  [[nodiscard]] std::vector<bool> unchanged(std::span<const ImportedFile> files) const;

  // Newest first.
  [[nodiscard]] std::vector<RunHeader> headers(const RunFilter& filter) const;
  // The same runs with their tasks, one at a time.
  void each_run(const RunFilter& filter, const std::function<void(JobRun&&)>& sink) const;
  [[nodiscard]] std::vector<JobRun> runs(const RunFilter& filter) const;
  // Their durations by phase. Costs no tasks.
  void each_phases(const RunFilter& filter,
                   const std::function<void(const RunHeader&, RunPhases&&)>& sink) const;
  // All that are stored.
  [[nodiscard]] Count run_count() const;
  // Every name, ascending.
  [[nodiscard]] std::vector<RunName> names() const;
  // The name as stored for one given in any case. Throws UsageError with the nearest name when unknown.
  [[nodiscard]] std::string known_name(const std::string& name) const;

  [[nodiscard]] const Database& database() const { return *database_; }

 private:
  explicit Store(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
  std::unique_ptr<class RunWriter> writer_;
};

}  // namespace wavewright
