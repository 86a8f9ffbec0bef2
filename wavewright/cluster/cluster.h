// What a batch runs on.
#pragma once

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

// A row of `[[nodes]]`: `count` equal machines.
struct NodeGroup {
  Count count = 1;
  std::string node_class = "default";
  std::string rack = "/default-rack";
  SlotPool slots;    // per node, mode "slots"
  Bytes memory;      // per node, mode "containers"
  Count vcores = 0;  // per node, mode "containers"
  double speed = 1;  // task durations are divided by it
  double power_idle_w = 0;
  double power_busy_w = 0;
  double price_per_hour = 0;  // USD
};

// A queue of YARN's scheduler. Shares are percent of the parent's, as Hadoop writes them.
struct Queue {
  std::string name;      // its path without `root.`, such as `prod.etl`; a parent stands before its children
  double capacity = 0;   // guaranteed
  double maximum = 100;  // with what others leave idle
  double minimum_user_limit = 100;  // least share of the queue for each of its users, when many ask
  double user_limit_factor = 1;     // most that one user may have, in multiples of the queue's capacity
};

// What one container may ask for, mode "containers"; absent = no limit known.
struct ContainerLimits {
  std::optional<Bytes> min_memory;  // and the step in which memory is given out
  std::optional<Bytes> max_memory;
  std::optional<Count> min_vcores;
  std::optional<Count> max_vcores;
};

struct Hdfs {
  int replication = 3;
  Bytes block{128LL << 20};
};

struct ClusterMode {
  enum class Kind { slots, containers };
  Kind kind = Kind::slots;
  Duration heartbeat{};    // 0 = assignment at the instant a slot becomes free
  double slowstart = 1.0;  // share of a job's maps that must be done before its reduces may start
  bool speculation = false;
};

struct Cluster {
  std::vector<NodeGroup> nodes;
  std::vector<Queue> queues;  // empty = one queue for all
  ContainerLimits limits;
  Hdfs hdfs;
  ClusterMode mode;

  [[nodiscard]] SlotPool total_slots() const;
};

// A cluster of one node that holds the whole pool.
[[nodiscard]] Cluster flat_cluster(SlotPool pool);

}  // namespace wavewright
