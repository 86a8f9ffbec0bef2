// Small random clusters for property tests: racks, unequal nodes, heartbeats, blocks far and near.
#pragma once

#include "tests/sim/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::worlds {

inline Cluster some_cluster() {
  Cluster cluster;
  const int groups = *rc::gen::inRange(1, 4);
  for (int i = 0; i < groups; ++i) {
    NodeGroup group;
    group.count = *rc::gen::inRange(1, 4);
    group.rack = fmt::format("/r{}", *rc::gen::inRange(1, 4));
    group.node_class = *rc::gen::element<std::string>("default", "fast");
    group.slots = {*rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3)};
    group.speed = *rc::gen::element(1.0, 1.0, 0.5, 2.0, 1.3);
    cluster.nodes.push_back(group);
  }
  // Some slot of each kind there must be.
  cluster.nodes.front().slots.map_slots += 1;
  cluster.nodes.back().slots.reduce_slots += 1;
  cluster.mode.heartbeat = ms(*rc::gen::element(0, 0, 1, 3, 10, 37));
  cluster.mode.out_of_band = *rc::gen::arbitrary<bool>();
  cluster.mode.maps_per_heartbeat = *rc::gen::inRange(0, 3);
  cluster.mode.reduces_per_heartbeat = *rc::gen::inRange(0, 3);
  cluster.mode.launch = ms(*rc::gen::element(0, 0, 1, 5));
  cluster.mode.slowstart = *rc::gen::element(1.0, 1.0, 0.0, 0.05, 0.5, 0.8);
  if (*rc::gen::inRange(0, 3) == 0) {
    cluster.masters.start = ms(*rc::gen::inRange(0, 12));
    cluster.masters.finish = ms(*rc::gen::inRange(0, 6));
  }
  cluster.hdfs.replication = *rc::gen::inRange(1, 4);
  cluster.hdfs.skew = *rc::gen::element(0.0, 0.0, 1.5);
  if (*rc::gen::inRange(0, 3) == 0) {
    cluster.launches = {ms(*rc::gen::inRange(0, 9)), ms(*rc::gen::inRange(0, 9)),
                        *rc::gen::inRange<Count>(1, 4), *rc::gen::arbitrary<bool>()};
    if (!cluster.launches.of_node) cluster.launches.submit_work = ms(*rc::gen::inRange(0, 9));
  }
  if (*rc::gen::arbitrary<bool>()) {
    cluster.reads = {Reads::Kind::slowdown, *rc::gen::element(1.0, 1.2, 2.0), *rc::gen::element(2.0, 3.7)};
  }
  return cluster;
}

// Blocks and shuffles share the network. Of 1 to 8 bytes a ms: small numbers shrink best.
inline void connect(Cluster& cluster) {
  if (*rc::gen::arbitrary<bool>()) cluster.reads = {Reads::Kind::network, 1, 1};
  cluster.network.card_mbps = *rc::gen::element(0.008, 0.016, 0.064);
  cluster.network.uplink_mbps = *rc::gen::element(0.0, 0.008, 0.024);
  cluster.network.shuffle = *rc::gen::arbitrary<bool>();
  cluster.network.rounds = *rc::gen::inRange<Count>(1, 5);
  cluster.network.overhead = ms(*rc::gen::element(0, 0, 4));
}
inline void weigh(Workload& workload) {
  for (Job& job : workload.jobs) {
    job.input = Bytes{*rc::gen::inRange<std::int64_t>(0, 200)};
    if (*rc::gen::inRange(0, 4) != 0) job.shuffled = Bytes{*rc::gen::inRange<std::int64_t>(0, 120)};
  }
}

// Nodes with memory for containers: one of them for every master there can be and a task, so that no job is
// stuck.
inline void give_out_containers(Cluster& cluster) {
  cluster.mode.kind = ClusterMode::Kind::containers;
  const auto some_request = [] {
    return ContainerRequest{Bytes{*rc::gen::inRange<std::int64_t>(1, 4) << 20},
                            *rc::gen::inRange<Count>(1, 3)};
  };
  cluster.containers.master = some_request();
  cluster.containers.map = some_request();
  cluster.containers.reduce = some_request();
  cluster.containers.count_vcores = *rc::gen::element(false, false, true);
  cluster.containers.per_heartbeat = *rc::gen::element<Count>(0, 0, 1, 2);
  cluster.containers.off_switch_per_heartbeat = *rc::gen::element<Count>(0, 0, 1);
  if (*rc::gen::arbitrary<bool>()) cluster.limits.min_memory = Bytes{2LL << 20};
  cluster.masters.start = ms(*rc::gen::element(0, 0, 2, 7));
  cluster.masters.finish = ms(*rc::gen::element(0, 0, 3));
  cluster.masters.stop = ms(*rc::gen::element(0, 0, 4));
  cluster.masters.heartbeat = ms(*rc::gen::element(1, 2, 5, 11));
  cluster.masters.ramp_up = *rc::gen::element(0.5, 0.0, 1.0, 0.3);
  cluster.masters.see_vcores = *rc::gen::arbitrary<bool>();
  cluster.masters.preempt_delay = ms(*rc::gen::element(0, 0, 20));
  cluster.masters.unconditional_preempt_delay =
      *rc::gen::element<std::optional<Duration>>(ms(30), ms(500), std::nullopt);
  constexpr std::int64_t for_all_masters = 12 * 4 + 4;
  for (NodeGroup& group : cluster.nodes) {
    group.memory = Bytes{*rc::gen::inRange<std::int64_t>(1, 12) << 20};
    group.vcores = *rc::gen::inRange(1, 12);
  }
  cluster.nodes.front().memory =
      Bytes{*rc::gen::inRange<std::int64_t>(for_all_masters, for_all_masters + 9) << 20};
  cluster.nodes.front().vcores = *rc::gen::inRange(26, 40);
}

// What `run` gives. A world in which some job can never be placed is no case: it may be blacklisted from the
// only node that has room for it, or masters alone may fill its queue.
template <class Run>
auto unless_stuck(Run run) -> decltype(run()) {
  try {
    return run();
  } catch (const Infeasible&) {
    RC_DISCARD("stuck");
    throw;
  }
}

// Attempts that fail or straggle, nodes that are away for a while.
inline Cluster some_faulty_cluster() {
  Cluster cluster = some_cluster();
  cluster.faults.task_failure = *rc::gen::element(0.0, 0.1, 0.5);
  cluster.faults.max_attempts = *rc::gen::inRange(1, 5);
  cluster.faults.straggler = *rc::gen::element(0.0, 0.3);
  cluster.faults.straggler_slowdown = *rc::gen::element(1.0, 2.5);
  cluster.faults.blacklist_after = *rc::gen::inRange(0, 3);
  cluster.faults.keeps_map_output = *rc::gen::element(false, false, true);
  cluster.nodes.front().task_failure = *rc::gen::element(0.0, 0.0, 0.4);
  cluster.mode.speculation = *rc::gen::arbitrary<bool>();
  cluster.mode.rule = *rc::gen::element(SpeculationRule::hadoop, SpeculationRule::late);
  cluster.mode.speculation_after = ms(*rc::gen::inRange(0, 20));
  cluster.mode.speculation_check = ms(*rc::gen::inRange(1, 9));
  Count nodes = 0;
  for (NodeGroup& group : cluster.nodes) {
    nodes += group.count;
    // The first and last group have the slots that there must be, unless a job may be blacklisted from them.
    const bool needed = &group == &cluster.nodes.front() || &group == &cluster.nodes.back() ||
                        cluster.faults.blacklist_after > 0;
    if (*rc::gen::inRange(0, 3) != 0) continue;
    group.join = at_ms(*rc::gen::inRange(0, 50));
    if (!needed) group.leave = group.join + ms(*rc::gen::inRange(1, 90));
    group.spot = {{at_ms(*rc::gen::inRange(0, 20)), 0.5}, {at_ms(*rc::gen::inRange(21, 60)), 0.1}};
    if (*rc::gen::arbitrary<bool>()) group.bid = 0.3;
  }
  for (int outages = *rc::gen::inRange(0, 4); outages > 0; --outages) {
    const Time from = at_ms(*rc::gen::inRange(0, 60));
    cluster.outages.push_back({fmt::format("node{}", *rc::gen::inRange<Count>(1, nodes + 1)), from,
                               from + ms(*rc::gen::inRange(1, 80))});
  }
  return cluster;
}

// Some machines besides that a policy may rent.
inline void offer_machines(Cluster& cluster) {
  NodeGroup group;
  group.count = *rc::gen::inRange<Count>(1, 4);
  group.node_class = *rc::gen::element<std::string>("default", "fast", "rented");
  group.slots = {*rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3)};
  group.memory = Bytes{*rc::gen::inRange<std::int64_t>(4, 12) << 20};
  group.vcores = 12;
  group.rent = true;
  group.boot = ms(*rc::gen::inRange(0, 30));
  group.price_per_hour = 0.2;
  group.billing = *rc::gen::element(Billing::per_second, Billing::per_started_hour);
  group.terms = {ms(*rc::gen::element(0, 0, 20)), *rc::gen::element(false, false, true),
                 *rc::gen::arbitrary<bool>()};
  group.notice = ms(*rc::gen::element(0, 0, 3, 15));
  if (*rc::gen::arbitrary<bool>())
    group.spot = {{at_ms(*rc::gen::inRange(0, 20)), 0.5}, {at_ms(*rc::gen::inRange(21, 60)), 0.1}};
  cluster.nodes.push_back(group);
}

// Jobs that wait for others, with queues and users, speeds of their own and blocks on named hosts.
inline Workload some_dependent_workload(Shape shape = {}) {
  Workload workload = some_workload(shape);
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    Job& job = workload.jobs[i];
    job.queue = *rc::gen::element<std::string>("", "a", "a.x", "a.y", "b");
    job.user = *rc::gen::element<std::string>("u", "v", "w");
    if (i > 0 && *rc::gen::inRange(0, 3) == 0) {
      job.after.push_back(workload.jobs[*rc::gen::inRange<std::size_t>(0, i)].id);
    }
    job.task_failure = *rc::gen::element(0.0, 0.0, 0.0, 0.0, 0.2);
    job.processor_bound = *rc::gen::arbitrary<bool>();
    if (*rc::gen::inRange(0, 4) == 0)
      job.classes["fast"] = {*rc::gen::element(0.7, 4.0), *rc::gen::inRange(1, 4), 1};
    if (*rc::gen::inRange(0, 3) == 0) {
      for (std::size_t map = 0; map < job.maps.size(); ++map) {
        job.splits.push_back({fmt::format("node{}", *rc::gen::inRange(1, 9))});
      }
    }
  }
  return workload;
}

inline std::vector<Queue> some_queues() {
  std::vector<Queue> queues;
  if (*rc::gen::arbitrary<bool>()) return queues;
  for (const char* name : {"a", "a.x", "b"}) {
    Queue queue;
    queue.name = name;
    queue.weight = *rc::gen::element(1.0, 0.3, 2.5);
    queue.minimum = {*rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3)};
    queue.capacity = *rc::gen::element(10.0, 50.0, 100.0);
    queue.maximum = *rc::gen::element(50.0, 100.0);
    queue.minimum_user_limit = *rc::gen::element(25.0, 100.0);
    queue.user_limit_factor = *rc::gen::element(0.5, 1.0, 3.0);
    queue.maximum_masters = *rc::gen::element(100.0, 100.0, 20.0, 0.0);
    queues.push_back(queue);
  }
  return queues;
}

}  // namespace wavewright::worlds
