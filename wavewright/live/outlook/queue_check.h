// When the promises of a daemon's queue are compared with what happened: the queue has no end, as a batch
// has.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/night_check.h"

namespace wavewright {

// The word of the log that a queue was checked.
inline constexpr const char* queue_checked = "Checked";

// Is that word of the log the end of a job: `Done`, `Failed`, `Cancelled`, `Unknown`?
[[nodiscard]] bool is_end(std::string_view what);

class QueueCheck {
 public:
  static constexpr std::size_t most_unchecked = 5'000;

  // `logged`: the latest events of the queue's log. Jobs that ended behind the last `queue_checked` are still
  // to be checked. O(events).
  explicit QueueCheck(const std::vector<LiveEvent>& logged);

  // Events that were just written. O(events).
  void take(const std::vector<LiveEvent>& events);

  // Checks the jobs that have ended since the last time. It is due when all jobs of the queue have ended.
  // While that is never so, it is due after a day, or after `most_unchecked` ends. Absent while it is not
  // due. `archived` gives jobs that have left the queue. If that throws, the check is still due. O(jobs).
  [[nodiscard]] std::optional<NightCheck> due(
      const LiveBatch& queue, const std::function<std::optional<LiveJob>(const std::string&)>& archived,
      Time now);

 private:
  std::set<std::string> ended_;  // ids
  std::optional<Time> since_;    // the last check, or the beginning
};

}  // namespace wavewright
