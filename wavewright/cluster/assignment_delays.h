// How long a task may wait though its turn has come and a slot for it is there: by heartbeats, launches, and
// a job's setup and commit. A deadline can be promised only with these added.
#pragma once

#include "wavewright/cluster/cluster.h"

namespace wavewright {

struct AssignmentDelays {
  Duration first{};  // once for a job's maps, or its reduces if it has no maps: until a node reports
  Duration ready{};  // once for its reduces behind its maps: until its master asks for them
  // For each task: until its end is reported, and for its node's other free slots. For a reduce also until
  // another node reports, as one that just became ready may have taken the slot.
  Duration map{}, reduce{};
  Duration launch{};           // part of each attempt
  Duration setup{}, commit{};  // of a job, before its first and after its last task
};

// Mode "slots". With heartbeats every H, s slots of a kind on a node and c starts a heartbeat, `first` is H,
// `map` ⌈s / c⌉ · H and `reduce` (⌈s / c⌉ + 1) · H, of the nodes for which it is longest
// [realtime/admission.h]. O(rows).
[[nodiscard]] AssignmentDelays assignment_delays(const Cluster& cluster);

}  // namespace wavewright
