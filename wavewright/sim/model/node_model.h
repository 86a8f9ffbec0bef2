// A cluster of nodes, resolved for the engines: slots by node, durations on each node, heartbeats. The fast
// and the reference engine both read it; it takes no decisions.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "wavewright/cluster/block_placement.h"
#include "wavewright/cluster/power.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/factor.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/model/blocks.h"
#include "wavewright/sim/model/estimate.h"
#include "wavewright/sim/model/fate.h"
#include "wavewright/sim/model/network_model.h"
#include "wavewright/sim/model/ramp_up.h"

namespace wavewright::sim {

using wavewright::Factor;
using wavewright::scaled;
using wavewright::unit_factor;

struct NodeModel {
  // Throws InputError if a factor is out of range or an outage names an unknown node, Infeasible if a
  // container fits no node or exceeds the limit. O(nodes + tasks + jobs · node rows).
  NodeModel(const Workload& workload, const Cluster& of, std::uint64_t seed_of_blocks, bool preempts);
  NodeModel(const NodeModel&) = delete;
  NodeModel& operator=(const NodeModel&) = delete;

  Cluster cluster;
  PowerModel power;
  Topology topology;
  BlockPlacement placement;
  std::unordered_map<std::string, NodeIndex> node_of;                   // by host name
  std::uint64_t seed;                                                   // of block places and drawn outcomes
  std::vector<Factor> group_factor;                                     // by row of Cluster::nodes: 1 / speed
  Factor locality_factor[3] = {unit_factor, unit_factor, unit_factor};  // by Locality
  bool places = false;                // maps have block places, given or drawn
  std::vector<double> group_failure;  // by row of Cluster::nodes: probability that an attempt fails
  Factor straggler_factor = unit_factor;
  bool draws_fates = false;  // attempts may fail or straggle
  // A task may have more than one attempt: failures, outages, preemption, speculation.
  bool retries = false;
  // A job with something to start may refuse a node: blacklists, speculation.
  bool refuses_nodes = false;

  // With containers: the size of a container or of a node, in MiB and vcores (0 if they do not count).
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
  // Data-parallel node classes (ClassSpeed::parallelism): by row of Cluster::nodes, the most tasks of a kind
  // that any job may run together on one slot or in one container; 1 if no job shares.
  std::vector<std::uint32_t> most_sharing[3];  // by Kind
  // Tasks of the job that share one slot or container of the node.
  [[nodiscard]] std::uint32_t sharing(const Job& job, NodeIndex node) const {
    if (job.classes.empty()) return 1;
    const auto found = job.classes.find(cluster.nodes[topology.group[node]].node_class);
    return found == job.classes.end() ? 1 : static_cast<std::uint32_t>(found->second.parallelism);
  }
  // Places for tasks on one slot of the node.
  [[nodiscard]] std::uint32_t places_of_slot(NodeIndex node, Kind kind) const {
    return most_sharing[static_cast<std::size_t>(kind)][topology.group[node]];
  }
  std::uint64_t spread = 0;  // ms: an attempt's end, or its report, is never known longer in advance
  // Smallest allocation: MiB with containers, one slot with slots.
  [[nodiscard]] Count minimum_allocation() const;
  // With containers, MiB. If no limit says it, the memory of the largest node. O(rows).
  [[nodiscard]] Count maximum_allocation() const;
  // With containers: a node with less free memory, MiB, is not looked at. For YARN's Capacity scheduler the
  // smallest allocation, if a limit says it; else the smallest container of all jobs.
  [[nodiscard]] Count least_to_offer(bool by_capacity) const;
  // Resources of one node of the group, counted as in View::capacity.
  [[nodiscard]] Resources resources_of(const NodeGroup& group) const {
    if (containers) return {group.memory.count >> 20, group.memory.count >> 20};
    return {group.slots.map_slots, group.slots.reduce_slots};
  }
  [[nodiscard]] Room room_of(NodeIndex node) const;  // of an empty node
  [[nodiscard]] Room request(const Job& job, Kind kind) const;
  // As View::tasks_on_node.
  [[nodiscard]] Count tasks_on_node(const Job& job, Kind kind, ClassId node_class) const;
  [[nodiscard]] Count cores_of(Kind kind) const {  // of a container, even if they do not count
    const Containers& asked = cluster.containers;
    return (kind == Kind::master ? asked.master : kind == Kind::map ? asked.map : asked.reduce).vcores;
  }
  // The cores that masters see; none if they do not see cores.
  [[nodiscard]] std::optional<RampUp::Cores> cores_seen(Count free) const {
    if (!cluster.masters.see_vcores) return std::nullopt;
    return RampUp::Cores{cores_of(Kind::map), cores_of(Kind::reduce), std::max<Count>(0, free)};
  }
  [[nodiscard]] Count cores_on(NodeIndex node) const { return cluster.nodes[topology.group[node]].vcores; }
  Count smallest[3] = {0, 0, 0};  // MiB of the smallest container of each kind; by Kind

  bool rents = false;  // some machines are present only while a policy rents them
  // Outages and stays of the cluster's file: by time, leaving nodes before joining ones, then by node.
  struct Change {
    std::uint64_t at = 0;
    bool up = false;
    NodeIndex node = 0;
    friend auto operator<=>(const Change&, const Change&) = default;
  };
  std::vector<Change> changes;

  // With containers: the most of the kind that the node can hold.
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
  // The most tasks of a kind that a node gets at one heartbeat.
  [[nodiscard]] Count per_heartbeat(Kind kind) const {
    const Count most =
        kind == Kind::map ? cluster.mode.maps_per_heartbeat : cluster.mode.reduces_per_heartbeat;
    return most == 0 || period() == 0 ? std::numeric_limits<Count>::max() : most;
  }

  // How long an attempt lasts, and whether it then fails. `work`: its duration without bad luck, ms; `job`:
  // hash_of the job's id; `own_failure`: the job's own failure rate.
  struct DrawnOutcome {
    std::uint64_t work = 0;
    std::uint64_t full = 0;  // duration if it did not fail
    bool fails = false;
  };
  [[nodiscard]] DrawnOutcome outcome(std::uint64_t work, std::uint64_t job, double own_failure, Kind kind,
                                     std::uint32_t task, std::uint32_t attempt, NodeIndex node) const;
  // Launches share processors, by node or all together, and so does the work of tasks that keep one busy.
  [[nodiscard]] bool shares_work(const Job& job) const {
    return cluster.launches.processors > 0 && job.processor_bound;
  }
  [[nodiscard]] bool shares_launches(Kind kind) const {
    return cluster.launches.processors > 0 && launch_work(kind) > 0;
  }
  // As View::class_label and has_own_entry.
  [[nodiscard]] std::string_view class_label(ClassId node_class) const {
    const auto found = cluster.classes.find(topology.classes.at(node_class));
    return found == cluster.classes.end() ? std::string_view() : found->second.label;
  }
  [[nodiscard]] bool has_own_entry(const Job& job, ClassId node_class) const {
    return job.classes.contains(topology.classes.at(node_class));
  }
  [[nodiscard]] std::size_t launch_pools() const { return cluster.launches.of_node ? topology.size() : 1; }
  [[nodiscard]] std::size_t launch_pool(NodeIndex node) const { return cluster.launches.of_node ? node : 0; }
  // With slots: time from a job's submission (or its predecessors' end) until its tasks may start; with
  // containers the master takes that time. `commit`: time from a job's last task to its end.
  [[nodiscard]] Duration setup() const { return containers ? Duration{} : cluster.masters.start; }
  [[nodiscard]] Duration commit() const { return cluster.masters.finish; }
  // Work of a launch, ms, without Masters::start.
  [[nodiscard]] std::uint64_t launch_work(Kind kind) const {
    return static_cast<std::uint64_t>(
        to_ms(kind == Kind::master ? cluster.launches.master_work : cluster.launches.work));
  }
  // Processor time that a job's client takes of the processors that all nodes share, ms.
  [[nodiscard]] std::uint64_t submit_work() const {
    const Launches& launches = cluster.launches;
    return launches.processors > 0 && !launches.of_node
               ? static_cast<std::uint64_t>(to_ms(launches.submit_work))
               : 0;
  }
  // LATE: second attempts allowed beside `seconds`. In all a tenth of the slots, at least one.
  [[nodiscard]] static std::size_t most_seconds(std::size_t slots, std::size_t seconds) {
    const std::size_t most = slots < 10 ? 1 : slots / 10;
    return seconds < most ? most - seconds : 0;
  }
  // Most nodes that one job may blacklist: a quarter of those with map slots or of those with reduce slots,
  // whichever is less, so that some always remain.
  std::size_t most_blacklisted = 0;

  // An estimate on a class: the mean on its first row of nodes, the maximum on its slowest row with slots of
  // the kind, whether its nodes are there or not. `factors`: by row of Cluster::nodes. O(rows).
  [[nodiscard]] Estimate on_class(const NominalEstimate& nominal, Kind kind, ClassId node_class,
                                  const std::vector<Factor>& factors) const;
  // The q-quantile of the job's tasks on that slowest row, reduces with the longer of their shuffles.
  // O(tasks + rows).
  [[nodiscard]] Duration quantile_on(const Job& known, Kind kind, ClassId node_class,
                                     const std::vector<Factor>& factors, double q) const;

  // Factors by row of Cluster::nodes: a job's own speed on a class replaces the machines' speed.
  [[nodiscard]] std::vector<Factor> factors_of(const Job& job) const;

  // The nodes that hold each map's block: from the job's splits, by host name; drawn, with a random stream
  // per job, if a split names no host of this cluster. Empty if maps have no block places. `memory`: old
  // blocks to reuse.
  [[nodiscard]] Blocks blocks_of(const Job& job, Blocks memory = {}) const;

 private:
  void read_outages();
  void read_absences(NodeIndex node);
  void read_requests(const Workload& workload);
  void read_sharing(const Workload& workload);
  [[nodiscard]] std::uint64_t spread_of(const Workload& workload) const;
  [[nodiscard]] Factor slowest(Kind kind, ClassId node_class, const std::vector<Factor>& factors) const;
  void add_hosts(const std::vector<std::string>& hosts, std::vector<NodeIndex>& nodes) const;
};

// Instants of heartbeats: node n of N at ⌊n·period / N⌋ and every period after.
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
  // The first node whose phase is at least `phase`; `nodes` if there is none.
  [[nodiscard]] std::uint64_t first_from(std::uint64_t phase) const {
    return (phase * nodes + period - 1) / period;
  }
};

}  // namespace wavewright::sim
