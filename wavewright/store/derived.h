// Data derived from the stored runs and kept for fast queries: each run's durations by phase, and the number
// of runs per name, user and queue.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "wavewright/store/database.h"
#include "wavewright/store/table.h"

namespace wavewright {

// Runs of one name, user or queue; `newest_ms` is the largest ordered_ms, by which lists are ordered.
struct ValueCount {
  std::string key;
  long long runs = 0;
  long long succeeded = 0;
  long long newest_ms = std::numeric_limits<long long>::min();
  bool shrank = false;  // of a difference: a run was removed, so the newest may be gone

  friend bool operator==(const ValueCount& a, const ValueCount& b) {
    return a.key == b.key && a.runs == b.runs && a.succeeded == b.succeeded && a.newest_ms == b.newest_ms;
  }
};

// By kind (`name`, `user`, `queue`) and value.
using ValueCounts = std::map<std::pair<std::string, std::string>, ValueCount>;

// Adds `sign` (1 or -1) times the row of wavewright_run.
void count_run(ValueCounts& counts, const Row& run, int sign);

// Adds the differences to wavewright_count, in a transaction; if runs went, looks the newest up again.
void add_counts(soci::session& session, const ValueCounts& differences, std::size_t rows_at_once);

// The correct counts, from all runs. O(runs).
[[nodiscard]] ValueCounts count_all(soci::session& session);
// The counts as stored.
[[nodiscard]] ValueCounts stored_counts(soci::session& session);
void write_counts(soci::session& session, const ValueCounts& counts);

// Rebuilds wavewright_phases and wavewright_count from the runs. Call inside a transaction. Runs with damaged
// or missing tasks get no phases; returns their identities. O(tasks).
std::vector<std::string> rebuild_derived(const Database& database);

}  // namespace wavewright
