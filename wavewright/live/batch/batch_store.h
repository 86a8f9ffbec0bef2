// Live batches in a store: its tables `wavewright_batch…` (store/schema.h).
//
// A batch belongs to the store in which it was made: `store copy` leaves it out, so that no two programs run
// one batch from two stores.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/batch/journal.h"
#include "wavewright/store/store.h"

namespace wavewright {

// The store must outlive it. All functions throw ExternalError if the database fails, InputError if a batch's
// rows are damaged.
class BatchStore {
 public:
  explicit BatchStore(const Store& store);  // limits the store's idle transactions (Database)

  // Throws UsageError if there is a batch of that name.
  void create(const LiveBatch& batch) const;
  // Adds jobs behind those that the batch has, all or none; whoever leads it finds them. Throws UsageError if
  // there is no such batch, or if it has a job of one of the ids. `led_by`: only while that program leads the
  // batch, else ExternalError; empty = whoever does.
  void add(const std::string& name, const std::vector<LiveJob>& jobs, Time now,
           const std::string& led_by = {}) const;
  // Removes a batch of which nothing was submitted, as if it had not been made.
  void forget(const std::string& name) const;
  [[nodiscard]] std::optional<LiveBatch> read(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;  // the latest first
  // The log behind its first `behind` events, at most so many.
  static constexpr std::int64_t all_events = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] std::vector<LiveEvent> events(const std::string& name, std::int64_t behind = 0,
                                              std::int64_t at_most = all_events) const;
  [[nodiscard]] std::int64_t count_events(const std::string& name) const;
  void wish(const std::string& batch, const std::string& job, Wish wish, Time now) const;
  // Each program has its own. `program` names it to others: empty, or as live/submission/program_name.h.
  [[nodiscard]] std::unique_ptr<Journal> journal(const std::string& name,
                                                 const std::string& program = {}) const;
  struct Lead {
    std::string program;      // that led last; empty = none, or one without name
    std::int64_t writes = 0;  // it grows as long as somebody leads
  };
  // Throws UsageError if there is no such batch.
  [[nodiscard]] Lead lead_of(const std::string& name) const;

 private:
  const Store& store_;
};

}  // namespace wavewright
