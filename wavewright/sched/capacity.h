// Hadoop's Capacity scheduler: each queue is guaranteed a share of its parent's slots and may grow to its
// maximum; the queue furthest below its guarantee is served first; within a queue jobs come in order of
// submission, those of a user at the limit left out [Hadoop CapacityScheduler].
//
// A user of a queue may hold, of each kind of slot, at most
//     min( max( ⌈c / users⌉, ⌈c · minimum_user_limit⌉ ), guaranteed · user_limit_factor )
// with c the queue's guaranteed slots or, when it holds as many or more, what it holds and one more, and
// users those who have jobs in it that ask for more. The limit is at least 1. With containers c is memory,
// and the limit that of the smallest containers into which it is rounded up; who has not passed it gets one
// more.
//
// With containers jobs beyond the part of a queue that masters may have wait (master_limit.h).
#pragma once

#include <memory>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

// Queues as the cluster file describes them; one that is not described is guaranteed nothing and may take
// what is idle. Without any, one queue has it all. O(depth · log jobs) a task, and O(users of the queue · log
// users) when their limit changes.
[[nodiscard]] std::unique_ptr<Allocator> make_capacity(const std::vector<Queue>& queues);
[[nodiscard]] PolicyEntry capacity_entry();

}  // namespace wavewright
