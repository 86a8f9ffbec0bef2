// How many reduces a job's application master asks for while its maps run, and how many it gives up so that a
// map can run [Hadoop 3.4, RMContainerAllocator: scheduleReduces, preemptReducesIfNeeded].
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wavewright/core/quantity.h"

namespace wavewright::sim {

// What the master knows. Memory in MiB.
struct RampUp {
  Count maps = 0;  // of the job in all
  Count maps_done = 0;
  Count maps_asked = 0;  // and not given yet
  Count maps_held = 0;
  Count reduces_wanted = 0;  // not running and not done, asked for or not
  Count reduces_asked = 0;
  Count reduces_held = 0;
  Count map_memory = 1;  // of one; from 1
  Count reduce_memory = 1;
  Count headroom = 0;  // memory that the job may still get
  double limit = 0.5;  // Masters::ramp_up
  // The same in cores, where it sees them; what holds must then hold of both.
  struct Cores {
    Count of_map = 1;
    Count of_reduce = 1;
    Count headroom = 0;
  };
  std::optional<Cores> cores = std::nullopt;
};

// The reduces that it asks for from now on, those asked for before included. With no map waiting all that are
// wanted; until then as many as their part of the memory (the part of the maps that are done, `limit` at
// most, and what the maps leave) holds. O(1).
[[nodiscard]] Count reduces_to_ask(const RampUp& job);

// Running reduces that it stops, the last started first, because no map runs and there is room for none.
// O(1).
[[nodiscard]] Count reduces_to_stop(const RampUp& job);

// Reduces stopped for maps that then do not come, again and again while nothing in the cluster ends: a job
// whose maps fit nowhere, though its reduces do, would go on so for ever.
class StoppedInVain {
 public:
  static constexpr Count most_rounds = 1'000;

  // To be told of each review that stops some; `ends`: tasks of all jobs that have ended so far. Whether it
  // has come to nothing.
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
