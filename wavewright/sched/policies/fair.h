// Hadoop's Fair scheduler: queues share the slots by weight; queues below their minimum come first. Within a
// queue, jobs have equal shares or run in order of submission [Hadoop FairScheduler; UNL §4].
//
// Map and reduce slots are shared separately, as in Hadoop 1; containers by memory. What a queue leaves idle
// goes to the others.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/policies/fair_preemption.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

struct FairOptions {
  std::vector<Queue> queues;  // weights and minima; other queues are made when a job names them, of weight 1
  bool by_user = false;       // one queue for each user; the job's queue is ignored
  bool fifo_within = false;   // jobs of a queue run in order of submission
  std::optional<PreemptionOptions> preemption;  // between the root's child queues
  // With containers: part of a queue's fair share for masters [maxAMShare], and share of the nodes that one
  // job may reserve [yarn.scheduler.fair.reservable-nodes].
  std::optional<double> masters;
  double reservable_nodes = 0.05;
};

// O(depth · log jobs) a task. The policy is called when jobs arrive or finish and, with preemption, at each
// check. With `masters` it is also called when containers or nodes come and go (FairMasters::review).
[[nodiscard]] std::unique_ptr<Allocator> make_fair(const FairOptions& options);
[[nodiscard]] PolicyEntry fair_entry();

}  // namespace wavewright
