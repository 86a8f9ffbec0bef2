// The jobs that may start a task on an offered node, in the allocator's order, for a placer.
//
// Jobs that wait for their nodes (Decisions::near_only) are hidden from the walk through the order. Those
// with a block on the node are found by it, and merged into the walk: an offer costs nothing for the others.
// On a node with many blocks all are walked through: one of the first has a block there.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "wavewright/sim/nodes/node_blocks.h"
#include "wavewright/sim/nodes/simulation.h"

namespace wavewright::sim {

// Memory that lists of one kind use one after another.
struct ShortlistWalk {
  explicit ShortlistWalk(const OrderTree& tree) : walk(tree) {}
  OrderTree::Walk walk;
  std::vector<JobIndex> hidden;  // those with a block on the node that are left to give, the first last
};

class Shortlist final : public Candidates {
 public:
  // All must outlive it.
  Shortlist(Simulation& parts, NodeBlocks& node_blocks, ShortlistWalk& memory, NodeIndex node, Kind kind)
      : parts_(parts), node_blocks_(node_blocks), memory_(memory), node_(node), kind_(kind) {}

  [[nodiscard]] std::optional<JobIndex> next() override {
    if (!std::exchange(walks_, true)) begin();
    std::vector<JobIndex>& hidden = memory_.hidden;
    if (!ahead_) ahead_ = next_of_walk();
    if (hidden.empty() || (ahead_ && parts_.world.maps.ready.before(*ahead_, hidden.back())))
      return std::exchange(ahead_, std::nullopt);
    const JobIndex job = hidden.back();
    hidden.pop_back();
    return job;
  }
  [[nodiscard]] bool may_start(JobIndex job) override {
    const OrderTree& ready = parts_.world.table_of(kind_).ready;
    if (ready.is_hidden(job) && kind_ == Kind::map && node_blocks_.on()) return may_start_hidden(job);
    return ready.gives(job, OrderTree::classes_of(parts_.world.node_class(node_))) &&
           !parts_.allocation.refused(job, kind_, node_);
  }
  [[nodiscard]] std::optional<TaskChoice> closest(JobIndex job, Locality at_most) override {
    if (!JobLifecycle::something_to_start(parts_.world.known(job), kind_)) return std::nullopt;
    return offered_ = parts_.allocation.closest(job, node_, kind_, at_most);
  }
  [[nodiscard]] std::optional<TaskChoice> first_local() override {
    walks_ = false;
    if (node_blocks_.on() && !node_blocks_.has_many(node_)) return offered_ = node_blocks_.first(node_);
    const auto local = first_of(*this, Locality::node);
    walks_ = false;
    return local;
  }
  [[nodiscard]] const std::optional<TaskChoice>& offered() const { return offered_; }  // last

 private:
  void begin() {
    memory_.hidden.clear();
    ahead_.reset();
    const bool searches = kind_ == Kind::map && node_blocks_.on();
    if (searches && node_blocks_.has_many(node_)) return memory_.walk.restart();
    memory_.walk.restart(OrderTree::classes_of(parts_.world.node_class(node_)));
    if (searches) node_blocks_.hidden(node_, memory_.hidden);
  }
  [[nodiscard]] bool may_start_hidden(JobIndex job) {
    if (node_blocks_.has_many(node_))
      return parts_.world.maps.ready.eligible(job) && !parts_.allocation.refused(job, kind_, node_);
    std::vector<JobIndex> hidden;
    node_blocks_.hidden(node_, hidden);
    return std::find(hidden.begin(), hidden.end(), job) != hidden.end();
  }
  [[nodiscard]] std::optional<JobIndex> next_of_walk() {
    for (;;) {
      const std::optional<JobIndex> job = memory_.walk.next();
      if (!job || !parts_.allocation.refused(*job, kind_, node_)) return job;
    }
  }

  Simulation& parts_;
  NodeBlocks& node_blocks_;
  ShortlistWalk& memory_;
  NodeIndex node_;
  Kind kind_;
  bool walks_ = false;             // else the walk begins anew
  std::optional<JobIndex> ahead_;  // the walk's next
  std::optional<TaskChoice> offered_;
};

}  // namespace wavewright::sim
