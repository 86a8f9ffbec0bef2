// Our placer: it knows where all blocks are and when slots will be free, and weighs waiting against distance.
//
// On a node with a free slot it takes, of the first job with a map there, the map that would wait longest
// elsewhere. Example: a node holds blocks of maps A and B. A's other node is idle, B's other node is busy for
// 20 s. It takes B; A soon starts on the idle node. Hadoop takes A, and B waits.
//
// If no map has a block on the node, a map may run there all the same: if the wait for the nodes that hold
// its block is expected to last longer than the time that distance costs, by `margin` times.
//
// The expected wait on a node: pending maps with a block there count 1 / (copies of the block) each, and its
// slots are freed in the order of their expected ends.
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

struct ExpectedWaitOptions {
  double margin = 2;       // of what distance costs
  double non_local = 1.3;  // duration off the node by that on it
};

// O(pending maps with a block on the node) an offer that has one, else O(pending maps of a job · copies).
[[nodiscard]] std::unique_ptr<Placer> make_expected_wait(const ExpectedWaitOptions& options);
[[nodiscard]] PolicyEntry expected_wait_entry();

}  // namespace wavewright
