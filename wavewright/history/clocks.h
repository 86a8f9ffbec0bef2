// Nodes whose clocks disagree with the job's master, as the ends of attempts and of their tasks show.
#pragma once

#include <string>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

struct ClockOffset {
  std::string node;
  Duration shift{};    // to be added to what the node told
  Count attempts = 0;  // of the node, of any outcome
};

// The nodes that repair_impossible (history/sanity_checks.h) may shift, by its rule. What the other nodes'
// ends differ from their tasks' (reports come with the next heartbeat) is taken off the shift, as their
// median. O(attempts · log attempts).
[[nodiscard]] std::vector<ClockOffset> clocks_off(const JobRun& run);

// Adds the shift to every instant of the node's attempts.
void shift_clock(JobRun& run, const ClockOffset& clock);

}  // namespace wavewright
