// YARN's containers by the letter of docs/use/simulation.md, one millisecond after the other: one queue under
// FIFO or Fair, slow-start 1, no faults, no places. It shares no code with the engines and the policies.
#pragma once

#include <iosfwd>
#include <vector>

#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

// A container that was given. Attempts are numbered from 0, so all of these are first ones.
struct GivenContainer {
  JobIndex job = 0;
  Kind kind = Kind::map;
  std::uint32_t task = 0;
  NodeIndex node = 0;
  std::int64_t start = 0, end = 0;  // ms

  friend auto operator<=>(const GivenContainer&, const GivenContainer&) = default;
};
std::ostream& operator<<(std::ostream& out, const GivenContainer& each);

struct LetterRun {
  std::vector<GivenContainer> containers;  // in order of start
  std::vector<std::int64_t> finish;        // of each job, ms
};

// Throws std::runtime_error where some job is not over by the instant `most`, ms. O(most · nodes · jobs).
[[nodiscard]] LetterRun containers_by_letter(const Workload& workload, const Cluster& cluster, bool fair,
                                             std::int64_t most);

}  // namespace wavewright
