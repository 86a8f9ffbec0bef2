// A simulated cluster of nodes as its policy sees it, and what the policy's decisions change there.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/sched/job_facts.h"
#include "wavewright/sched/ledger/ledger.h"
#include "wavewright/sched/ledger/order_tree.h"
#include "wavewright/sim/kernel/arrivals.h"
#include "wavewright/sim/nodes/job_state.h"
#include "wavewright/sim/nodes/side.h"

namespace wavewright::sim {

class ClusterState : protected View, protected LedgerDriver {
 protected:
  ClusterState(const Workload& workload, Policy& policy, const NodeModel& model)
      : workload_(workload),
        policy_(*policy.allocator),
        placer_(policy.placer.get()),
        model_(model),
        arrival_table_(workload),
        ledger_(policy_, placer_,
                {.jobs = workload.jobs.size(),
                 .classes = model.topology.classes.size(),
                 .containers = model.containers},
                *this),
        maps_(model, ledger_.order(Kind::map), Kind::map),
        reduces_(model, ledger_.order(Kind::reduce), Kind::reduce),
        masters_(model, ledger_.order(Kind::map), Kind::master),
        jobs_(workload.jobs.size()) {
    if (!ledger_.reserves()) return;
    maps_.count_free_on_classes(model);
    reduces_.count_free_on_classes(model);
  }

  template <Kind kind>
  [[nodiscard]] Side& side() {
    return side_of(kind);
  }
  [[nodiscard]] Side& side_of(Kind kind) {
    return kind == Kind::map ? maps_ : kind == Kind::reduce ? reduces_ : masters_;
  }
  [[nodiscard]] const Side& side_of(Kind kind) const {
    return kind == Kind::map ? maps_ : kind == Kind::reduce ? reduces_ : masters_;
  }

  [[nodiscard]] const std::string& id(JobIndex job) const { return workload_.jobs.at(job).id; }
  NodeJob& known(JobIndex job) {
    if (!ledger_.has_arrived(job)) refuse_unknown_job(policy_.name(), job);
    return jobs_[job];
  }

  // With containers: the job may have more, or fewer, of a kind.
  virtual void cap_changed(JobIndex job) = 0;

  // View
  [[nodiscard]] Time now() const final { return at_ms(static_cast<std::int64_t>(now_)); }
  [[nodiscard]] JobFacts facts(JobIndex job) const final {
    return facts_of(workload_.jobs.at(job), arrival_table_.edges().predecessors(job));
  }
  [[nodiscard]] Count pending(JobIndex job, Kind kind) const final {
    return jobs_.at(job).tasks(kind).pending;
  }
  [[nodiscard]] Count held(JobIndex job, Kind kind, ClassId node_class) const final {
    // What a failed job still has is being taken from it.
    if (jobs_.at(job).settled) return 0;
    if (node_class != any_class) return ledger_.held_on(job, kind, node_class);
    if (model_.containers) return jobs_[job].held[static_cast<std::size_t>(kind)];
    return kind == Kind::master ? 0 : side_of(kind).ready.held(job);
  }
  [[nodiscard]] bool has_pending_request(JobIndex job) const final {
    const NodeJob& state = jobs_.at(job);
    if (state.settled) return false;
    if (model_.containers) return state.asked[0] + state.asked[1] + state.asked[2] > 0;
    return maps_.ready.wants(job) || reduces_.ready.wants(job);
  }
  [[nodiscard]] bool containers() const final { return model_.containers; }
  [[nodiscard]] Count am_resource(JobIndex job) const final {
    return model_.containers ? model_.request(workload_.jobs.at(job), Kind::master).memory : 0;
  }
  [[nodiscard]] Cores cores() const final {
    return model_.containers ? Cores{free_cores_, model_.cores_of(Kind::master)} : Cores{};
  }
  [[nodiscard]] Count minimum_allocation() const final { return model_.minimum_allocation(); }
  [[nodiscard]] Resources used(GroupId group) const final {
    return {ledger_.order(Kind::map).used(group), ledger_.order(Kind::reduce).used(group)};
  }
  [[nodiscard]] Resources capacity(ClassId node_class) const final {
    Resources sum;
    for (std::size_t row = 0; row < model_.cluster.nodes.size(); ++row) {
      if (node_class != any_class && model_.topology.node_class[row] != node_class) continue;
      const NodeGroup& group = model_.cluster.nodes[row];
      const Count memory = group.memory.count >> 20;
      sum.map_slots += group.count * (model_.containers ? memory : group.slots.map_slots);
      sum.reduce_slots += group.count * (model_.containers ? memory : group.slots.reduce_slots);
    }
    return sum;
  }
  [[nodiscard]] Estimate estimate(JobIndex job, Kind kind, ClassId node_class) const final {
    const NodeJob& state = jobs_.at(job);
    return model_.on_class(kind == Kind::map ? state.map : state.reduce, node_class, job_factors(job));
  }
  [[nodiscard]] Duration quantile(JobIndex job, Kind kind, ClassId node_class, double q) const final {
    const Duration nominal = quantile_of(workload_.jobs.at(job), kind, q);
    return model_.on_class({nominal, nominal}, node_class, job_factors(job)).mean;
  }
  [[nodiscard]] std::size_t nodes() const final { return model_.topology.size(); }
  [[nodiscard]] std::size_t classes() const final { return model_.topology.classes.size(); }
  [[nodiscard]] ClassId node_class(NodeIndex node) const final {
    return model_.topology.node_class[model_.topology.group[node]];
  }
  [[nodiscard]] std::string_view class_name(ClassId node_class) const final {
    return model_.topology.classes.at(node_class);
  }
  [[nodiscard]] SlotIndex slots(Kind kind) const final { return side_of(kind).count; }
  [[nodiscard]] std::optional<Occupant> occupant(Kind kind, SlotIndex slot) const final;

  // What decisions change
  void capped(JobIndex job, Kind kind, Count count) final {
    if (!model_.containers) return;
    jobs_[job].cap[static_cast<std::size_t>(kind)] = count;
    cap_changed(job);
  }

  // Containers of all kinds are given out in one order, by the memory that jobs hold: that of the maps.
  [[nodiscard]] OrderTree& tree() { return maps_.ready; }
  [[nodiscard]] const OrderTree& tree() const { return maps_.ready; }

  // The job takes a slot or container on the node, or gives it back.
  void holds(JobIndex job, Kind kind, NodeIndex node) {
    if (ledger_.picks_nodes()) ledger_.hold(job, kind, node_class(node));
  }
  void holds_no_more(JobIndex job, Kind kind, NodeIndex node) {
    if (ledger_.picks_nodes()) ledger_.let_go(job, kind, node_class(node));
  }

  const Workload& workload_;
  Allocator& policy_;
  Placer* placer_;
  const NodeModel& model_;
  const ArrivalTable arrival_table_;
  Ledger<OrderTree> ledger_;
  Side maps_;
  Side reduces_;
  Side masters_;  // of containers; none of slots
  std::vector<NodeJob> jobs_;
  std::uint64_t now_ = 0;
  Count free_cores_ = 0;  // of containers

 private:
  [[nodiscard]] const std::vector<Factor>& job_factors(JobIndex job) const {
    return jobs_[job].own_factors.empty() ? model_.group_factor : jobs_[job].own_factors;
  }
};

inline std::optional<Occupant> ClusterState::occupant(Kind kind, SlotIndex slot) const {
  const Side& side = side_of(kind);
  if (slot >= side.count) return std::nullopt;
  const std::uint32_t first = side.first_place_of(slot);
  for (std::uint32_t place = first; place < side.end_of_places(first); ++place) {
    if (side.idle.contains(place)) continue;
    const Running& attempt = side.on[place];
    const Time since = at_ms(static_cast<std::int64_t>(attempt.since));
    const NodeIndex node = side.node_of[place];
    return Occupant{attempt.job, attempt.task, node, since,
                    since + estimate(attempt.job, kind, node_class(node)).mean};
  }
  return std::nullopt;
}

}  // namespace wavewright::sim
