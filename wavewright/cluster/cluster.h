// The cluster on which a batch runs: nodes, queues, and the settings of scheduler and simulation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/node_class.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

// A flat pool: interchangeable map slots and interchangeable reduce slots. Not negative.
struct SlotPool {
  Count map_slots = 0;
  Count reduce_slots = 0;

  friend bool operator==(const SlotPool&, const SlotPool&) = default;
};

inline constexpr Count most_nodes = 10'000'000;  // in a cluster

// The spot price of a machine from an instant on.
struct SpotPrice {
  Time from{};
  double price_per_hour = 0;  // USD

  friend bool operator==(const SpotPrice&, const SpotPrice&) = default;
};

// Rented machines are paid for each started second or each started hour.
enum class Billing : std::uint8_t { per_second, per_started_hour };

// Further rules by which a rented machine is paid for.
struct BillingTerms {
  Duration least{};               // a machine that has started is paid for at least so long
  bool boot = false;              // paid from the request on, not only from joining
  bool interrupted_hour = false;  // per started hour: the one that the market cuts short is charged

  friend bool operator==(const BillingTerms&, const BillingTerms&) = default;
};

// A row of `[[nodes]]`: `count` equal machines.
struct NodeGroup {
  Count count = 1;
  std::vector<std::string> hosts;  // host names, as in the splits of jobs; empty = node1, node2, …
  std::string node_class = "default";
  std::string rack = "/default-rack";
  SlotPool slots;           // per node, mode "slots"
  Bytes memory;             // per node, mode "containers"
  Count vcores = 0;         // likewise
  double speed = 1;         // task durations are divided by it
  double task_failure = 0;  // probability that an attempt fails here, in addition to Faults::task_failure
  double power_idle_w = 0;
  double power_busy_w = 0;
  double price_per_hour = 0;    // USD; until the first spot price
  Time join{};                  // the machines join
  std::optional<Time> leave;    // the machines leave; none = never
  std::vector<SpotPrice> spot;  // in order of time
  std::optional<double> bid;    // USD per hour: machines are away while the price is above
  // The machines are present only while a policy rents them; at most `count` at once.
  bool rent = false;
  Duration boot{};    // from the request until the machine joins
  Duration notice{};  // from when the spot price passes the bid until the machine is taken away
  Billing billing = Billing::per_second;
  BillingTerms terms;
};

// A queue of YARN's scheduler. Shares are percent of the parent's share, as in Hadoop.
struct Queue {
  std::string name;      // path without `root.`, such as `prod.etl`; a parent stands before its children
  double weight = 1;     // Fair scheduler: share relative to its siblings
  SlotPool minimum{};    // Fair scheduler: served first, up to its demand; with containers MiB, as map slots
  double capacity = 0;   // guaranteed share
  double maximum = 100;  // limit on the share, including what other queues leave idle
  double minimum_user_limit = 100;  // least share of the queue for each user, if many want some
  double user_limit_factor = 1;     // limit for one user, in multiples of the queue's capacity
  double maximum_masters = 100;     // percent of the queue's maximum that application masters may use
};

// Limits of one container in mode "containers"; absent = no limit known.
struct ContainerLimits {
  std::optional<Bytes> min_memory;  // also the step: requests are rounded up to a multiple
  std::optional<Bytes> max_memory;
  std::optional<Count> min_vcores;
  std::optional<Count> max_vcores;
};

// Request of one task or application master.
struct ContainerRequest {
  Bytes memory{1024LL << 20};
  Count vcores = 1;
};

// Mode "containers": requests of jobs that state none, and rules of allocation.
struct Containers {
  ContainerRequest master{Bytes{1536LL << 20}, 1};
  ContainerRequest map;
  ContainerRequest reduce;
  bool count_vcores = false;           // vcores limit containers, too (YARN's DominantResourceCalculator)
  Count per_heartbeat = 0;             // most containers per node and heartbeat; 0 = as many as fit
  Count off_switch_per_heartbeat = 0;  // of these, most without a block near; 0 = all
};

// A job's application master. With slots it is the JobTracker, and only start and finish count.
struct Masters {
  Duration start{};  // from its container's launch to its first request; slots: until tasks may start (setup)
  Duration finish{};             // from the job's last task to the job's end (commit)
  Duration stop{};               // from the job's end to the end of the master's container
  Duration heartbeat{ms(1000)};  // interval at which it requests and fetches containers; above 0
  double ramp_up = 0.5;          // most of a job's memory for reduces while maps wait, 0 to 1
  // Headroom includes vcores besides memory, whether they limit or not. True for YARN's Fair scheduler and
  // for DominantResourceCalculator.
  bool see_vcores = false;
  // A map request that finds no room for this time has running reduces stopped for it, and one that waits for
  // this time whatever room there seems to be (none = never), while no map of the job runs.
  Duration preempt_delay{};
  std::optional<Duration> unconditional_preempt_delay{ms(300'000)};
};

struct Hdfs {
  int replication = 3;
  Bytes block{128LL << 20};
  double skew = 0;  // node k (from 1) writes blocks with a frequency of k^-skew; 0 = all equal
};

// Cost of reading a map's input from another node.
struct Reads {
  enum class Kind {
    anywhere,  // no cost
    slowdown,  // the map's duration is multiplied by a factor
    network,   // the block is transferred while the map works; the map ends when both are done
  };
  Kind kind = Kind::anywhere;
  double rack = 1;      // factor if the block is in the same rack; from 1
  double off_rack = 1;  // factor if it is not; from `rack`
};

// Carries blocks and shuffles between nodes. Concurrent transfers share bandwidth equally.
struct Network {
  double card_mbps = 1000;  // each node's network card, each direction, 10^6 bit/s; above 0
  double uplink_mbps = 0;   // each rack's uplink, each direction, 10^6 bit/s; 0 = no limit
  bool shuffle = false;     // shuffles are transfers of the job's bytes; else they are durations
  Count rounds = 10;        // a reduce fetches its part in this many rounds, as maps end; from 1
  Duration overhead{};      // from a reduce's last fetch to its work: notification and merge
};

struct Faults {
  double task_failure = 0;        // probability that an attempt fails, on any node
  Count max_attempts = 4;         // a job fails once one of its tasks failed this often
  double straggler = 0;           // probability that an attempt is slow
  double straggler_slowdown = 1;  // factor on the work of a slow attempt; from 1
  // Output of finished maps outlives its node, as on a shuffle service of its own. Else the maps run again
  // while the job has maps to end or reduces to start.
  bool keeps_map_output = false;
  Count blacklist_after = 0;  // failures of a job on a node until it avoids the node; 0 = never
};

struct Outage {
  std::string node;  // by name
  Time from{};
  std::optional<Time> to;  // none = forever
};

// Launches of containers and JVMs share processors: k at once on c processors run at min(1, c/k) speed.
struct Launches {
  Duration work{};         // processor time of a launch
  Duration master_work{};  // processor time of an application master's launch
  Count processors = 0;    // 0 = every launch has its own
  bool of_node = true;     // `processors` per node; else shared by all nodes, as in a test bed on one machine
  Duration submit_work{};  // processor time of submitting a job, if clients share the processors of all nodes
};

enum class SpeculationRule { hadoop, late };

struct ClusterMode {
  enum class Kind { slots, containers };
  Kind kind = Kind::slots;
  Duration heartbeat{};          // 0 = assignment as soon as a slot becomes free
  bool out_of_band = false;      // a node also reports when a task ends
  Count maps_per_heartbeat = 0;  // most per node; 0 = as many as it has slots
  Count reduces_per_heartbeat = 0;
  Duration launch{};         // from assignment to the first work of the task, or of Launches
  double slowstart = 1.0;    // share of a job's maps that must be done before its reduces may start
  bool speculation = false;  // second attempts of slow tasks
  SpeculationRule rule = SpeculationRule::hadoop;  // selects the tasks
  Duration speculation_after = ms(60'000);         // least age of an attempt that gets a second one
  Duration speculation_check = ms(5'000);          // interval of the search for such attempts
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
  std::map<std::string, NodeClass> classes;  // by name; those that the file describes
  std::vector<CarbonIntensity> carbon;       // in order of time; empty = not known

  [[nodiscard]] SlotPool total_slots() const;
  [[nodiscard]] Bytes total_memory() const;  // 0 in mode "slots"
};

// A cluster of one node that holds the whole pool.
[[nodiscard]] Cluster flat_cluster(SlotPool pool);

}  // namespace wavewright
