// What follows from the stored runs and is kept beside them, so that queries need not work it out: each run's
// durations by phase, and how many runs each name, user and queue has.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "wavewright/store/database.h"
#include "wavewright/store/table.h"

namespace wavewright {

// Runs of one name, user or queue; `newest_ms` is the largest ordered_ms, the order of lists.
struct ValueCount {
  std::string key;
  long long runs = 0;
  long long succeeded = 0;
  long long newest_ms = std::numeric_limits<long long>::min();
  bool shrank = false;  // of a difference: a run went, so the newest may have

  friend bool operator==(const ValueCount& a, const ValueCount& b) {
    return a.key == b.key && a.runs == b.runs && a.succeeded == b.succeeded && a.newest_ms == b.newest_ms;
  }
};

// By kind (`name`, `user`, `queue`) and value.
using ValueCounts = std::map<std::pair<std::string, std::string>, ValueCount>;

// Adds `sign` (1 or -1) times the row of wavewright_run.
void count_run(ValueCounts& counts, const Row& run, int sign);

// Adds the differences to wavewright_count. Where runs went, the newest is looked up again. Inside the
// caller's transaction.
void add_counts(soci::session& session, const ValueCounts& differences, std::size_t rows_at_once);

// The counts as they must be: from all runs. O(runs).
[[nodiscard]] ValueCounts count_all(soci::session& session);
// As they are kept.
[[nodiscard]] ValueCounts stored_counts(soci::session& session);
void write_counts(soci::session& session, const ValueCounts& counts);

// Every run's row, tasks and phases (empty where they are missing), some hundred at a time; memory does not
// grow with the store.
void each_stored_run(
    soci::session& session,
    const std::function<void(const Row& run, const std::string& tasks, const std::string& phases)>& each);

// All of wavewright_phases and wavewright_count, from the runs. Inside the caller's transaction. Runs whose
// tasks are damaged or missing are left without phases; their identities are returned. O(tasks).
std::vector<std::string> rebuild_derived(const Database& database);

}  // namespace wavewright
