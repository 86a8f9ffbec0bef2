// What a batch runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

// A flat pool: interchangeable map slots and interchangeable reduce slots. Not negative.
struct SlotPool {
  Count map_slots = 0;
  Count reduce_slots = 0;

  friend bool operator==(const SlotPool&, const SlotPool&) = default;
};

inline constexpr Count most_nodes = 10'000'000;  // of a cluster

// What a machine costs from an instant on, until the next such price.
struct SpotPrice {
  Time from{};
  double price_per_hour = 0;  // USD

  friend bool operator==(const SpotPrice&, const SpotPrice&) = default;
};

// How rented machines are paid: each started second, or each started hour.
enum class Billing : std::uint8_t { per_second, per_started_hour };

// A row of `[[nodes]]`: `count` equal machines.
struct NodeGroup {
  Count count = 1;
  std::vector<std::string> hosts;  // their names, as a job's splits give them; empty = node1, node2, …
  std::string node_class = "default";
  std::string rack = "/default-rack";
  SlotPool slots;           // per node, mode "slots"
  Bytes memory;             // per node, mode "containers"
  Count vcores = 0;         // likewise
  double speed = 1;         // task durations are divided by it
  double task_failure = 0;  // probability that an attempt fails here, besides Faults'
  double power_idle_w = 0;
  double power_busy_w = 0;
  double price_per_hour = 0;    // USD; until the first spot price
  Time join{};                  // when the machines come
  std::optional<Time> leave;    // when they go; none = never
  std::vector<SpotPrice> spot;  // in order of time
  std::optional<double> bid;    // USD an hour: while the price is above, the machines are taken away
  // Machines that are there only while a policy rents them; `count` of them at most at once.
  bool rent = false;
  Duration boot{};  // from the request until the machine joins
  Billing billing = Billing::per_second;
};

// A queue of YARN's scheduler. Shares are percent of the parent's, as Hadoop writes them.
struct Queue {
  std::string name;      // its path without `root.`, such as `prod.etl`; a parent stands before its children
  double weight = 1;     // of the Fair scheduler: its part among its siblings
  SlotPool minimum{};    // of the Fair scheduler: what it gets first, when it asks
  double capacity = 0;   // guaranteed
  double maximum = 100;  // with what others leave idle
  double minimum_user_limit = 100;  // least share of the queue for each of its users, when many ask
  double user_limit_factor = 1;     // most that one user may have, in multiples of the queue's capacity
  double maximum_masters = 100;     // most of what the queue may have that application masters get
};

// What one container may ask for, mode "containers"; absent = no limit known.
struct ContainerLimits {
  std::optional<Bytes> min_memory;  // and the step in which memory is given out: requests are rounded up
  std::optional<Bytes> max_memory;
  std::optional<Count> min_vcores;
  std::optional<Count> max_vcores;
};

// What one task or application master asks for.
struct ContainerRequest {
  Bytes memory{1024LL << 20};
  Count vcores = 1;
};

// Mode "containers": what jobs ask for that say nothing themselves, and how it is given out.
struct Containers {
  ContainerRequest master{Bytes{1536LL << 20}, 1};
  ContainerRequest map;
  ContainerRequest reduce;
  bool count_vcores = false;  // a node's vcores limit its containers too (YARN's DominantResourceCalculator)
  Count per_heartbeat = 0;    // most that a node is given at once; 0 = as many as fit
  Count off_switch_per_heartbeat = 0;  // of these, those that are near no block; 0 = all
};

// A job's application master; with slots the JobTracker, of which only start and finish count.
struct Masters {
  Duration start{};   // from its container's launch to its first request, or until tasks may start: setup
  Duration finish{};  // from the job's last task to its end: commit
  Duration stop{};    // from the job's end to that of the master's container
  Duration heartbeat{ms(1000)};  // how often it asks for containers and fetches those it got; above 0
  double ramp_up = 0.5;          // most of a job's memory that reduces get while maps wait for some, 0 to 1
  // Is told of free vcores besides memory and reckons with both, whether they limit or not: under YARN's Fair
  // scheduler, and with its DominantResourceCalculator.
  bool see_vcores = false;
};

struct Hdfs {
  int replication = 3;
  Bytes block{128LL << 20};
  double skew = 0;  // node k (from 1) writes blocks as often as k^-skew says; 0 = all alike
};

// What it costs a map that its input lies elsewhere.
struct Reads {
  enum class Kind {
    anywhere,  // nothing: no places are told apart
    slowdown,  // the map's duration is multiplied
    network,   // its block comes over the network while it works; it ends when both are done
  };
  Kind kind = Kind::anywhere;
  double rack = 1;      // factor where the block lies in the rack only; from 1
  double off_rack = 1;  // where it does not; from `rack`
};

// What carries blocks and shuffles between nodes; shared alike by those that use it at a time.
struct Network {
  double card_mbps = 1000;  // of each node's card, each way, million bits a second; above 0
  double uplink_mbps = 0;   // of each rack's, each way; 0 = no limit
  bool shuffle = false;     // a job's shuffled bytes go over it; else shuffles are durations
  Count rounds = 10;        // a reduce fetches its part in so many, as maps end; from 1
  Duration overhead{};      // from what a reduce fetched last to its work: it merges, and had to be told
};

// What goes wrong with task attempts.
struct Faults {
  double task_failure = 0;        // probability that an attempt fails, wherever it runs
  Count max_attempts = 4;         // failures of one task after which its job fails
  double straggler = 0;           // probability that an attempt is slow
  double straggler_slowdown = 1;  // its work then takes so many times as long; from 1
  Count blacklist_after = 0;      // failures of a job on a node after which it runs there no more; 0 = never
};

// A node that is away.
struct Outage {
  std::string node;  // by name
  Time from{};
  std::optional<Time> to;  // none = for good
};

// Launches of containers and JVMs that wait for processors: of k at once on c processors each goes on at
// min(1, c / k) of its speed.
struct Launches {
  Duration work{};         // processor time of one
  Duration master_work{};  // of an application master's
  Count processors = 0;    // 0 = every launch has its own
  bool of_node = true;     // each node has so many; else all nodes share them, as those of a test bed do
};

enum class SpeculationRule { hadoop, late };

struct ClusterMode {
  enum class Kind { slots, containers };
  Kind kind = Kind::slots;
  Duration heartbeat{};          // 0 = assignment at the instant a slot becomes free
  bool out_of_band = false;      // a node also reports at the instant a task ends
  Count maps_per_heartbeat = 0;  // most that a node is given at once; 0 = as many as it has slots
  Count reduces_per_heartbeat = 0;
  Duration launch{};         // from assignment to the task's first work, or to the work of Launches
  double slowstart = 1.0;    // share of a job's maps that must be done before its reduces may start
  bool speculation = false;  // second attempts of slow tasks
  SpeculationRule rule = SpeculationRule::hadoop;  // which tasks those are
  Duration speculation_after = ms(60'000);         // an attempt's age before it is doubled
  Duration speculation_check = ms(5'000);          // how often they are looked for
};

struct Cluster {
  std::vector<NodeGroup> nodes;
  std::vector<Queue> queues;  // empty = one queue for all
  ContainerLimits limits;
  Launches launches;
  Containers containers;
  Masters masters;
  Hdfs hdfs;
  Reads reads;
  Network network;
  Faults faults;
  std::vector<Outage> outages;
  ClusterMode mode;

  [[nodiscard]] SlotPool total_slots() const;
  [[nodiscard]] Bytes total_memory() const;  // for containers; 0 with slots
};

// A cluster of one node that holds the whole pool.
[[nodiscard]] Cluster flat_cluster(SlotPool pool);

}  // namespace wavewright
