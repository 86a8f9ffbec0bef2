// Application masters in the reference engine: what they ask for at their heartbeats, and the reduces that
// they stop for maps. The engine decides who gets room.
#pragma once

#include <map>

#include "wavewright/sim/model/ramp_up.h"
#include "wavewright/sim/reference/reference_containers.h"

namespace wavewright::sim {

class ReferenceMasters : protected ReferenceContainers {
 protected:
  using ReferenceContainers::ReferenceContainers;

  // True if the job's master has a heartbeat at the instant.
  [[nodiscard]] bool asks(const JobState& state, Time at) const {
    return state.up && at >= *state.up && (at - *state.up) % model_.cluster.masters.heartbeat == Duration{};
  }
  void reviews();  // of all masters that have one now

  bool changed_now_ = true;  // more happened now than heartbeats without an allocation
  bool asked_anew_ = false;  // a master changed its requests now

 private:
  void review(JobIndex index);
  // Map requests that have waited longer than this, while the job has no map.
  [[nodiscard]] Count maps_waiting(JobIndex index, std::optional<Duration> longer) const;
  void review_reduces(JobIndex index, Count allowed);

  std::map<JobIndex, StoppedInVain> stopped_in_vain_;
};

}  // namespace wavewright::sim
