// The journal: where a live batch is kept, so that nothing is lost when the program that runs it dies.
#pragma once

#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/live/batch/live_batch.h"

namespace wavewright {

// Another program has taken the batch over. Not an Error: nobody is at fault.
class LeadLost : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the batch was taken over"; }
};

// How the dispatching queue stands now (LiveRound). `order` goes behind the order that there is; if `anew`,
// in its place.
struct RoundEntry {
  Time began{};
  std::optional<Duration> work = std::nullopt;
  std::optional<Time> due = std::nullopt;
  bool anew = false;
  std::vector<std::string> order = {};
};

// Puts it in the place of what the batch had. O(order).
inline void put(RoundEntry entry, std::optional<LiveRound>& round) {
  if (!round) round.emplace();
  round->began = entry.began;
  round->work = entry.work;
  round->due = entry.due;
  if (entry.anew) round->order.clear();
  std::move(entry.order.begin(), entry.order.end(), std::back_inserter(round->order));
}

struct JournalEntry {
  std::vector<LiveJob> jobs;                       // as they are now
  std::vector<LiveEvent> events;                   // to be appended
  std::vector<std::string> granted;                // keys of wishes
  std::vector<LiveJob> archived = {};              // that leave the batch, as last written
  std::optional<RoundEntry> round = std::nullopt;  // absent: as last written
};

class Journal {
 public:
  virtual ~Journal() = default;

  // Takes the batch over and returns it as last written. From then on, whoever led before gets LeadLost from
  // `write`. Throws ExternalError if the journal cannot be reached.
  [[nodiscard]] virtual LiveBatch lead() = 0;

  // All or nothing. Throws LeadLost; throws ExternalError if the journal cannot be reached, and then the
  // entry may be written or not.
  virtual void write(const JournalEntry& entry) = 0;

  // Shows that whoever leads is alive. Throws as `write` does.
  virtual void beat() = 0;

  // The jobs that were added to the batch behind the first `known` that it ever had.
  [[nodiscard]] virtual std::vector<LiveJob> added(std::size_t known) = 0;

  // What users have asked and no entry has granted yet, in the order of asking.
  [[nodiscard]] virtual std::vector<JobWish> wishes() = 0;
};

}  // namespace wavewright
