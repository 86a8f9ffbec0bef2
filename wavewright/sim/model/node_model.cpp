#include "wavewright/sim/model/node_model.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "wavewright/cluster/presence.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/sched/job_facts.h"

namespace wavewright::sim {

namespace {

Factor factor(double value, const std::string& what) {
  constexpr double most = 1e6, about = 1e-9;
  if (!(value * most >= 1 - about && value <= most * (1 + about)))
    throw InputError({}, what + " is out of range", "give a factor from 0.000001 to 1000000");
  return factor_of(value);
}

Duration scaled(Duration duration, Factor factor) {
  return ms(static_cast<std::int64_t>(sim::scaled(static_cast<std::uint64_t>(to_ms(duration)), factor)));
}

Count mebibytes(Bytes bytes) {
  return bytes.count >> 20;
}

}  // namespace

NodeModel::NodeModel(const Workload& workload, const Cluster& of, std::uint64_t seed_of_blocks, bool preempts)
    : cluster(of),
      power(of),
      topology(expand(of)),
      placement(topology, of.hdfs),
      seed(seed_of_blocks),
      containers(of.mode.kind == ClusterMode::Kind::containers),
      network(cluster, topology) {
  if (containers) read_requests(workload);
  read_sharing(workload);
  for (NodeIndex node = 0; node < topology.size(); ++node) node_of.emplace(topology.names[node], node);
  for (const NodeGroup& group : cluster.nodes)
    group_factor.push_back(factor(1 / group.speed, "a node's speed"));
  places = cluster.reads.kind != Reads::Kind::anywhere;
  if (cluster.reads.kind == Reads::Kind::slowdown) {
    locality_factor[1] = factor(cluster.reads.rack, "reads.rack");
    locality_factor[2] = factor(cluster.reads.off_rack, "reads.off_rack");
  }
  const Faults& faults = cluster.faults;
  for (const NodeGroup& group : cluster.nodes) {
    group_failure.push_back(1 - (1 - faults.task_failure) * (1 - group.task_failure));
    retries = retries || group_failure.back() > 0;
  }
  for (const Job& job : workload.jobs) retries = retries || job.task_failure > 0;
  straggler_factor = factor(faults.straggler_slowdown, "faults.straggler_slowdown");
  draws_fates = retries || (faults.straggler > 0 && straggler_factor != unit_factor);
  read_outages();
  spread = spread_of(workload);
  for (const NodeGroup& group : cluster.nodes) rents = rents || group.rent;
  retries = retries || preempts || !changes.empty() || rents || cluster.mode.speculation ||
            (containers && cluster.mode.slowstart < 1);  // reduces may be stopped so that maps can run
  std::size_t with[2] = {0, 0};
  for (NodeIndex node = 0; node < topology.size(); ++node) {
    with[0] += slots(node, Kind::map) > 0 ? 1U : 0U;
    with[1] += slots(node, Kind::reduce) > 0 ? 1U : 0U;
  }
  most_blacklisted = (with[1] == 0 ? with[0] : with[0] == 0 ? with[1] : std::min(with[0], with[1])) / 4;
  refuses_nodes = cluster.mode.speculation || faults.blacklist_after > 0;
}

NodeModel::Room NodeModel::room_of(NodeIndex node) const {
  const NodeGroup& group = cluster.nodes[topology.group[node]];
  return {mebibytes(group.memory), cluster.containers.count_vcores ? group.vcores : 0};
}

Count NodeModel::minimum_allocation() const {
  return containers ? std::max<Count>(1, mebibytes(cluster.limits.min_memory.value_or(Bytes{}))) : 1;
}

Count NodeModel::maximum_allocation() const {
  if (cluster.limits.max_memory) return std::max<Count>(1, mebibytes(*cluster.limits.max_memory));
  Count most = 1;
  for (const NodeGroup& group : cluster.nodes) most = std::max(most, mebibytes(group.memory));
  return most;
}

Count NodeModel::least_to_offer(bool by_capacity) const {
  if (by_capacity && cluster.limits.min_memory) return minimum_allocation();
  return std::min({smallest[0], smallest[1], smallest[2]});
}

Count NodeModel::tasks_on_node(const Job& job, Kind kind, ClassId node_class) const {
  std::optional<Count> least;
  NodeIndex first = 0;  // node of the row
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    const NodeIndex node = first;
    first += static_cast<NodeIndex>(cluster.nodes[row].count);
    if (topology.node_class[row] != node_class) continue;
    Count here = 0;
    if (containers) {
      const Room room = room_of(node), each = request(job, kind);
      here = room.memory / each.memory;
      if (each.vcores > 0) here = std::min(here, room.vcores / each.vcores);
    } else {
      here = slots(node, kind);
    }
    least = std::min(here, least.value_or(here));
  }
  return least.value_or(0);
}

NodeModel::Room NodeModel::request(const Job& job, Kind kind) const {
  const Containers& asked = cluster.containers;
  const ContainerRequest& usual = kind == Kind::master ? asked.master
                                  : kind == Kind::map  ? asked.map
                                                       : asked.reduce;
  const std::optional<Bytes>& own = kind == Kind::master ? job.memory.master
                                    : kind == Kind::map  ? job.memory.map
                                                         : job.memory.reduce;
  const Count memory = std::max<Count>(1, mebibytes(own.value_or(usual.memory)));
  return {divide_up(memory, minimum_allocation()) * minimum_allocation(),
          asked.count_vcores ? usual.vcores : 0};
}

void NodeModel::read_requests(const Workload& workload) {
  for (const Kind kind : {Kind::master, Kind::map, Kind::reduce}) {
    Count& least = smallest[static_cast<std::size_t>(kind)];
    least = request({}, kind).memory;
    for (const Job& job : workload.jobs) {
      if ((kind == Kind::map && job.maps.empty()) || (kind == Kind::reduce && job.reduces.empty())) continue;
      const Room asked = request(job, kind);
      least = std::min(least, asked.memory);
      const std::string what =
          fmt::format("a {} of job '{}' asks for {} MiB", name_of(kind), job.id, asked.memory);
      if (cluster.limits.max_memory && asked.memory > mebibytes(*cluster.limits.max_memory)) {
        throw Infeasible(fmt::format("{}, more than the cluster's largest container of {} MiB", what,
                                     mebibytes(*cluster.limits.max_memory)),
                         "ask for less, or raise max_memory_mb");
      }
      const auto holds = [&](const NodeGroup& group) {
        return Room{mebibytes(group.memory), group.vcores}.holds(asked);
      };
      if (std::none_of(cluster.nodes.begin(), cluster.nodes.end(), holds)) {
        const std::string vcores = asked.vcores > 0 ? fmt::format(" and {} vcores", asked.vcores) : "";
        throw Infeasible(what + vcores + ": no node has the room", "ask for less, or add a larger node");
      }
    }
  }
}

void NodeModel::read_sharing(const Workload& workload) {
  for (std::vector<std::uint32_t>& most : most_sharing) most.assign(cluster.nodes.size(), 1);
  for (const Job& job : workload.jobs) {
    const std::size_t tasks[3] = {1, job.maps.size(), job.reduces.size()};
    for (std::size_t row = 0; row < cluster.nodes.size() && !job.classes.empty(); ++row) {
      const auto found = job.classes.find(cluster.nodes[row].node_class);
      if (found == job.classes.end()) continue;
      for (const Kind kind : {Kind::map, Kind::reduce}) {
        const auto at = static_cast<std::size_t>(kind);
        const auto together =
            std::min<std::size_t>(static_cast<std::size_t>(found->second.parallelism), tasks[at]);
        most_sharing[at][row] = std::max(most_sharing[at][row], static_cast<std::uint32_t>(together));
      }
    }
  }
}

// Upper bound: the longest attempt, as a straggler that reads off the rack, and everything around it.
std::uint64_t NodeModel::spread_of(const Workload& workload) const {
  const auto times = [](Factor factor) {
    return static_cast<double>(factor) / static_cast<double>(unit_factor);
  };
  double slowest = 1;
  for (const Factor factor : group_factor) slowest = std::max(slowest, times(factor));
  double longest = 0;
  const auto consider = [&](Duration work, double slower) {
    longest = std::max(longest, static_cast<double>(to_ms(work)) * std::max(1.0, slower));
  };
  for (const Job& job : workload.jobs) {
    double own = slowest;
    for (const auto& [name, on] : job.classes) own = std::max(own, 1 / on.speed.value_or(1));
    for (const Duration map : job.maps) consider(map, own * times(locality_factor[2]));
    for (std::size_t i = 0; i < job.reduces.size(); ++i)
      consider(job.reduces[i] + std::max({job.first_shuffle(i), job.later_shuffle(i), network.overhead()}),
               own);
  }
  const Masters& masters = cluster.masters;
  const double around = static_cast<double>(
      4 * (period() + launch()) + 4 * static_cast<std::uint64_t>(to_ms(masters.start + masters.finish +
                                                                       masters.stop + masters.heartbeat)));
  constexpr double most = 1e18, slack = 1.001, some = 10'000;
  return static_cast<std::uint64_t>(
      std::min(most, longest * slack * std::max(1.0, times(straggler_factor)) + around + some));
}

void NodeModel::read_outages() {
  for (const Outage& outage : cluster.outages) {
    const auto found = node_of.find(outage.node);
    if (found == node_of.end()) {
      std::vector<std::string> names(topology.names.begin(), topology.names.end());
      throw InputError({}, "an outage of node '" + outage.node + "', which the cluster has not",
                       suggestion(outage.node, names));
    }
    changes.push_back({static_cast<std::uint64_t>(to_ms(outage.from)), false, found->second});
    if (outage.to) changes.push_back({static_cast<std::uint64_t>(to_ms(*outage.to)), true, found->second});
  }
  for (NodeIndex node = 0; node < topology.size(); ++node) {
    if (!cluster.nodes[topology.group[node]].rent) read_absences(node);
  }
  std::sort(changes.begin(), changes.end());
}

// A machine is away between the stays of its group.
void NodeModel::read_absences(NodeIndex node) {
  const auto at = [](Time time) { return static_cast<std::uint64_t>(to_ms(time)); };
  std::optional<Time> gone = Time{};
  for (const Stay& stay : stays_of(cluster.nodes[topology.group[node]])) {
    if (*gone < stay.from) {
      changes.push_back({at(*gone), false, node});
      changes.push_back({at(stay.from), true, node});
    }
    gone = stay.to;
    if (!gone) return;
  }
  changes.push_back({at(*gone), false, node});
}

NodeModel::DrawnOutcome NodeModel::outcome(std::uint64_t work, std::uint64_t job, double own_failure,
                                           Kind kind, std::uint32_t task, std::uint32_t attempt,
                                           NodeIndex node) const {
  if (!draws_fates) return {work, work, false};
  enum What : unsigned { fails = 1, fraction = 2, slow = 3 };
  if (drawn(seed, job, kind, task, attempt, slow) < cluster.faults.straggler)
    work = scaled(work, straggler_factor);
  const double failure = 1 - (1 - group_failure[topology.group[node]]) * (1 - own_failure);
  if (drawn(seed, job, kind, task, attempt, fails) >= failure) return {work, work, false};
  const auto part =
      static_cast<Factor>(drawn(seed, job, kind, task, attempt, fraction) * static_cast<double>(unit_factor));
  return {scaled(work, part), work, true};
}

Estimate NodeModel::on_class(const NominalEstimate& nominal, Kind kind, ClassId node_class,
                             const std::vector<Factor>& factors) const {
  const auto row = std::find(topology.node_class.begin(), topology.node_class.end(), node_class);
  if (row == topology.node_class.end()) return nominal.at_speed_1();
  const Factor first = factors[static_cast<std::size_t>(row - topology.node_class.begin())];
  return {scaled(nominal.work.mean, first) + nominal.shuffle.mean,
          scaled(nominal.work.max, slowest(kind, node_class, factors)) + nominal.shuffle.max};
}

Duration NodeModel::quantile_on(const Job& known, Kind kind, ClassId node_class,
                                const std::vector<Factor>& factors, double q) const {
  std::vector<Duration> lengths = kind == Kind::map      ? known.maps
                                  : kind == Kind::reduce ? known.reduces
                                                         : std::vector<Duration>();
  const Factor factor = slowest(kind, node_class, factors);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = scaled(lengths[i], factor);
    if (kind == Kind::reduce) lengths[i] += std::max(known.first_shuffle(i), known.later_shuffle(i));
  }
  return order_statistic(std::move(lengths), q);
}

// Rows with slots of the kind count; if there are none, all rows of the class. Without rows, 1.
Factor NodeModel::slowest(Kind kind, ClassId node_class, const std::vector<Factor>& factors) const {
  std::optional<Factor> with_slots, of_all;
  NodeIndex first = 0;  // node of the row
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    const NodeIndex node = first;
    first += static_cast<NodeIndex>(cluster.nodes[row].count);
    if (topology.node_class[row] != node_class) continue;
    of_all = std::max(factors[row], of_all.value_or(0));
    if (slots(node, kind) > 0) with_slots = std::max(factors[row], with_slots.value_or(0));
  }
  return with_slots.value_or(of_all.value_or(unit_factor));
}

std::vector<Factor> NodeModel::factors_of(const Job& job) const {
  std::vector<Factor> factors = group_factor;
  if (job.classes.empty()) return factors;
  for (const auto& [name, on] : job.classes) {
    if (!on.speed) continue;
    const auto found = std::find(topology.classes.begin(), topology.classes.end(), name);
    const auto node_class = static_cast<ClassId>(found - topology.classes.begin());
    std::optional<Factor> own;
    for (std::size_t row = 0; row < factors.size(); ++row) {
      if (topology.node_class[row] != node_class) continue;
      if (!own) own = factor(1 / *on.speed, "the speed of job '" + job.id + "' on class '" + name + "'");
      factors[row] = *own;
    }
  }
  return factors;
}

Blocks NodeModel::blocks_of(const Job& job, Blocks memory) const {
  if (!places) return {};
  SplitMix random(seed ^ hash_of(job.id));
  Blocks blocks = std::move(memory);
  blocks.first.clear();
  blocks.nodes.clear();
  blocks.first.reserve(job.maps.size() + 1);
  blocks.nodes.reserve(job.maps.size() * placement.copies());
  blocks.first.push_back(0);
  for (std::size_t map = 0; map < job.maps.size(); ++map) {
    if (map < job.splits.size()) add_hosts(job.splits[map], blocks.nodes);
    if (blocks.nodes.size() == blocks.first.back()) {
      blocks.nodes.resize(blocks.nodes.size() + placement.copies());
      placement.place(random, std::span(blocks.nodes).subspan(blocks.first.back()));
    }
    blocks.first.push_back(static_cast<std::uint32_t>(blocks.nodes.size()));
  }
  return blocks;
}

void NodeModel::add_hosts(const std::vector<std::string>& hosts, std::vector<NodeIndex>& nodes) const {
  for (const std::string& host : hosts) {
    const auto found = node_of.find(host);
    if (found != node_of.end()) nodes.push_back(found->second);
  }
}

}  // namespace wavewright::sim
