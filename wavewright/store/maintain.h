// Care of a store: what is in it, whether it is sound, a copy elsewhere, and what can go.
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
  Count tasks = 0;             // of all runs, as their headers count them
  Bytes bytes;                 // that the database takes, its indexes and free pages included
  Bytes task_bytes;            // of the packed tasks alone
  std::optional<Time> oldest;  // submissions
  std::optional<Time> newest;

  [[nodiscard]] double bytes_a_task() const;  // of the packed tasks; 0 where there are none
};

// O(runs).
[[nodiscard]] StoreInfo info_of(const Store& store);

struct Damage {
  std::string what;   // groups equal cases
  std::string where;  // such as a job id; the first one
  std::string remedy;
  Count cases = 0;
};

// Unpacks every run and compares it with its header and its phases, compares all counts, and has the database
// look at its own pages. Empty = sound. Changes nothing. O(tasks).
[[nodiscard]] std::vector<Damage> check_store(const Store& store,
                                              const std::function<void(Count)>& progress = {});

struct Copied {
  Count runs = 0;
  Count files = 0;
  Count there = 0;  // rows that were in the copy already, and equal
  bool partial = false;
};

// Every row of `from` into `to`, which may be on another kind of database; what is there already and equal is
// passed over, so that an interrupted copy goes on. UsageError where both are one store. Counts are made anew
// at the end. Memory is bounded.
Copied copy_store(const Store& from, const Store& to, const std::atomic<bool>& interrupted,
                  const std::function<void(Count)>& progress = {});

struct VacuumOptions {
  std::optional<Time> before =
      std::nullopt;      // runs submitted before it go; those of unknown age, and running ones, stay
  bool damaged = false;  // runs that cannot be unpacked go
  bool dry_run = false;  // tells what would go and changes nothing
};

struct Vacuumed {
  Count old_runs = 0;
  Count damaged_runs = 0;
  Count orphans = 0;  // tasks and phases of no run; they always go
  Bytes freed;        // that the database takes less
};

// Removes what is asked for, makes counts and phases anew, and has the database give back what is free. What
// is recorded of files stays: a next import does not bring back what was removed. O(tasks).
Vacuumed vacuum_store(const Store& store, const VacuumOptions& options);

}  // namespace wavewright
