// Jobs that have ended, the latest first, from a live batch and from its archive
// (live/batch/batch_archive.h): pages that lack none and have none twice, while jobs end and move to the
// archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/batch/live_batch.h"

namespace wavewright {

// Where an ended job stands in the list. It never changes.
struct EndedPlace {
  Time at{};
  std::string key;  // of equal instants the greatest is first

  friend auto operator<=>(const EndedPlace&, const EndedPlace&) = default;
};
// `job` must have ended.
[[nodiscard]] EndedPlace ended_place(const LiveJob& job);

// What a page is asked for.
struct EndedQuestion {
  std::optional<EndedPlace> behind = std::nullopt;  // absent: from the latest
  std::size_t limit = 100;
  std::optional<LiveState> state = std::nullopt;  // absent: any that has ended
};
[[nodiscard]] bool is_asked_for(const EndedQuestion& question, const LiveJob& job);

struct JobPage {
  std::vector<LiveJob> jobs;
  bool more = false;
};

// Of each source its first `limit` + 1 jobs that are asked for, or all. A job that is in both is shown once.
// O(n log n).
[[nodiscard]] JobPage ended_page(std::vector<LiveJob> live, std::vector<LiveJob> past, std::size_t limit);

}  // namespace wavewright
