// Nodes reserved for jobs. If a job's next container does not fit on a node, the node may be reserved: it
// then gives room to no other job until the container fits, the job gives the node up for another, or it asks
// for nothing more [Hadoop, FSAppAttempt.reserve, RegularContainerAllocator].
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "wavewright/sim/model/reservation_rule.h"
#include "wavewright/sim/nodes/world.h"

namespace wavewright::sim {

class ReservedNodes {
 public:
  static constexpr JobIndex nobody = ~JobIndex{0};

  ReservedNodes(World& world, const NodeReservations& rule)
      : w_(world),
        rule_(rule),
        job_of_(world.model.topology.size(), nobody),
        least_(world.model.minimum_allocation()),
        most_(world.model.maximum_allocation()) {}

  [[nodiscard]] JobIndex job_of(NodeIndex node) const { return job_of_[node]; }

  // True if the job's next container fits into what is left of the `free` memory of all nodes beside what is
  // reserved for others.
  [[nodiscard]] bool leaves_room(JobIndex index, Count asked, Count free) const {
    if (!rule_.by_capacity || asked <= free - memory_) return true;
    const auto own = of_.find(index);
    return own != of_.end() && asked <= free - memory_ + own->second.memory;
  }

  [[nodiscard]] Count memory() const { return memory_; }  // reserved, MiB

  // Jobs of the same queue wait if one before them is not left what it asks for.
  [[nodiscard]] bool queues() const { return rule_.queues; }

  // True if the rule lets the job reserve the node for its next container, one of the kind. `present`: nodes;
  // `free`: memory of all.
  [[nodiscard]] bool allows(NodeIndex node, JobIndex index, Kind next, Count present, Count free) const {
    const NodeJob& state = w_.jobs[index];
    const Count asked = state.request[static_cast<std::size_t>(next)].memory;
    if (rule_.by_capacity) return wants_more(index, asked) && asked <= free - memory_;
    if (state.reserved >= asks(state)) return false;
    const Count least = rule_.least_multiple * least_;
    if (asked < least) return false;
    if (static_cast<double>(state.reserved) < rule_.nodes * static_cast<double>(present)) return true;
    return next == Kind::map && !state.failed_maps && state.local &&
           state.local->closest(node, Locality::node).has_value();
  }
  // The node whose reservation ends if the job now starts a container on one that is not reserved.
  [[nodiscard]] std::optional<NodeIndex> given_up(JobIndex index, Count asked, Count free) const {
    if (!rule_.by_capacity || w_.jobs[index].reserved == 0) return std::nullopt;
    if (wants_more(index, asked) && asked <= free - memory_) return std::nullopt;
    return of_.at(index).nodes.front().node;
  }
  void reserve(NodeIndex node, JobIndex index, Count memory) {
    job_of_[node] = index;
    OfJob& its = of_[index];
    its.nodes.push_back({node, memory});
    its.memory += memory;
    memory_ += memory;
    ++w_.jobs[index].reserved;
  }
  // The node has reported, and is too small still.
  void still_too_small(NodeIndex node) { of_.at(job_of_[node]).again += w_.heartbeats.period == 0 ? 0 : 1; }
  void release(NodeIndex node) {
    const JobIndex index = job_of_[node];
    if (index == nobody) return;
    OfJob& its = of_.at(index);
    const auto found = std::find_if(its.nodes.begin(), its.nodes.end(),
                                    [node](const Reservation& each) { return each.node == node; });
    its.memory -= found->memory;
    memory_ -= found->memory;
    its.nodes.erase(found);
    its.again = 0;
    if (its.nodes.empty()) of_.erase(index);
    --w_.jobs[index].reserved;
    job_of_[node] = nobody;
  }
  // The job asks for nothing now. O(its nodes).
  void release_all_of(JobIndex index) {
    const auto its = of_.find(index);
    if (its == of_.end()) return;
    for (const Reservation& each : its->second.nodes) job_of_[each.node] = nobody;
    memory_ -= its->second.memory;
    of_.erase(its);
    w_.jobs[index].reserved = 0;
  }

 private:
  struct Reservation {
    NodeIndex node = 0;
    Count memory = 0;  // MiB
  };
  struct OfJob {
    std::vector<Reservation> nodes;  // the oldest first
    Count memory = 0;
    Count again = 0;  // see further_reservations
  };

  [[nodiscard]] static Count asks(const NodeJob& state) {
    return state.asked[0] + state.asked[1] + state.asked[2];
  }
  [[nodiscard]] bool wants_more(JobIndex index, Count asked) const {
    const NodeJob& state = w_.jobs[index];
    if (state.reserved < asks(state)) return true;
    const Count again = state.reserved == 0 ? 0 : of_.at(index).again;
    return state.reserved < asks(state) + further_reservations(again, state.reserved, asked, least_, most_);
  }

  World& w_;
  const NodeReservations rule_;
  std::vector<JobIndex> job_of_;
  const Count least_, most_;  // memory of a container there may be
  Count memory_ = 0;
  std::unordered_map<JobIndex, OfJob> of_;
};

}  // namespace wavewright::sim
