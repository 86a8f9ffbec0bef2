// Maintenance of a store: information, check, copy, removal of runs.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/store/store.h"

namespace wavewright {

struct StoreInfo {
  std::string url;  // without a password
  std::string backend;
  int schema = 0;
  Count runs = 0;
  Count names = 0;
  Count files = 0;
  Count tasks = 0;             // of all runs, from their headers
  Bytes bytes;                 // size of the database with indexes and free pages
  Bytes task_bytes;            // of the packed tasks only
  std::optional<Time> oldest;  // submissions
  std::optional<Time> newest;

  [[nodiscard]] double bytes_a_task() const;  // of the packed tasks; 0 if there are none
};

// O(runs).
[[nodiscard]] StoreInfo info_of(const Store& store);

struct Damage {
  std::string what;   // equal for equal cases
  std::string where;  // first case, such as a job id
  std::string remedy;
  Count cases = 0;
};

// Unpacks every run and compares it with its header and its phases, compares all counts, and runs the
// database's own check. Empty = sound. Changes nothing. O(tasks).
[[nodiscard]] std::vector<Damage> check_store(const Store& store,
                                              const std::function<void(Count)>& progress = {});

struct Copied {
  Count runs = 0;
  Count files = 0;
  Count there = 0;  // rows that the copy already had, equal
  bool partial = false;
  Count lost = 0;                   // runs that a salvage could not read
  std::vector<std::string> losses;  // the first thousand: identity and reason; records of files
};

// Copies every row of `from` to `to`, which may be another kind of database. Skips rows that are already
// there and equal, so an interrupted copy can continue. Throws UsageError if both are one store. Counts are
// rebuilt at the end. Memory is bounded.
Copied copy_store(const Store& from, const Store& to, const std::atomic<bool>& interrupted,
                  const std::function<void(Count)>& progress = {});

// Copies what can be read of a damaged store: runs that unpack, with their phases, and records of files. The
// database may fail to give some of its pages. Else as copy_store.
Copied salvage_store(const Store& from, const Store& to, const std::atomic<bool>& interrupted,
                     const std::function<void(Count)>& progress = {});

// Throws UsageError if both are one store.
void refuse_onto_itself(const Store& from, const Store& to);

struct VacuumOptions {
  std::optional<Time> before =
      std::nullopt;      // removes runs submitted before; those of unknown age and running ones stay
  bool damaged = false;  // removes runs that cannot be unpacked
  bool dry_run = false;  // reports without changing anything
};

struct Vacuumed {
  Count old_runs = 0;
  Count damaged_runs = 0;
  Count orphans = 0;  // tasks and phases without a run; always removed
  Bytes freed;        // by which the database shrank
};

// Removes what the options ask for, rebuilds counts and phases, and has the database release free space.
// Records of files stay: the next import does not bring removed runs back. O(tasks).
Vacuumed vacuum_store(const Store& store, const VacuumOptions& options);

// Removes all runs of a job id (case does not matter), or the one run of an identity, which names a run
// without an id. Returns what went, or with `dry_run` would go. Throws UsageError if there is no such run.
// Records of files stay: the next import does not bring the runs back, `import --again` does.
std::vector<RunHeader> forget_runs(const Store& store, const std::string& id, bool dry_run = false);

}  // namespace wavewright
