// Allocation of containers in the reference engine: whose turn it is when a node gives room, which nodes are
// reserved for a job that does not fit, and the start of tasks and masters in their containers.
//
// Every node looks at every job for each container: O(nodes · jobs · containers) an instant. The rules are
// those of YARN's schedulers, as in the fast engine [LeafQueue, FSAppAttempt, RMContainerAllocator].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wavewright/sim/model/reservation_rule.h"
#include "wavewright/sim/reference/reference_masters.h"

namespace wavewright::sim {

class ReferenceAllocation : protected ReferenceMasters {
 protected:
  ReferenceAllocation(const Workload& workload, Policy& policy, const NodeModel& model)
      : ReferenceMasters(workload, policy, model) {}

  // Those of jobs that ask for nothing more. True if there were some.
  bool end_reservations();
  // Without heartbeats a node whose reservation has ended offers its room again.
  void give_out();

 private:
  struct Grant {
    Kind kind = Kind::map;
    TaskChoice choice;
    bool off_switch = false;
    bool reserved = false;                // the node was reserved for it
    std::optional<NodeIndex> given_up{};  // the job's reservation of that node ends
  };
  class OneJob;

  [[nodiscard]] std::vector<JobIndex> candidates() const;
  [[nodiscard]] Count least_to_offer() const;
  void each_node_gives();
  [[nodiscard]] static Kind next_kind(JobState& state);
  // Free memory of all nodes without what is reserved, but for that job, and what full queues may still take.
  [[nodiscard]] Count unreserved_memory(std::optional<JobIndex> but) const;
  [[nodiscard]] Count reserved_for(JobIndex index) const;  // nodes
  [[nodiscard]] NodeIndex oldest_of(JobIndex index) const;
  // Fewer nodes are reserved for it than it may reserve.
  [[nodiscard]] bool wants_more_nodes(JobIndex index);
  [[nodiscard]] bool may_reserve(NodeIndex node, JobIndex index);
  // May the job start its next container on the node, if there were room?
  [[nodiscard]] bool may_start(JobIndex index, NodeIndex node);
  [[nodiscard]] std::optional<Grant> choose(NodeIndex node);
  [[nodiscard]] std::optional<Grant> grant(JobIndex index, NodeIndex node);

  // The node's lowest free number of the kind.
  [[nodiscard]] std::uint32_t free_slot(NodeIndex node, Kind kind);
  Container& add(NodeIndex node, Kind kind, const TaskChoice& choice, std::uint32_t slot);
  void start(NodeIndex node, const Grant& grant);
  void started(const Container& container);
  // Starts the further tasks of the first one's job that share its container.
  void fill(const Container& first);
  void start_task(Container& container);

  // Containers that a node has given at an instant. Other events of that instant begin no second heartbeat.
  struct Heartbeat {
    std::optional<Time> at{};
    Count given = 0, off_switch = 0;
  };
  std::map<NodeIndex, Heartbeat> heartbeats_;
  bool unreserved_ = false;  // since the nodes began to give
  std::uint64_t reservations_ = 0;
  std::set<std::string> full_queues_;  // in this round: a job of theirs asks for more than what is left
  bool passed_ = false;                // the placer let an offer go in this round
};

}  // namespace wavewright::sim
