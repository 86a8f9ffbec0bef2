// What a policy sees and changes of a simulated cluster of nodes: the fast engine's View and Decisions.
#pragma once

#include <algorithm>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/sim/nodes/job_state.h"
#include "wavewright/sim/nodes/side.h"
#include "wavewright/sim/parts/misuse.h"

namespace wavewright::sim {

class ClusterState : protected View, protected Decisions {
 protected:
  ClusterState(const Workload& workload, Policy& policy, const NodeModel& model)
      : workload_(workload),
        policy_(*policy.allocator),
        placer_(policy.placer.get()),
        model_(model),
        maps_(model, workload.jobs.size(), Kind::map),
        reduces_(model, workload.jobs.size(), Kind::reduce),
        masters_(model, 0, Kind::master),
        jobs_(workload.jobs.size()) {}

  template <Kind kind>
  [[nodiscard]] Side& side() {
    return side_of(kind);
  }
  [[nodiscard]] Side& side_of(Kind kind) {
    return kind == Kind::map ? maps_ : kind == Kind::reduce ? reduces_ : masters_;
  }

  NodeJob& known(JobIndex job) {
    if (job >= jobs_.size() || !jobs_[job].arrived) refuse_unknown_job(policy_.name(), job);
    return jobs_[job];
  }

  // What becomes of a decision is the engine's matter.
  virtual void admitted(JobIndex job) = 0;
  virtual void rejected(JobIndex job) = 0;
  virtual void capped(JobIndex job) = 0;

  // View
  [[nodiscard]] Time now() const final { return at_ms(static_cast<std::int64_t>(now_)); }
  [[nodiscard]] const std::string& id(JobIndex job) const final { return workload_.jobs.at(job).id; }
  [[nodiscard]] const std::string& queue(JobIndex job) const final { return workload_.jobs.at(job).queue; }
  [[nodiscard]] const std::string& user(JobIndex job) const final { return workload_.jobs.at(job).user; }
  [[nodiscard]] Count pending(JobIndex job, Kind kind) const final {
    return jobs_.at(job).tasks(kind).pending;
  }
  [[nodiscard]] Count held(JobIndex job, Kind kind, ClassId) const final {
    // What a failed job still has is being taken from it.
    if (jobs_.at(job).settled) return 0;
    if (model_.containers) return jobs_[job].held[static_cast<std::size_t>(kind)];
    return (kind == Kind::map ? maps_ : reduces_).ready.held(job);
  }
  [[nodiscard]] bool wants(JobIndex job) const final {
    const NodeJob& state = jobs_.at(job);
    if (state.settled) return false;
    if (model_.containers) return state.asked[0] + state.asked[1] + state.asked[2] > 0;
    return maps_.ready.wants(job) || reduces_.ready.wants(job);
  }
  [[nodiscard]] bool containers() const final { return model_.containers; }
  [[nodiscard]] Count master(JobIndex job) const final {
    return model_.containers ? model_.request(workload_.jobs.at(job), Kind::master).memory : 0;
  }
  [[nodiscard]] Cores cores() const final {
    return model_.containers ? Cores{free_cores_, model_.cores_of(Kind::master)} : Cores{};
  }
  [[nodiscard]] Count step() const final { return model_.step(); }
  [[nodiscard]] Resources used(GroupId group) const final {
    if (model_.containers) return {tree().used(group), tree().used(group)};
    return {maps_.ready.used(group), reduces_.ready.used(group)};
  }
  [[nodiscard]] Resources capacity(ClassId node_class) const final {
    if (model_.containers) return memory_of(node_class);
    Resources sum;
    for (std::size_t row = 0; row < model_.cluster.nodes.size(); ++row) {
      if (model_.topology.node_class[row] != node_class) continue;
      const NodeGroup& group = model_.cluster.nodes[row];
      sum.map_slots += group.count * group.slots.map_slots;
      sum.reduce_slots += group.count * group.slots.reduce_slots;
    }
    return sum;
  }
  [[nodiscard]] Estimate estimate(JobIndex job, Kind kind, ClassId node_class) const final {
    const NodeJob& state = jobs_.at(job);
    return model_.on_class(kind == Kind::map ? state.map : state.reduce, node_class,
                           state.own_factors.empty() ? model_.group_factor : state.own_factors);
  }
  [[nodiscard]] std::size_t nodes() const final { return model_.topology.size(); }
  [[nodiscard]] std::size_t classes() const final { return model_.topology.classes.size(); }
  [[nodiscard]] ClassId node_class(NodeIndex node) const final {
    return model_.topology.node_class[model_.topology.group.at(node)];
  }

  // Decisions
  void group(GroupId group, GroupId parent, Limits guaranteed, Limits max) final {
    maps_.ready.group(group, parent, guaranteed, max, sequence_);
    reduces_.ready.group(group, parent, guaranteed, max, sequence_++);
  }
  void rank_group(GroupId group, Kind kind, Key key) final { ranked(kind).rank_group(group, key); }
  void order(GroupId group, Ordering ordering) final {
    maps_.ready.order(group, ordering);
    reduces_.ready.order(group, ordering);
  }
  void share(JobIndex job, Kind kind, Share share) final {
    (void)known(job);
    ranked(kind).share(job, share);
  }
  void share_group(GroupId group, Kind kind, Share share) final { ranked(kind).share_group(group, share); }
  void cap(JobIndex job, Kind kind, ClassId, Count count) final {
    NodeJob& state = known(job);
    if (!model_.containers) return ranked(kind).cap(job, count);
    state.cap[static_cast<std::size_t>(kind)] = count;
    capped(job);
  }
  void admit(JobIndex job, GroupId group) final {
    undecided(job).admitted = true;
    maps_.ready.admit(job, group, sequence_);
    reduces_.ready.admit(job, group, sequence_++);
    admitted(job);
  }
  void reject(JobIndex job, const std::string&) final {
    (void)undecided(job);
    rejected(job);
  }
  void rank(JobIndex job, Kind kind, Key key) final {
    (void)known(job);
    ranked(kind).rank(job, key);
  }
  void reserve(JobIndex, Kind, ClassId, Count, Time, Time) final { undeclared(Feature::reservations); }
  // Applied after the callbacks of the instant at which the grace is over, before slots are given out.
  void reclaim(JobIndex job, Kind kind, Count count, Duration grace) final {
    (void)known(job);
    if (!policy_.needs().has(Feature::preemption)) undeclared(Feature::preemption);
    const auto due = now_ + static_cast<std::uint64_t>(std::max<std::int64_t>(to_ms(grace), 0));
    (void)ranked(kind);
    reclaims_.push({due, reclaimed_++, job, kind, count});
  }
  // At the next instant at the earliest.
  void wake(Time at, Token token) final {
    const auto instant = static_cast<std::uint64_t>(std::max<std::int64_t>(to_ms(at), 0));
    timers_.push({std::max(instant, now_ + 1), token});
  }
  void explain(JobIndex, const std::string&) final {}

  // Containers of all kinds are given out in one order, by the memory that jobs hold: that of the maps' side.
  [[nodiscard]] ReadyTree& tree() { return maps_.ready; }
  [[nodiscard]] const ReadyTree& tree() const { return maps_.ready; }

  using Timer = std::pair<std::uint64_t, Token>;
  struct Reclaim {
    std::uint64_t due = 0;
    std::uint64_t sequence = 0;
    JobIndex job = 0;
    Kind kind = Kind::map;
    Count count = 0;
    friend bool operator>(const Reclaim& a, const Reclaim& b) {
      return std::pair(a.due, a.sequence) > std::pair(b.due, b.sequence);
    }
  };

  const Workload& workload_;
  Allocator& policy_;
  Placer* placer_;
  const NodeModel& model_;
  Side maps_;
  Side reduces_;
  Side masters_;  // of containers; none of slots
  std::vector<NodeJob> jobs_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::priority_queue<Reclaim, std::vector<Reclaim>, std::greater<>> reclaims_;
  std::uint64_t now_ = 0;
  Count free_cores_ = 0;  // of containers

 private:
  [[nodiscard]] ReadyTree& ranked(Kind kind) {
    if (kind == Kind::master) throw Defect("policy '" + policy_.name() + "' ranks masters, which go first");
    return kind == Kind::map ? maps_.ready : reduces_.ready;
  }
  [[nodiscard]] Resources memory_of(ClassId node_class) const {
    Count memory = 0;
    for (NodeIndex node = 0; node < model_.topology.size(); ++node) {
      if (this->node_class(node) == node_class) memory += model_.room_of(node).memory;
    }
    return {memory, memory};
  }
  NodeJob& undecided(JobIndex job) {
    NodeJob& state = known(job);
    if (state.admitted || state.rejected) refuse_second_decision(policy_.name(), id(job));
    return state;
  }
  [[noreturn]] void undeclared(Feature feature) const { refuse_undeclared(policy_.name(), feature); }

  std::uint64_t sequence_ = 0;
  std::uint64_t reclaimed_ = 0;
};

}  // namespace wavewright::sim
