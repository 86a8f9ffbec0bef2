// What a simulated cluster of nodes does, resolved for the engines: slots by node, durations as they become
// there, heartbeats. Both engines read it; neither decides anything here.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/cluster/block_placement.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/model/blocks.h"
#include "wavewright/sim/model/fate.h"
#include "wavewright/sim/model/network_model.h"
#include "wavewright/sim/model/ramp_up.h"

namespace wavewright::sim {

// A factor on a duration in parts of 2^20.
using Factor = std::uint64_t;
inline constexpr Factor unit_factor = Factor{1} << 20;

// Rounded to the nearest ms, halves up.
[[nodiscard]] inline std::uint64_t scaled(std::uint64_t duration_ms, Factor factor) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{duration_ms} * factor + unit_factor / 2) >> 20);
}

struct NodeModel {
  // Throws InputError where a factor is out of range or a container fits no node. O(nodes + jobs).
  NodeModel(const Workload& workload, const Cluster& of, std::uint64_t seed_of_blocks, bool preempts);
  NodeModel(const NodeModel&) = delete;
  NodeModel& operator=(const NodeModel&) = delete;

  Cluster cluster;
  Topology topology;
  BlockPlacement placement;
  std::unordered_map<std::string, NodeIndex> node_of;                   // by host name
  std::uint64_t seed;                                                   // of the blocks' places
  std::vector<Factor> group_factor;                                     // by row of Cluster::nodes: 1 / speed
  Factor locality_factor[3] = {unit_factor, unit_factor, unit_factor};  // by Locality
  bool places = false;                                                  // maps have places, given or drawn
  std::vector<double> group_failure;  // by row of Cluster::nodes: an attempt's probability to fail there
  Factor straggler_factor = unit_factor;
  bool draws_fates = false;  // attempts may fail or straggle
  // A task may have more than one attempt: failures, outages, preemption, speculation.
  bool retries = false;
  // A node may be refused by a job that has something to start: blacklists, speculation.
  bool refuses_nodes = false;

  // Mode "containers": what a container takes and a node has, in MiB and vcores (0 where they do not count).
  struct Room {
    Count memory = 0;
    Count vcores = 0;

    [[nodiscard]] bool holds(const Room& other) const {
      return memory >= other.memory && vcores >= other.vcores;
    }
    Room& operator+=(const Room& other) {
      memory += other.memory;
      vcores += other.vcores;
      return *this;
    }
    Room& operator-=(const Room& other) {
      memory -= other.memory;
      vcores -= other.vcores;
      return *this;
    }
  };
  bool containers = false;
  NetworkModel network;
  // Data-parallel node classes (ClassSpeed::parallelism): by row of Cluster::nodes, most tasks of a kind that
  // any job may have at work together on one slot there, or in one container; 1 where none shares.
  std::vector<std::uint32_t> most_sharing[3];  // by Kind
  // Tasks of the job that one slot or container of the node takes together.
  [[nodiscard]] std::uint32_t sharing(const Job& job, NodeIndex node) const {
    if (job.classes.empty()) return 1;
    const auto found = job.classes.find(cluster.nodes[topology.group[node]].node_class);
    return found == job.classes.end() ? 1 : static_cast<std::uint32_t>(found->second.parallelism);
  }
  // Places for tasks on one slot of the node.
  [[nodiscard]] std::uint32_t places_of_slot(NodeIndex node, Kind kind) const {
    return most_sharing[static_cast<std::size_t>(kind)][topology.group[node]];
  }
  std::uint64_t spread = 0;  // ms: no attempt's end, and no report of it, is known longer beforehand
  // The least memory that is given out, MiB; with slots one slot.
  [[nodiscard]] Count minimum_allocation() const;
  // Of one node of the group, as View::capacity counts them.
  [[nodiscard]] Resources resources_of(const NodeGroup& group) const {
    if (containers) return {group.memory.count >> 20, group.memory.count >> 20};
    return {group.slots.map_slots, group.slots.reduce_slots};
  }
  [[nodiscard]] Room room_of(NodeIndex node) const;  // of an empty node
  [[nodiscard]] Room request(const Job& job, Kind kind) const;
  [[nodiscard]] Count cores_of(Kind kind) const {  // that a container takes, whether they limit or not
    const Containers& asked = cluster.containers;
    return (kind == Kind::master ? asked.master : kind == Kind::map ? asked.map : asked.reduce).vcores;
  }
  // What masters see of so many free cores.
  [[nodiscard]] std::optional<RampUp::Cores> cores_seen(Count free) const {
    if (!cluster.masters.see_vcores) return std::nullopt;
    return RampUp::Cores{cores_of(Kind::map), cores_of(Kind::reduce), std::max<Count>(0, free)};
  }
  [[nodiscard]] Count cores_on(NodeIndex node) const { return cluster.nodes[topology.group[node]].vcores; }
  Count smallest[3] = {0, 0, 0};  // memory that some container of the kind asks for at least; by Kind

  bool rents = false;  // some machines are there only while a policy rents them
  // Outages and stays of the cluster's file, in order of time, then of node; nodes that go first.
  struct Change {
    std::uint64_t at = 0;
    bool up = false;
    NodeIndex node = 0;
    friend auto operator<=>(const Change&, const Change&) = default;
  };
  std::vector<Change> changes;

  // With containers: numbers for as many as the node may ever hold.
  [[nodiscard]] Count slots(NodeIndex node, Kind kind) const {
    if (containers) return room_of(node).memory / smallest[static_cast<std::size_t>(kind)];
    const SlotPool& pool = cluster.nodes[topology.group[node]].slots;
    return kind == Kind::map ? pool.map_slots : kind == Kind::reduce ? pool.reduce_slots : 0;
  }
  [[nodiscard]] std::uint64_t period() const {
    return static_cast<std::uint64_t>(to_ms(cluster.mode.heartbeat));
  }
  [[nodiscard]] std::uint64_t launch() const {
    return static_cast<std::uint64_t>(to_ms(cluster.mode.launch));
  }
  // Most tasks of a kind that one heartbeat gives a node.
  [[nodiscard]] Count per_heartbeat(Kind kind) const {
    const Count most =
        kind == Kind::map ? cluster.mode.maps_per_heartbeat : cluster.mode.reduces_per_heartbeat;
    return most == 0 || period() == 0 ? std::numeric_limits<Count>::max() : most;
  }

  // `job` is hash_of its id, `own_failure` its own rate. `work` is what the attempt would take on a good day:
  // what it takes, and whether it then fails.
  struct DrawnOutcome {
    std::uint64_t work = 0;
    std::uint64_t full = 0;  // what it would take if it did not fail
    bool fails = false;
  };
  [[nodiscard]] DrawnOutcome outcome(std::uint64_t work, std::uint64_t job, double own_failure, Kind kind,
                                     std::uint32_t task, std::uint32_t attempt, NodeIndex node) const;
  // Launches that share processors: whether there are such, how many pools of them, and a node's.
  // Where launches share processors, the work of tasks that keep one busy shares them too.
  [[nodiscard]] bool shares_work(const Job& job) const {
    return cluster.launches.processors > 0 && job.processor_bound;
  }
  [[nodiscard]] bool shares_launches(Kind kind) const {
    return cluster.launches.processors > 0 && launch_work(kind) > 0;
  }
  [[nodiscard]] std::size_t launch_pools() const { return cluster.launches.of_node ? topology.size() : 1; }
  [[nodiscard]] std::size_t launch_pool(NodeIndex node) const { return cluster.launches.of_node ? node : 0; }
  // From a job's submission (or its predecessors' end) until its tasks may start, with slots; with containers
  // its master takes that time. From its last task to its end.
  [[nodiscard]] Duration setup() const { return containers ? Duration{} : cluster.masters.start; }
  [[nodiscard]] Duration commit() const { return cluster.masters.finish; }
  // A launch's work, ms, before what Masters::start adds.
  [[nodiscard]] std::uint64_t launch_work(Kind kind) const {
    return static_cast<std::uint64_t>(
        to_ms(kind == Kind::master ? cluster.launches.master_work : cluster.launches.work));
  }
  // Second attempts that there may be besides `seconds`: with LATE a tenth of the slots in all, one at least.
  [[nodiscard]] static std::size_t most_seconds(std::size_t slots, std::size_t seconds) {
    const std::size_t most = slots < 10 ? 1 : slots / 10;
    return seconds < most ? most - seconds : 0;
  }
  // Nodes on which one job may be blacklisted at most: a quarter of those with map slots and of those with
  // reduce slots, so that it always finds some.
  std::size_t most_blacklisted = 0;

  // A nominal estimate on nodes of a class: of those of its first row. `factors`: by row.
  [[nodiscard]] Estimate on_class(const Estimate& nominal, ClassId node_class,
                                  const std::vector<Factor>& factors) const;

  // Factors by row of Cluster::nodes: a job's own speed on a class replaces the machines' speed.
  [[nodiscard]] std::vector<Factor> factors_of(const Job& job) const;

  // The nodes that hold each map's block: as the job's splits say, by host name; drawn where it names none or
  // no host of this cluster, from a stream of its own for each job. Empty where maps have no places.
  // `memory`: of blocks that are not needed any more.
  [[nodiscard]] Blocks blocks_of(const Job& job, Blocks memory = {}) const;

 private:
  void read_outages();
  void read_absences(NodeIndex node);
  void read_requests(const Workload& workload);
  void read_sharing(const Workload& workload);
  [[nodiscard]] std::uint64_t spread_of(const Workload& workload) const;
  void add_hosts(const std::vector<std::string>& hosts, std::vector<NodeIndex>& nodes) const;
};

// The instants at which nodes report: node n of N at ⌊n·period / N⌋ and every period after.
struct Heartbeats {
  std::uint64_t period = 0;  // 0 = at every instant
  std::uint64_t nodes = 1;

  [[nodiscard]] std::uint64_t phase(NodeIndex node) const { return node * period / nodes; }
  // The first heartbeat of the node at or after `instant`.
  [[nodiscard]] std::uint64_t at_or_after(NodeIndex node, std::uint64_t instant) const {
    if (period == 0) return instant;
    const std::uint64_t first = phase(node);
    if (instant <= first) return first;
    return first + (instant - first + period - 1) / period * period;
  }
  // The first node whose phase is at least `phase`; `nodes` where there is none.
  [[nodiscard]] std::uint64_t first_from(std::uint64_t phase) const {
    return (phase * nodes + period - 1) / period;
  }
};

}  // namespace wavewright::sim
