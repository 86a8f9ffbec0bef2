// Our placer: it knows where all blocks are and when slots will be free, and takes the map that would wait
// longest elsewhere.
//
// Example: a node with a free slot holds blocks of maps A and B of one job. A's other node is idle, B's other
// node has a minute of work. It takes B, and A soon starts on the idle node. Hadoop takes A, and B waits.
//
// The expected wait on a node is its work by its map slots: what is left of the maps that run there, and its
// share of each pending map with a block there. A map's nodes have shares in inverse proportion to their work
// if all shares were equal: it will rather run where there is less to do. A map waits for the node with the
// least of its block's nodes.
//
// The job is the first in the allocator's order with a map whose block is on the node. A later job goes first
// if its map would wait longer elsewhere, and each job before it has another map that waits longer than the
// one that is passed over: such a job is expected to end no later for it. A job's map that waits longest is
// never passed over, so that no job waits for ever.
//
// If no job has a block on the node, a map of the first job may run there all the same: if its wait is longer
// than `margin` times what distance costs. Else the slot stays free. A job must be able to use the nodes of
// its blocks, unless they are down or blacklisted: where a cap or a reservation keeps it from them, its maps
// wait as long as that stands.
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

struct ExpectedWaitOptions {
  double margin = 20;      // of what distance costs
  double non_local = 1.3;  // duration of a map far from its block by that of one on its node
};

// O(m · c + n · (w · c + s) + j) an offer: m is the number of the job's maps that wait on the node; of all
// its pending maps where the node has none, or where maps of other jobs wait there, too. c: copies of a
// block; n: nodes that have one; w: maps that wait on a node; s: slots of it; j: jobs, if a later one may go
// first. O(c + s) for each start and end.
[[nodiscard]] std::unique_ptr<Placer> make_expected_wait(const ExpectedWaitOptions& options);
[[nodiscard]] PolicyEntry expected_wait_entry();

}  // namespace wavewright
