// Hadoop's Fair scheduler: queues share the slots by weight, those below their minimum first; within a queue
// jobs share alike, or come in order of submission [Hadoop FairScheduler; UNL §4].
//
// Maps and reduces are shared apart, as Hadoop 1 does. What a queue leaves idle goes to the others.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/fair_preemption.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct FairOptions {
  std::vector<Queue> queues;  // weights and minima; others are made as jobs name them, of weight 1
  bool by_user = false;       // a queue of its own for each user, whatever queue the job names
  bool fifo_within = false;   // the jobs of a queue in order of submission
  std::optional<PreemptionOptions> preemption;  // between the queues below the root
  // With containers: the part of a queue's fair share that its application masters may have [maxAMShare].
  std::optional<double> masters;
};

// O(depth · log jobs) a task, none of it a call of the policy: it decides when jobs arrive, with containers
// also when they finish (what masters may ask for is shared anew: O(jobs of the queue)), and, with
// preemption, when it looks at who lacks what.
[[nodiscard]] std::unique_ptr<Allocator> make_fair(const FairOptions& options);
[[nodiscard]] PolicyEntry fair_entry();

}  // namespace wavewright
