// Random clusters of YARN and their jobs: busy ones of 480 GiB, and tight ones of few containers. YARN
// finishes each of them.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/random.h"

namespace wavewright::yarn {

template <class Value>
Value one_of(Random& random, std::vector<Value> values) {
  return values[random.below(values.size())];
}

// The seed of a test's first world. It follows the seed of RC_PARAMS, as the cases of holds_always do.
inline std::uint64_t first_world() {
  constexpr std::uint64_t apart = 100'000;
  return (rc::detail::configuration().testParams.seed - 1) * apart;
}

struct World {
  Cluster cluster;
  Workload workload;
  std::uint64_t seed = 0;
};

// Blocks have places, so that locality counts.
inline bool has_places(const Cluster& cluster) {
  return cluster.reads.kind != Reads::Kind::anywhere && cluster.mode.heartbeat > Duration{};
}

// Nodes leave and come back, one after the other; `first` and those before it stay.
inline void some_outages(Random& random, Cluster& cluster, Count first, Count nodes, std::int64_t longest) {
  for (auto outages = random.integer(0, 4); outages > 0 && first < nodes; --outages) {
    const std::int64_t from = random.integer(0, longest);
    cluster.outages.push_back({fmt::format("node{}", random.integer(first + 1, nodes)), at_ms(from), {}});
    if (random.below(4) > 0) cluster.outages.back().to = at_ms(from + random.integer(1, longest));
  }
}

inline void some_racks(Random& random, Cluster& cluster) {
  cluster.reads = {Reads::Kind::slowdown, 1.2, 1.6};
  const NodeGroup group = cluster.nodes.front();
  cluster.nodes.clear();
  for (Count i = 0; i < group.count; ++i) {
    cluster.nodes.push_back(group);
    cluster.nodes.back().count = 1;
    cluster.nodes.back().rack = fmt::format("/r{}", i % 2);
  }
  cluster.hdfs.replication = static_cast<int>(random.integer(1, 3));
}

inline std::vector<Queue> three_queues() {
  return {{.name = "a", .weight = 2, .minimum = {4096, 0}, .capacity = 20},
          {.name = "b", .weight = 3, .capacity = 30},
          {.name = "c", .weight = 5, .capacity = 50}};
}

// 480 GiB on 20 or 10 nodes, three queues, 150 jobs; with some seeds 3 % of the attempts fail, nodes go and
// come, vcores count, blocks have places.
inline Cluster busy_cluster(Random& random) {
  const bool many = random.below(2) == 0;
  Cluster cluster = container_nodes(many ? 20 : 10, many ? 24 * 1024 : 48 * 1024);
  cluster.nodes[0].vcores = 32;
  cluster.mode.heartbeat = ms(one_of<int>(random, {1000, 3000}));
  cluster.mode.out_of_band = random.below(2) == 0;
  cluster.mode.launch = ms(1500);
  cluster.mode.slowstart = one_of<double>(random, {0.05, 0.5, 0.8});
  cluster.containers.master.memory = mib(one_of<Count>(random, {1536, 2048}));
  cluster.containers.map.memory = mib(one_of<Count>(random, {1024, 1536, 2048, 3072}));
  cluster.containers.reduce.memory = mib(one_of<Count>(random, {1024, 2048, 3072, 4096, 6144}));
  cluster.containers.count_vcores = random.below(3) == 0;
  cluster.masters = {.start = ms(3000), .finish = ms(500), .stop = ms(500), .heartbeat = ms(1000)};
  if (random.below(4) > 0) cluster.limits.min_memory = mib(one_of<Count>(random, {512, 1024}));
  cluster.faults.task_failure = one_of<double>(random, {0.0, 0.03});
  cluster.queues = three_queues();
  const Count nodes = cluster.nodes[0].count;
  if (random.below(3) == 0) some_racks(random, cluster);
  if (random.below(3) == 0) some_outages(random, cluster, nodes / 2, nodes, 900'000);
  return cluster;
}

inline Workload busy_workload(Random& random) {
  Workload workload;
  const double gap = one_of<double>(random, {1.0, 300.0, 1500.0, 4000.0});
  double submit = 0;
  for (int index = 0; index < 150; ++index) {
    submit += random.exponential(gap);
    Job job = job_of(("J" + std::to_string(index)).c_str(), {}, {}, static_cast<int>(submit));
    job.queue = one_of<std::string>(random, {"a", "b", "c"});
    job.user = one_of<std::string>(random, {"ann", "bob"});
    const auto maps = random.integer(1, 60);
    const auto reduces = one_of<std::int64_t>(random, {0, random.integer(1, 25), random.integer(1, 5)});
    for (std::int64_t map = 0; map < maps; ++map) job.maps.push_back(ms(random.integer(3000, 60'000)));
    for (std::int64_t reduce = 0; reduce < reduces; ++reduce)
      job.reduces.push_back(ms(random.integer(3000, 90'000)));
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

inline World busy_world(std::uint64_t seed) {
  Random random(seed, "busy");
  World world{busy_cluster(random), {}, seed};
  world.workload = busy_workload(random);
  return world;
}

// So many masters may stand anywhere, and some staying node still has room for a map, or for a reduce.
inline Count masters_at_most(const Cluster& cluster, Count staying) {
  const Containers& asked = cluster.containers;
  const auto units = [](Bytes memory) { return (memory.count + (512 << 20) - 1) / (512 << 20); };
  const auto left = [](Count of, Count task, Count master) { return of < task ? -1 : (of - task) / master; };
  const NodeGroup& node = cluster.nodes.front();
  Count room = left(units(node.memory), std::max(units(asked.map.memory), units(asked.reduce.memory)),
                    units(asked.master.memory));
  if (asked.count_vcores) {
    const Count task = std::max(asked.map.vcores, asked.reduce.vcores);
    room = std::min(room, left(node.vcores, task, asked.master.vcores));
  }
  return staying * (room + 1) - 1;
}

// 2 to 6 equal nodes of 2 to 5 GiB. `unit`: ms; a task takes up to 100 units. Each node holds a master and a
// task, and there are so few jobs that their masters always leave room for a task.
inline World tight_world(std::uint64_t seed, std::int64_t unit) {
  Random random(seed, "tight");
  const Count nodes = random.integer(2, 6), staying = random.integer(1, nodes);
  const auto units = [&](std::vector<std::int64_t> values) { return ms(unit * one_of(random, values)); };
  const auto memory = [&](Count least, Count most) { return mib(512 * random.integer(least, most)); };
  World world{container_nodes(nodes, 512 * random.integer(4, 10)), {}, seed};
  Cluster& cluster = world.cluster;
  cluster.nodes[0].vcores = random.integer(4, 8);
  cluster.mode.heartbeat = units({0, 1, 3});
  cluster.mode.out_of_band = random.below(2) == 0;
  cluster.mode.launch = units({0, 1, 2});
  cluster.mode.slowstart = one_of<double>(random, {0.0, 0.05, 0.5, 1.0});
  cluster.containers.master = {memory(1, 2), random.integer(1, 2)};
  cluster.containers.map = {memory(1, 2), random.integer(1, 2)};
  cluster.containers.reduce = {memory(1, 2), random.integer(1, 2)};
  cluster.containers.count_vcores = random.below(3) == 0;
  cluster.limits.min_memory = mib(512);
  cluster.masters.start = units({0, 3});
  cluster.masters.finish = units({0, 1});
  cluster.masters.stop = units({0, 1});
  cluster.masters.heartbeat = units({1, 1, 2});
  cluster.masters.ramp_up = one_of<double>(random, {0.5, 0.5, 0.0, 1.0});
  cluster.masters.see_vcores = random.below(2) == 0;
  cluster.masters.preempt_delay = units({0, 10});
  cluster.masters.unconditional_preempt_delay = units({30, 300});
  cluster.faults.task_failure = one_of<double>(random, {0.0, 0.03, 0.2});
  const Count most = masters_at_most(cluster, staying);
  if (random.below(3) == 0) some_racks(random, cluster);
  if (random.below(2) == 0) some_outages(random, cluster, staying, nodes, 200 * unit);
  if (random.below(2) == 0) {
    cluster.queues = three_queues();
    for (Queue& queue : cluster.queues) queue.user_limit_factor = 10;  // else masters of one user fill it
  }
  for (Count index = random.integer(1, std::min<Count>(most, 8)); index > 0; --index) {
    Job job =
        job_of(fmt::format("J{}", index).c_str(), {}, {}, static_cast<int>(random.integer(0, 60) * unit));
    job.queue = one_of<std::string>(random, {"a", "b", "c"});
    job.maps.resize(static_cast<std::size_t>(random.integer(0, 12)));
    job.reduces.resize(static_cast<std::size_t>(random.integer(0, 6)));
    for (auto* lengths : {&job.maps, &job.reduces}) {
      for (Duration& length : *lengths)
        length = ms(unit * random.integer(0, random.below(4) == 0 ? 100 : 10));
    }
    if (random.below(3) == 0) job.first_shuffles.assign(job.reduces.size(), ms(unit * random.integer(0, 5)));
    if (random.below(3) == 0) job.shuffles.assign(job.reduces.size(), ms(unit * random.integer(0, 5)));
    if (!world.workload.jobs.empty() && random.below(5) == 0)
      job.after.push_back(world.workload.jobs[random.below(world.workload.jobs.size())].id);
    world.workload.jobs.push_back(std::move(job));
  }
  return world;
}

}  // namespace wavewright::yarn
