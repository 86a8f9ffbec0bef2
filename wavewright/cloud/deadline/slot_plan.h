// When slots of a kind will be free, by estimate and by what has been promised on them [CLOUD Alg. 2,
// occupancy(s)]. Slots are interchangeable here: a plan says when some slot is free, not which.
#pragma once

#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

class SlotPlan {
 public:
  // As of now: `slots` of them are there, of which some are busy until the given instants. The i-th latest
  // instant is the later of what was promised and what is. O(slots · log slots).
  void refresh(Time now, Count slots, std::vector<Time> busy_until);

  struct Taken {
    Count idle = 0;   // slots that were idle, one task each
    Count tasks = 0;  // placed, on idle and busy slots
  };
  // Places up to `tasks` tasks of length `task`: one on each idle slot, then ⌊(end − free) / task⌋ on each
  // slot that is free before `end` and not after `latest`, the earliest first. O(slots · log slots).
  Taken place(Count tasks, Duration task, Time end, Time latest);

 private:
  Time now_{};
  std::vector<Time> free_;  // ascending
};

}  // namespace wavewright
