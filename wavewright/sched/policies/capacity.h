// Hadoop's Capacity scheduler: each queue has a guaranteed share of its parent's slots and may grow to its
// maximum. The queue furthest below its guarantee is served first. Within a queue, jobs are served in order
// of submission; jobs of a user at the user limit are skipped [Hadoop CapacityScheduler].
//
// User limit, for each kind of slot, at least 1:
//     min( max( ⌈c / users⌉, ⌈c · minimum_user_limit⌉ ), guaranteed · user_limit_factor )
// c is the queue's guarantee or, once the queue holds that much, what it holds plus one slot. `users` have
// jobs in the queue that ask for more. A queue without a guarantee has no user_limit_factor. With containers,
// c is memory in MiB, the limit is a multiple of the smallest container, and a user at it gets one more.
//
// With containers, a limit on application masters holds back jobs (master_limit.h), and queues below their
// guarantee may get it by preemption (capacity_preemption.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/policies/capacity_preemption.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

// A queue that is not in `queues` has no guarantee and takes what is idle. Without `queues`, one queue has
// all. O(depth · log jobs) a task, plus O(users · log users) when a queue's user limit changes.
// `preemption` is for containers; none = nothing is preempted, as in Hadoop unless it is switched on.
[[nodiscard]] std::unique_ptr<Allocator> make_capacity(
    const std::vector<Queue>& queues, std::optional<CapacityPreemptionOptions> preemption = std::nullopt);
[[nodiscard]] PolicyEntry capacity_entry();

}  // namespace wavewright
