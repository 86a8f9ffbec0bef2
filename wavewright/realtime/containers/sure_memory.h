// The memory that is sure for the containers of accepted jobs (container_packing.h), as nodes come and go and
// as jobs bring sizes of containers and take them away. All memory is in MiB.
//
// Each size counts once, however many jobs have it. All is counted anew when the nodes change, or when the
// first job with a size comes or the last one goes: O(nodes + cost of sure_memory()).
#pragma once

#include <map>
#include <vector>

#include "wavewright/cluster/container_room.h"
#include "wavewright/realtime/containers/container_admission.h"
#include "wavewright/realtime/containers/container_packing.h"
#include "wavewright/sched/event.h"

namespace wavewright {

class SureMemory {
 public:
  // All nodes are there but those that are for rent. Nothing is sure before `count`.
  explicit SureMemory(const ContainerRoom& room);

  void count();
  // A node has joined or left. Throws std::out_of_range for one that the cluster does not have.
  void set_away(NodeIndex node, bool away);

  // The job is accepted, or has its last container no more.
  void add(const ContainerJob& job);
  void remove(const ContainerJob& job);

  // For all containers together, with the sizes of the jobs that were added.
  [[nodiscard]] Count memory() const { return memory_; }
  // As it would be with those of this job, too.
  [[nodiscard]] Count with(const ContainerJob& job) const;
  // True if the job needs no more than `memory` at once, and some node that is there holds each of its
  // containers.
  [[nodiscard]] bool fits(const ContainerJob& job, Count memory) const;

 private:
  [[nodiscard]] std::vector<EqualNodes> nodes_there() const;

  std::vector<ContainerRoom::Nodes> rows_;
  std::vector<bool> away_;        // by node
  std::map<Count, Count> sizes_;  // of containers: how many jobs have some
  Count memory_ = 0;
  Count largest_node_ = 0;  // memory of the largest one that is there
};

}  // namespace wavewright
