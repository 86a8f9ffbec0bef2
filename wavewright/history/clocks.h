// Finds nodes whose clocks differ from the job's master: the ends of their attempts differ from their tasks'.
#pragma once

#include <string>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

struct ClockOffset {
  std::string node;
  Duration shift{};    // to be added to the node's instants
  Count attempts = 0;  // of the node, of any outcome
};

// The nodes that repair_impossible may shift, by its rule (history/sanity_checks.h). Right clocks show a
// difference, too, as reports come with the next heartbeat; its median is subtracted from the shift.
// O(attempts · log attempts).
[[nodiscard]] std::vector<ClockOffset> clocks_off(const JobRun& run);

// Adds the shift to every instant of the node's attempts.
void shift_clock(JobRun& run, const ClockOffset& clock);

}  // namespace wavewright
