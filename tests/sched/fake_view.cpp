// The fake cluster as a View.
#include <algorithm>
#include <set>

#include "tests/sched/fake_cluster.h"

namespace wavewright {

JobFacts FakeCluster::facts(JobIndex job) const {
  if (job >= jobs_.size() || !state(job).arrived) throw std::out_of_range("the job has not arrived");
  const FakeJob& of = setup_.jobs[job];
  return {.id = of.id,
          .name = of.id,
          .user = of.user,
          .queue = of.queue,
          .submit = state(job).arrived_at,
          .deadline = of.deadline,
          .value = std::nullopt,
          .delay_cost_per_s = std::nullopt,
          .input = std::nullopt,
          .maps = of.maps,
          .reduces = of.reduces,
          .predecessors = {}};
}

Count FakeCluster::in_state(JobIndex job, Kind kind, TaskState wanted) const {
  const std::vector<TaskState>& tasks = state(job).tasks[static_cast<std::size_t>(kind)];
  return std::count(tasks.begin(), tasks.end(), wanted);
}

Count FakeCluster::block_places(JobIndex job) const {
  std::set<NodeIndex> nodes;
  const auto& blocks = setup_.jobs[job].blocks;
  const auto& maps = state(job).tasks[static_cast<std::size_t>(Kind::map)];
  for (std::size_t task = 0; task < blocks.size(); ++task) {
    if (maps[task] == TaskState::waiting) nodes.insert(blocks[task].begin(), blocks[task].end());
  }
  return 2 * static_cast<Count>(nodes.size());
}
Count FakeCluster::pending(JobIndex job, Kind kind) const {
  return in_state(job, kind, TaskState::waiting);
}

Count FakeCluster::held(JobIndex job, Kind kind, ClassId node_class) const {
  return std::count_if(attempts_.begin(), attempts_.end(), [&](const Attempt& each) {
    return each.job == job && each.kind == kind &&
           (node_class == any_class || this->node_class(each.node) == node_class);
  });
}

bool FakeCluster::wants(JobIndex job, Kind kind) const {
  const JobState& of = state(job);
  if (!of.admitted || of.over || pending(job, kind) == 0) return false;
  if (containers()) {
    if (kind != Kind::master && in_state(job, Kind::master, TaskState::running) == 0) return false;
    if (held(job, kind, any_class) >= of.caps[static_cast<std::size_t>(kind)]) return false;
  }
  return kind != Kind::reduce || in_state(job, Kind::map, TaskState::done) == setup_.jobs[job].maps;
}

bool FakeCluster::has_pending_request(JobIndex job) const {
  return wants(job, Kind::master) || wants(job, Kind::map) || wants(job, Kind::reduce);
}

Estimate FakeCluster::estimate(JobIndex job, Kind kind, ClassId node_class) const {
  const Duration nominal = kind == Kind::map ? setup_.jobs[job].map : setup_.jobs[job].reduce;
  const Duration here = nominal * setup_.classes.at(node_class == any_class ? 0 : node_class).percent / 100;
  return {here, here};
}

Duration FakeCluster::quantile(JobIndex job, Kind kind, ClassId node_class, double) const {
  return estimate(job, kind, node_class).mean;
}

Resources FakeCluster::used(GroupId group) const {
  return {ledger_.order(Kind::map).used(group), ledger_.order(Kind::reduce).used(group)};
}

Resources FakeCluster::capacity(ClassId node_class) const {
  Resources sum;
  for (const Node& node : nodes_) {
    if (!node.up || (node_class != any_class && node.what.node_class != node_class)) continue;
    sum.map_slots += node.what.map_slots * unit();
    sum.reduce_slots += (containers() ? node.what.map_slots : node.what.reduce_slots) * unit();
  }
  return sum;
}

Cores FakeCluster::cores() const {
  if (!containers()) return {};
  return {capacity(any_class).map_slots / unit() - static_cast<Count>(attempts_.size()), 1};
}

std::string_view FakeCluster::class_name(ClassId node_class) const {
  return setup_.classes.at(node_class).name;
}

SlotIndex FakeCluster::slots(Kind kind) const {
  return static_cast<SlotIndex>(places(kind).size());
}

std::optional<Occupant> FakeCluster::occupant(Kind kind, SlotIndex slot) const {
  for (const Attempt& each : attempts_) {
    if (pool(each.kind) != pool(kind) || each.slot != slot) continue;
    return Occupant{each.job, each.task, each.node, each.since,
                    each.since + estimate(each.job, each.kind, node_class(each.node)).mean};
  }
  return std::nullopt;
}

LeaseOffer FakeCluster::lease_offer(ClassId node_class) const {
  const FakeClass& of = setup_.classes.at(node_class);
  LeaseOffer offer = of.offer;
  offer.machine = {of.machine.map_slots * unit(), of.machine.reduce_slots * unit()};
  offer.machines -= std::count_if(rented_.begin(), rented_.end(), [&](const Rented& each) {
    return !each.over && each.node_class == node_class;
  });
  return offer;
}

Count FakeCluster::slots_on(NodeIndex node, Kind kind) const {
  const Node& of = nodes_.at(node);
  if (!of.up || containers()) return 0;
  return kind == Kind::map ? of.what.map_slots : kind == Kind::reduce ? of.what.reduce_slots : 0;
}

std::span<const std::uint32_t> FakeCluster::free_slots(Kind kind) const {
  std::vector<std::uint32_t>& free = free_slots_[kind];
  free.assign(nodes_.size(), 0);
  for (const Place& place : places(kind)) free[place.node] += place.busy ? 0U : 1U;
  return free;
}

std::span<const Count> FakeCluster::free_slots_of_classes(Kind kind) const {
  std::vector<Count>& free = free_of_classes_[kind];
  free.assign(classes(), 0);
  for (const Place& place : places(kind))
    free[node_class(place.node)] += !place.busy && slots_on(place.node, kind) > 0 ? 1 : 0;
  return free;
}

std::span<const std::uint64_t> FakeCluster::free_nodes(ClassId node_class, Kind kind) const {
  std::vector<std::uint64_t>& some = free_nodes_[{kind, node_class}];
  some.assign((nodes_.size() + 63) / 64, 0);
  for (const Place& place : places(kind)) {
    if (!place.busy && slots_on(place.node, kind) > 0 && this->node_class(place.node) == node_class)
      some[place.node / 64] |= std::uint64_t{1} << (place.node % 64);
  }
  return some;
}

double FakeCluster::efficiency(JobIndex job, ClassId node_class) const {
  const auto& own = setup_.jobs.at(job).efficiency;
  const auto found = own.find(node_class);
  return found == own.end() ? 1 : found->second;
}

std::string_view FakeCluster::class_label(ClassId node_class) const {
  return setup_.classes.at(node_class).label;
}

bool FakeCluster::has_own_entry(JobIndex job, ClassId node_class) const {
  return setup_.jobs.at(job).efficiency.contains(node_class);
}

std::span<const NodeIndex> FakeCluster::block_nodes(JobIndex job, TaskIndex map) const {
  const auto& blocks = setup_.jobs.at(job).blocks;
  return map < blocks.size() ? std::span<const NodeIndex>(blocks[map]) : std::span<const NodeIndex>();
}

bool FakeCluster::map_is_pending(JobIndex job, TaskIndex map) const {
  const std::vector<TaskState>& tasks = state(job).tasks[static_cast<std::size_t>(Kind::map)];
  return map < tasks.size() && tasks[map] == TaskState::waiting;
}

}  // namespace wavewright
