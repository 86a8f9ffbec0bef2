// Our placer: it knows where all blocks are and when slots will be free, and takes the map that would wait
// longest elsewhere.
//
// Example: a node with a free slot holds blocks of maps A and B of one job. A's other node is idle, B's other
// node has a minute of work. It takes B, and A soon starts on the idle node. Hadoop takes A, and B waits.
//
// The expected wait on a node is its work by its map slots: what is left of the maps that run there, and all
// pending maps with a block there, each divided by the number of its copies. A map waits for the node with
// the least of its block's nodes.
//
// The job is the first in the allocator's order with a map whose block is on the node. If there is none, a
// map of the first job that can save time may run there all the same: if its wait is longer than `margin`
// times what distance costs.
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

struct ExpectedWaitOptions {
  double margin = 20;      // of what distance costs
  double non_local = 1.3;  // duration of a map far from its block by that of one on its node
};

// With m maps of the job to start on the node, c copies of a block and s slots of a node: O(m · c · s) an
// offer that has a map on the node; an offer without looks at all pending maps of jobs. O(c) for each start
// and end.
[[nodiscard]] std::unique_ptr<Placer> make_expected_wait(const ExpectedWaitOptions& options);
[[nodiscard]] PolicyEntry expected_wait_entry();

}  // namespace wavewright
