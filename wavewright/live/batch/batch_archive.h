// The archive of a live batch in a store (table wavewright_batch_past): jobs that ended some time ago. So the
// batch itself stays small, however long a daemon runs.
//
// A job leaves the batch for the archive in one transaction (JournalEntry::archived), and stays there. Its id
// is never free again: its tag follows from the id, and the cluster or its history may still know the tag.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/batch/ended_jobs.h"
#include "wavewright/store/store.h"

namespace wavewright {

// The store must outlive it. Functions throw ExternalError if the database fails, InputError if a row is
// damaged.
class BatchArchive {
 public:
  BatchArchive(const Store& store, std::string batch) : store_(store), batch_(std::move(batch)) {}

  // Those that are asked for, the latest first, and one more than `limit` if there is one. O(limit + log n).
  [[nodiscard]] std::vector<LiveJob> jobs(const EndedQuestion& question) const;
  [[nodiscard]] std::optional<LiveJob> find(const std::string& id) const;

 private:
  const Store& store_;
  std::string batch_;
};

}  // namespace wavewright
