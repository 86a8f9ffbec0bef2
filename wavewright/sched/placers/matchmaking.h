// Matchmaking: a node takes only maps whose blocks it holds, of whichever job, and one other map after two
// searches in a row that found none [UNL §4.3, tables 4.1 and 4.2].
//
// Each node has a locality marker. An arrival clears all markers. While the node takes maps whose blocks it
// holds, its marker is positive. A search in vain ends the heartbeat. If the marker was already 0, the node
// first takes one map from elsewhere: of the first job, in the allocator's order, that has a map for it. If
// not, the marker becomes 0. A cleared marker is not 0.
//
// That is our reading. As printed, lines 19-22 end the heartbeat after every search in vain, so no node ever
// takes a map from elsewhere (`reading=printed`). If the nodes of a map's block are gone, it then waits for
// ever.
//
// Only heartbeats count at which some job has a map to start. Reduces do not concern the markers.
//
// On YARN a job arrives when its first map is offered a node: its master has then said where the blocks are.
// A search is a round over the jobs, and a map from elsewhere takes a second one [plugins/yarn, Matchmaking].
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

struct MatchmakingOptions {
  bool printed = false;     // never a map from elsewhere
  bool containers = false;  // jobs are offered one by one (Placer::again)
};

// O(blocks of pending maps on the node) an offer, O(1) an arrival.
[[nodiscard]] std::unique_ptr<Placer> make_matchmaking(const MatchmakingOptions& options);
[[nodiscard]] PolicyEntry matchmaking_entry();

}  // namespace wavewright
