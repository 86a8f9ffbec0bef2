// Maintenance of a store: information, check, copy, removal of old runs.
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
};

// Copies every row of `from` to `to`, which may be another kind of database. Skips rows that are already
// there and equal, so an interrupted copy can continue. Throws UsageError if both are one store. Counts are
// rebuilt at the end. Memory is bounded.
Copied copy_store(const Store& from, const Store& to, const std::atomic<bool>& interrupted,
                  const std::function<void(Count)>& progress = {});

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

}  // namespace wavewright
