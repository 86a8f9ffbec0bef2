// How many reduces a job's application master asks for while its maps run, and how many it stops so that a
// map can run [Hadoop 3.4, RMContainerAllocator: scheduleReduces, preemptReducesIfNeeded]. It decides at the
// end of a heartbeat, after its call to YARN. So YARN learns of more reduces at the next heartbeat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wavewright/core/quantity.h"

namespace wavewright::sim {

// What the application master knows. Memory in MiB.
struct RampUp {
  Count maps = 0;  // of the job
  Count maps_done = 0;
  Count maps_asked = 0;    // requested, not yet allocated
  Count maps_delayed = 0;  // of maps_asked: longer ago than Masters::preempt_delay
  Count maps_overdue = 0;  // of maps_asked: longer ago than Masters::unconditional_preempt_delay
  Count maps_held = 0;
  Count reduces_wanted = 0;  // neither running nor done, requested or not
  Count reduces_asked = 0;
  Count reduces_held = 0;
  Count map_memory = 1;  // of one map, at least 1
  Count reduce_memory = 1;
  Count headroom = 0;  // memory that the job may still get
  double limit = 0.5;  // Masters::ramp_up
  // The same in cores, if the master sees them; conditions must then hold for both.
  struct Cores {
    Count of_map = 1;
    Count of_reduce = 1;
    Count headroom = 0;
  };
  std::optional<Cores> cores = std::nullopt;
};

// Reduces to request from now on, with earlier requests: all that are wanted if no map waits, else as many as
// fit their part of memory (the part of maps done, at most `limit`, plus what the maps leave). O(1).
[[nodiscard]] Count reduces_to_ask(const RampUp& job);

// None, unless no map of the job runs and some wait in vain: too long, or without room beside the reduces
// asked for. Then the master withdraws its requests for reduces and stops this many running ones, last
// started first; 0 if none runs. O(1).
[[nodiscard]] std::optional<Count> reduces_to_stop(const RampUp& job);

// Detects reduces that are stopped again and again for maps that still get no container, while nothing in the
// cluster ends. A job whose reduces fit but whose maps fit nowhere would go on like this for ever.
class StoppedInVain {
 public:
  static constexpr Count most_rounds = 1'000;

  // Call at each review that stops reduces. `ends`: tasks of all jobs that have ended so far. True if there
  // were more than `most_rounds` such reviews without an end.
  [[nodiscard]] bool again(std::uint64_t ends) {
    rounds_ = ends == seen_ ? rounds_ + 1 : 1;
    seen_ = ends;
    return rounds_ > most_rounds;
  }

 private:
  Count rounds_ = 0;
  std::uint64_t seen_ = 0;
};
[[noreturn]] void refuse_stopped_in_vain(const std::string& job);

}  // namespace wavewright::sim
