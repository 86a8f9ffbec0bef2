// Simulates a workload under a policy on a cluster of nodes, task by task [HP §IV, UNL §2, §4].
//
// Model (docs/use/simulation.md): nodes with map and reduce slots, in racks. A free slot is offered to the
// policy at once or, with heartbeats, at its node's next heartbeat. Node n of N has heartbeats at
// ⌊n·period/N⌋ and every period after. Within an instant jobs arrive, ends are reported, jobs whose
// predecessors have just finished arrive, timers fire, and then slots are given out: maps first, node by
// node, each node's lowest slot first. A task's end is known when its node reports it: only then is the slot
// free, and only then can the job's reduces become ready and the job be done. A task lasts launch + duration
// / speed; a map's duration is also multiplied by the cost of the distance to its block. Reduces, first and
// later shuffle are as in simulate.h.
//
// With containers (YARN) a job has an application master in a container of its own. Once it is up, the master
// asks at its heartbeats for maps and, from slow-start on, for reduces (ramp_up.h). Nodes give memory at
// their heartbeats in the policy's order, which counts memory instead of slots; within a job the master goes
// first, then reduces, then maps. A node with too little room for the first job that could use it is reserved
// for that job. The master fetches a container at its next heartbeat, launches it, and knows its end at once;
// the room is free when the node reports the end.
#pragma once

#include <atomic>

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct ClusterOptions {
  Cluster cluster;
  std::uint64_t seed = 1;    // of block places and of drawn outcomes of attempts
  bool trace = false;        // record every attempt
  TaskSink* sink = nullptr;  // receives every attempt as it ends; the fast engines only
  // Set by another thread, it ends the simulation; the result then covers the run so far. Fast engines only.
  const std::atomic<bool>* stop = nullptr;
  bool keep_stuck =
      false;  // a run that cannot go on gives the result so far, not Infeasible; fast engines only
  std::atomic<std::uint64_t>* jobs_over = nullptr;  // set to the number of jobs done, failed or rejected
};

// Features that the engines with slots, and those with containers, can enforce.
[[nodiscard]] Features cluster_features();
[[nodiscard]] Features container_features();

// True if a flat pool of its slots cannot represent the cluster: containers, heartbeats, launches, speeds,
// block places, faults, nodes that come and go.
[[nodiscard]] bool needs_nodes(const Cluster& cluster);

// O(tasks · (log slots + log jobs) + blocks · log blocks); only heartbeats that give a node work cost time.
// If transfers share a network, each start or end of one costs O(log transfers) for every other transfer on
// its links. Throws Infeasible if a job can never be placed, UsageError if the cluster or the policy needs
// something that is not simulated, InputError for numbers out of range, InternalError if the policy breaks
// its contract.
[[nodiscard]] SimulationResult simulate_cluster(const Workload& workload, Policy& policy,
                                                const ClusterOptions& options);

// Uses the flat pool's engine if it gives the same result, the cluster's engine otherwise.
[[nodiscard]] SimulationResult simulate_on(const Workload& workload, Policy& policy,
                                           const ClusterOptions& options);

// The reference engine: visits every heartbeat of every node, every slot and every job each time.
[[nodiscard]] SimulationResult simulate_cluster_reference(const Workload& workload, Policy& policy,
                                                          const ClusterOptions& options);

[[nodiscard]] SimulationResult simulate_on_reference(const Workload& workload, Policy& policy,
                                                     const ClusterOptions& options);

}  // namespace wavewright
