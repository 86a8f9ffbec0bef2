// When the present jobs would end on given slots, by estimates, if nothing else arrived.
//
// Maps go to the slots that are free first, job by job in the given order. A job's reduces may start when its
// last map has ended; jobs' reduces follow in the order of that instant. All tasks of a stage take their mean
// length, and the stage ends by its `tail` later.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cloud/deadline/free_slots.h"

namespace wavewright {

struct StageAhead {
  Count tasks = 0;       // that have not started
  Duration task{};       // mean length
  Duration tail{};       // from the end of the stage, were all tasks of mean length, to its real end
  Time running_until{};  // end of the last one that runs; any past instant if none does
};

struct JobAhead {
  StageAhead maps, reduces;
  std::optional<Time> deadline{};
};

struct Lateness {
  double seconds = 0;  // total tardiness
  Count jobs = 0;      // tardy ones
  Count stuck = 0;     // jobs that need slots of a kind of which there is none
};

class LookAhead {
 public:
  FreeSlots maps, reduces;     // of the machines that are there or boot
  std::vector<JobAhead> jobs;  // in order

  // With further slots from an instant on or, below 0, without so many of those that are free first. A job
  // without slots that it needs is stuck, and ends at the release of the stage. O(jobs · groups of slots ·
  // log(length of a stage)).
  [[nodiscard]] Lateness lateness(Time now, Time from, Count map_slots, Count reduce_slots);
  // By job of the last call.
  [[nodiscard]] const std::vector<Time>& ends() const { return ends_; }

 private:
  FreeSlots map_slots_, reduce_slots_;  // what is left of them, and of further ones
  std::vector<Time> ends_, maps_end_;
  std::vector<std::size_t> by_maps_end_;
};

}  // namespace wavewright
