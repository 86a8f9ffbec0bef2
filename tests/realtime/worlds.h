// Worlds for tests of the real-time policies.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/property.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/realtime/policies.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::realtime_worlds {

inline const PolicyRegistry& policies() {
  static const PolicyRegistry registry(realtime_policies());
  return registry;
}

inline SimulationResult run(const Workload& workload, const std::string& policy, const Cluster& cluster) {
  Policy made = make_policy_on(policy, cluster, policies());
  return simulate_cluster(workload, made, {cluster});
}

// Both engines must agree.
inline SimulationResult run_both(const Workload& workload, const std::string& policy,
                                 const Cluster& cluster) {
  const SimulationResult fast = run(workload, policy, cluster);
  Policy again = make_policy_on(policy, cluster, policies());
  const SimulationResult slow = simulate_cluster_reference(workload, again, {cluster});
  for (std::size_t i = 0; i < fast.jobs.size(); ++i) {
    RC_ASSERT(fast.jobs[i].rejected == slow.jobs[i].rejected);
    RC_ASSERT(fast.jobs[i].finish == slow.jobs[i].finish);
  }
  return fast;
}

// `constraint(check=interval)` needs nodes that fill all their slots at each heartbeat.
inline Cluster cluster_for(const std::string& policy, Cluster cluster) {
  if (policy.starts_with("constraint(check=interval"))
    cluster.mode.maps_per_heartbeat = cluster.mode.reduces_per_heartbeat = 0;
  return cluster;
}

inline Job a_job(const std::string& id, std::int64_t submit, std::int64_t deadline,
                 std::vector<Duration> maps, std::vector<Duration> reduces = {}) {
  Job job;
  job.id = id;
  job.submit = at_ms(submit);
  job.deadline = at_ms(deadline);
  job.maps = std::move(maps);
  job.reduces = std::move(reduces);
  return job;
}

inline Cluster nodes(int count, int maps, int reduces, const std::string& mode = "") {
  return parse_cluster(fmt::format("{}[[nodes]]\ncount = {}\nmap_slots = {}\nreduce_slots = {}\n",
                                   mode.empty() ? "" : "[mode]\n" + mode, count, maps, reduces),
                       "cluster.toml");
}

struct World {
  Workload workload;
  Cluster cluster;
};

// Fewer than `most` tasks.
inline std::vector<Duration> some_lengths(int most) {
  std::vector<Duration> all;
  for (int k = *rc::gen::inRange(0, most); k > 0; --k) all.push_back(ms(*rc::gen::inRange(1, 30)));
  return all;
}

// `pick(low, high)`: a number from low up to, and not, high.
using Pick = std::function<int(int, int)>;

// Reduces of one job in three shuffle, and the shuffle of either wave may be the longer one.
inline void add_shuffles(Job& job, const Pick& pick) {
  if (pick(0, 3) != 0) return;
  for (std::size_t i = 0; i < job.reduces.size(); ++i) {
    job.first_shuffles.push_back(ms(pick(0, 20)));
    job.shuffles.push_back(ms(pick(0, 20)));
  }
}

// Clusters with and without heartbeats, with few or all starts a heartbeat, launches and setups. Some have
// other nodes, slower or faster, of the same class or of another.
inline World some_world() {
  World world;
  std::string mode;
  if (*rc::gen::arbitrary<bool>())
    mode = fmt::format("heartbeat_ms = {}\nmaps_per_heartbeat = {}\nreduces_per_heartbeat = {}\n",
                       *rc::gen::element(1, 3, 7, 20), *rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3));
  if (*rc::gen::inRange(0, 3) == 0) mode += fmt::format("launch_ms = {}\n", *rc::gen::inRange(0, 9));
  world.cluster = nodes(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 3), mode);
  if (*rc::gen::inRange(0, 3) == 0) {
    NodeGroup other = world.cluster.nodes.front();
    if (*rc::gen::arbitrary<bool>()) other.node_class = "other";
    other.speed = *rc::gen::element(0.5, 2.0);
    other.hosts.clear();
    world.cluster.nodes.push_back(other);
  }
  if (*rc::gen::inRange(0, 4) == 0) {
    world.cluster.masters.start = ms(*rc::gen::inRange(0, 9));
    world.cluster.masters.finish = ms(*rc::gen::inRange(0, 9));
  }
  const int tightness = *rc::gen::element(60, 150, 400);
  const int pace = *rc::gen::element(1, 10, 40);
  std::int64_t at = 0;
  for (int i = *rc::gen::inRange(2, 14); i > 0; --i) {
    at += *rc::gen::inRange(0, pace);
    world.workload.jobs.push_back(a_job(fmt::format("J{}", i), at, at + *rc::gen::inRange(10, tightness),
                                        some_lengths(9), some_lengths(5)));
    Job& job = world.workload.jobs.back();
    add_shuffles(job, [](int low, int high) { return *rc::gen::inRange(low, high); });
    if (*rc::gen::inRange(0, 6) == 0) job.deadline.reset();
  }
  return world;
}

// Its blocks have places, and a map of 20 ms far from its block takes longer.
inline World some_world_with_blocks() {
  World world = some_world();
  world.cluster.reads = {Reads::Kind::slowdown, *rc::gen::element(1.0, 1.15), *rc::gen::element(1.6, 3.7)};
  world.cluster.hdfs.replication = *rc::gen::inRange(1, 3);
  for (Job& job : world.workload.jobs) std::fill(job.maps.begin(), job.maps.end(), ms(20));
  return world;
}

// Jobs of runs under promising policies.
struct Promised {
  int accepted = 0, rejected = 0, with_heartbeats = 0;

  // Asserts that each accepted job with a deadline is in time.
  void expect_in_time(const World& world, const SimulationResult& result) {
    for (std::size_t i = 0; i < result.jobs.size(); ++i) {
      const JobOutcome& job = result.jobs[i];
      ++(job.rejected ? rejected : accepted);
      if (job.rejected || !world.workload.jobs[i].deadline) continue;
      if (world.cluster.mode.heartbeat > Duration{}) ++with_heartbeats;
      RC_LOG() << "job " << i << " ends at " << to_ms(job.finish) << "\n";
      RC_ASSERT(job.finish <= *world.workload.jobs[i].deadline);
    }
  }
};

}  // namespace wavewright::realtime_worlds
