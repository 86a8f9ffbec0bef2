// Simulates a workload under a policy on a cluster of nodes, task by task [HP §IV, UNL §2, §4].
//
// Model (docs/use/simulation.md): nodes with map and reduce slots, in racks. A free slot is offered to the
// policy at once or, with heartbeats, when its node next reports; node n of N reports at ⌊n·period/N⌋ and
// every period after. At an instant, jobs arrive, ends are reported, jobs whose predecessors have just
// finished arrive, timers go off, and then slots are given out: maps first, node by node, each node's lowest
// slot first. The end of a task is known when its node reports it: only then is the slot free, are the job's
// reduces ready, is the job done. A task lasts launch + duration / speed, a map's times what its distance
// from its block costs. Reduces, first and later shuffle are those of simulate.h.
//
// With containers (YARN) a job has an application master in a container of its own. Once that is up it asks,
// at its heartbeats, for maps and, from slow-start on, for reduces as ramp_up.h says; nodes give their memory
// at their heartbeats in the policy's order, which counts memory where it counts slots otherwise; a job's
// master goes before its reduces, these before its maps. A node whose room is too small for the first job
// that could have it is kept for that job. The master fetches a container at its next heartbeat, launches it,
// and knows of its end at once; the room is free when the node reports.
#pragma once

#include <atomic>

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct ClusterOptions {
  Cluster cluster;
  std::uint64_t seed = 1;    // of where blocks lie
  bool trace = false;        // keep the record of every task
  TaskSink* sink = nullptr;  // is told of every task as it ends; the fast engines only
  // Set from elsewhere, it ends the simulation: the result then tells what had happened. The fast engines
  // only.
  const std::atomic<bool>* stop = nullptr;
  std::atomic<std::uint64_t>* jobs_over = nullptr;  // is told how many jobs are done, failed or rejected
};

// What the engines of slots, and those of containers, can enforce.
[[nodiscard]] Features cluster_features();
[[nodiscard]] Features container_features();

// Whether anything of the cluster goes beyond what a flat pool of its slots shows: heartbeats, launches,
// speeds, places.
[[nodiscard]] bool needs_nodes(const Cluster& cluster);

// O(tasks · (log slots + log jobs) + blocks · log blocks); of heartbeats only those count that give a node
// work. Where transfers share a network, each that begins or ends costs O(log transfers) for every other on
// its links. Throws Infeasible when a job can never be placed, UsageError when the cluster or the policy
// needs what is not simulated, InternalError when the policy misbehaves.
[[nodiscard]] SimulationResult simulate_cluster(const Workload& workload, Policy& policy,
                                                const ClusterOptions& options);

// By the flat pool's engine where that shows all there is to see, by the cluster's otherwise.
[[nodiscard]] SimulationResult simulate_on(const Workload& workload, Policy& policy,
                                           const ClusterOptions& options);

// The reference engine: every heartbeat of every node, every slot and every job each time.
[[nodiscard]] SimulationResult simulate_cluster_reference(const Workload& workload, Policy& policy,
                                                          const ClusterOptions& options);

[[nodiscard]] SimulationResult simulate_on_reference(const Workload& workload, Policy& policy,
                                                     const ClusterOptions& options);

}  // namespace wavewright
