// Which job gets the next container of a node with room, and for which of its tasks: the part of YARN's
// ResourceManager that assigns containers at a node's heartbeat [LeafQueue, FSAppAttempt].
//
// Jobs are asked in the policy's order. O(log jobs) for each that is asked, and what the placer takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/sim/containers/free_room.h"
#include "wavewright/sim/containers/reserved_nodes.h"
#include "wavewright/sim/nodes/simulation.h"

namespace wavewright::sim {

class ContainerScheduler {
 public:
  struct Grant {
    Kind kind = Kind::map;
    TaskChoice choice;
    bool off_switch = false;              // off the rack of its block, or a task without a block
    bool reserved = false;                // the node was reserved for it
    std::optional<NodeIndex> given_up{};  // the job's reservation of that node ends
  };

  // All must outlive it.
  ContainerScheduler(Simulation& parts, const FreeRoom& free, ReservedNodes& reserved)
      : parts_(parts), free_(free), reserved_(reserved), walk_(parts.world.tree()) {}
  ContainerScheduler(const ContainerScheduler&) = delete;
  ContainerScheduler& operator=(const ContainerScheduler&) = delete;

  // If the room is too small for the first job that could have it, the node is reserved for that job.
  [[nodiscard]] std::optional<Grant> choose(NodeIndex node) {
    const auto may_start = [&](JobIndex index) {  // if there were room
      const NodeJob& state = parts_.world.jobs[index];
      return !parts_.allocation.refused(index, next_kind(state), node) &&
             parts_.world.model.room_of(node).holds(next_request(state)) &&
             parts_.world.tree().has_room(index, next_request(state).memory);
    };
    if (const JobIndex index = reserved_.job_of(node); index != ReservedNodes::nobody) {
      if (parts_.world.tree().eligible(index) && may_start(index)) {
        if (!free_.fits(node, next_request(parts_.world.jobs[index]))) {
          reserved_.still_too_small(node);
          return std::nullopt;
        }
        if (auto found = grant(index, node)) {
          reserved_.release(node);
          found->reserved = true;
          return found;
        }
      }
      reserved_.release(node);
    }
    do {
      passed_ = false;
      walk_.restart();
      full_queues_.clear();
      while (const std::optional<JobIndex> index = walk_.next()) {
        if (is_full(*index) || !may_start(*index)) continue;
        const Room asked = next_request(parts_.world.jobs[*index]);
        if (!reserved_.leaves_room(*index, asked.memory, free_for_queues())) {
          if (!reserved_.queues()) return std::nullopt;
          full_queues_.push_back(&parts_.world.jobs[*index].job->queue);
          continue;
        }
        if (free_.fits(node, asked)) {
          const auto given_up = reserved_.given_up(*index, asked.memory, free_for_queues());
          auto found = grant(*index, node);
          if (!found) continue;
          found->given_up = given_up;
          return found;
        }
        if (may_reserve(*index, node)) {
          reserved_.reserve(node, *index, asked.memory);
          return std::nullopt;
        }
      }
    } while (passed_ && parts_.world.placer->again({node, Kind::map, parts_.world.now()}));
    return std::nullopt;
  }

 private:
  using Room = NodeModel::Room;
  static std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

  // Masters first, then maps that failed, then reduces, then maps [RMContainerAllocator's priorities].
  [[nodiscard]] static Kind next_kind(const NodeJob& state) {
    if (state.asked[at(Kind::master)] > 0) return Kind::master;
    if (state.failed_maps && state.asked[at(Kind::map)] > 0) return Kind::map;
    return state.asked[at(Kind::reduce)] > 0 ? Kind::reduce : Kind::map;
  }
  [[nodiscard]] static const Room& next_request(const NodeJob& state) {
    return state.request[at(next_kind(state))];
  }

  // A job of its queue, before it, asks for more than what is reserved leaves.
  [[nodiscard]] bool is_full(JobIndex index) const {
    if (full_queues_.empty()) return false;
    const std::string& queue = parts_.world.jobs[index].job->queue;
    return std::any_of(full_queues_.begin(), full_queues_.end(),
                       [&](const std::string* full) { return *full == queue; });
  }
  // Memory of all nodes, as the queue sees it whose turn it is: what a full one may still take is kept for
  // it.
  [[nodiscard]] Count free_for_queues() const {
    return full_queues_.empty() ? free_.memory() : std::min(free_.memory(), reserved_.memory());
  }
  // For the job's next container, which does not fit there yet.
  [[nodiscard]] bool may_reserve(JobIndex index, NodeIndex node) {
    const NodeJob& state = parts_.world.jobs[index];
    const Kind kind = next_kind(state);
    if (kind == Kind::map && !state.failed_maps && parts_.world.placer != nullptr) {
      const auto closest = parts_.allocation.closest(index, node, kind, Locality::off_rack);
      const Locality near = closest ? closest->locality : Locality::off_rack;
      if (!parts_.world.placer->reserves({node, kind, parts_.world.now()}, index, near, parts_.world))
        return false;
    }
    return reserved_.allows(node, index, kind, free_.present(), free_for_queues());
  }

  // The task that the job starts on a node with enough room.
  [[nodiscard]] std::optional<Grant> grant(JobIndex index, NodeIndex node) {
    const NodeJob& state = parts_.world.jobs[index];
    const Kind kind = next_kind(state);
    const bool anywhere = kind != Kind::map || !state.local;
    if (kind == Kind::master) return Grant{kind, {index, 0, Locality::node}, true};
    if (kind == Kind::map && state.failed_maps)
      return Grant{kind, parts_.allocation.failed_map(index, node), true};
    std::optional<TaskChoice> choice;
    if (kind == Kind::map && parts_.world.placer != nullptr) {
      OneJob candidates(*this, index, node);
      choice = parts_.world.placer->place({node, kind, parts_.world.now()}, candidates, parts_.world,
                                          parts_.world.ledger.placer());
      if (choice) parts_.allocation.check_choice(*choice, node, kind);
      passed_ = passed_ || !choice;
    } else if (JobLifecycle::something_to_start(parts_.world.jobs[index], kind)) {
      choice = parts_.allocation.closest(index, node, kind, Locality::off_rack);
    }
    if (!choice) return std::nullopt;
    return Grant{kind, *choice, anywhere || choice->locality == Locality::off_rack};
  }

  // A placer is asked job by job, because YARN decides whose turn it is.
  class OneJob final : public Candidates {
   public:
    OneJob(ContainerScheduler& scheduler, JobIndex job, NodeIndex node)
        : scheduler_(scheduler), only_(job), job_(job), node_(node) {}
    [[nodiscard]] std::optional<JobIndex> next() override { return std::exchange(job_, std::nullopt); }
    [[nodiscard]] bool may_start(JobIndex job) override { return job == only_; }
    [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
      if (!JobLifecycle::something_to_start(scheduler_.parts_.world.known(job), Kind::map))
        return std::nullopt;
      return scheduler_.parts_.allocation.closest(job, node_, Kind::map, at_most);
    }
    [[nodiscard]] std::optional<TaskChoice> first_local() override {
      return job_ ? closest(*job_, Locality::node) : std::nullopt;
    }

   private:
    ContainerScheduler& scheduler_;
    JobIndex only_;
    std::optional<JobIndex> job_;  // until next() has given it
    NodeIndex node_;
  };

  Simulation& parts_;
  const FreeRoom& free_;
  ReservedNodes& reserved_;
  OrderTree::Walk walk_;
  std::vector<const std::string*> full_queues_;  // in this round
  bool passed_ = false;                          // the placer let an offer go in this round
};

}  // namespace wavewright::sim
