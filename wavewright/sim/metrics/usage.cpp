#include "wavewright/sim/metrics/usage.h"

#include <algorithm>

#include "wavewright/cluster/presence.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr double ms_per_second = 1000;
constexpr std::int64_t most_intervals = 1'000'000;

// The row of Cluster::nodes of each node.
std::vector<std::size_t> rows_of(const Cluster& cluster) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    rows.insert(rows.end(), static_cast<std::size_t>(cluster.nodes[row].count), row);
  }
  return rows;
}

// Idle energy of all nodes that are present, J.
double idle_energy(const Cluster& cluster, Time from, Time to) {
  double energy = 0;
  for (const NodeGroup& group : cluster.nodes) {
    energy += static_cast<double>(group.count) * group.power_idle_w *
              static_cast<double>(to_ms(time_there(group, from, to))) / ms_per_second;
  }
  return energy;
}

// Cost of all nodes up to `end`, USD.
double cost_until(const Cluster& cluster, Time end) {
  double cost = 0;
  for (const NodeGroup& group : cluster.nodes) {
    if (group.price_per_hour == 0 && group.spot.empty()) continue;
    cost += static_cast<double>(group.count) * cost_of(group, end);
  }
  return cost;
}

// Time that a leased machine was present between `from` and `to`.
Duration lease_time(const Lease& lease, Time from, Time to) {
  if (!lease.joined) return {};
  const Time begin = std::max(from, *lease.joined), end = std::min(to, lease.left.value_or(to));
  return end > begin ? end - begin : Duration{};
}

// Cost of a lease up to `end`, USD.
double lease_cost(const Lease& lease, const NodeGroup& group, Time end) {
  if (!lease.billed_from || *lease.billed_from >= end) return 0;
  const bool over = lease.left && *lease.left <= end;
  return to_usd(bill(group, lease.bid.has_value(), *lease.billed_from, over ? *lease.left : end,
                     over && lease.revoked()));
}

void count_place(IntervalUsage& interval, Locality locality) {
  ++(locality == Locality::node   ? interval.node_local
     : locality == Locality::rack ? interval.rack_local
                                  : interval.off_rack);
}

}  // namespace

UsageTotals totals_of(const std::vector<NodeUsage>& nodes) {
  UsageTotals totals;
  for (const NodeUsage& node : nodes) {
    totals.energy_j += node.energy_j;
    totals.cost_usd += node.cost_usd;
  }
  return totals;
}

bool knows_power(const Cluster& cluster) {
  return std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                     [](const NodeGroup& group) { return group.power_idle_w > 0 || group.power_busy_w > 0; });
}

bool knows_prices(const Cluster& cluster) {
  return std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                     [](const NodeGroup& group) { return group.price_per_hour > 0 || !group.spot.empty(); });
}

NodesOfTasks::NodesOfTasks(const std::vector<std::string>& nodes, const Cluster& cluster)
    : known_(!nodes.empty()), names_(nodes) {
  if (known_) return;
  const Topology topology = expand(cluster);
  names_ = topology.names;
  if (names_.size() == 1 && cluster.nodes.front().hosts.empty()) names_ = {"pool"};
  Count maps = 0, reduces = 0;
  for (const std::uint32_t group : topology.group) {
    map_slots_.push_back(maps += cluster.nodes[group].slots.map_slots);
    reduce_slots_.push_back(reduces += cluster.nodes[group].slots.reduce_slots);
  }
}

NodeIndex NodesOfTasks::operator()(const TaskRecord& task) const {
  if (known_) return task.node;
  const std::vector<Count>& slots = task.kind == Kind::reduce ? reduce_slots_ : map_slots_;
  return static_cast<NodeIndex>(std::upper_bound(slots.begin(), slots.end(), Count{task.slot}) -
                                slots.begin());
}

UsageSums::UsageSums(const Cluster& cluster) : cluster_(cluster), rows_(rows_of(cluster)) {}

double UsageSums::watts(NodeIndex node, std::uint32_t memory) const {
  const NodeGroup& group = group_of(node);
  const bool containers = cluster_.mode.kind == ClusterMode::Kind::containers;
  const Count whole =
      containers ? group.memory.count >> 20 : group.slots.map_slots + group.slots.reduce_slots;
  const Count taken = containers ? Count{memory} : 1;
  if (whole == 0) return 0;
  return (group.power_busy_w - group.power_idle_w) * static_cast<double>(taken) / static_cast<double>(whole);
}

void UsageSums::add(const TaskRecord& task) {
  const Time from = time_.adds_from(task);
  if (task.kind == Kind::master) {
    late_.push_back({task, from});
  } else {
    latest_ = std::max(latest_, task.end);
    use(task, (*node_of_)(task), from, task.end);
  }
  for (; !late_.empty() && late_.front().task.end <= latest_; late_.pop_front())
    use(late_.front().task, (*node_of_)(late_.front().task), late_.front().from, late_.front().task.end);
}

void UsageSums::end_at(Time makespan) {
  for (const auto& [task, from] : late_)
    use(task, (*node_of_)(task), from, std::clamp(task.end, from, std::max(from, makespan)));
  late_.clear();
}

NodeUsageSums::NodeUsageSums(const Cluster& cluster) : UsageSums(cluster), usage_(rows_.size()) {}

void NodeUsageSums::use(const TaskRecord& task, NodeIndex at, Time from, Time to) {
  NodeUsage& node = usage_.at(at);
  const Duration busy = to - from;
  const double seconds = static_cast<double>(to_ms(busy)) / ms_per_second;
  (task.kind == Kind::master ? node.masters : task.kind == Kind::map ? node.maps : node.reduces) += 1;
  if (task.kind != Kind::master) (task.kind == Kind::map ? node.map_busy : node.reduce_busy) += busy;
  node.memory_busy += task.memory * seconds;
  node.energy_j += watts(at, task.memory) * seconds;
}

std::vector<NodeUsage> NodeUsageSums::finish(const SimulationResult& result) {
  const Time end = Time{} + result.makespan;
  end_at(end);
  for (std::size_t i = 0; i < usage_.size(); ++i) {
    const NodeGroup& group = cluster_.nodes[rows_[i]];
    usage_[i].node = static_cast<NodeIndex>(i);
    const Duration there = time_there(group, Time{}, end);
    usage_[i].energy_j += group.power_idle_w * static_cast<double>(to_ms(there)) / ms_per_second;
    usage_[i].cost_usd = cost_of(group, end);
  }
  for (const Lease& lease : result.leases) {
    const NodeGroup& group = group_of(lease.node);
    const Duration there = lease_time(lease, Time{}, end);
    usage_[lease.node].energy_j += group.power_idle_w * static_cast<double>(to_ms(there)) / ms_per_second;
    usage_[lease.node].cost_usd += lease_cost(lease, group, end);
  }
  return std::move(usage_);
}

IntervalUsageSums::IntervalUsageSums(const Cluster& cluster, Duration width)
    : UsageSums(cluster), width_(width) {
  if (width <= Duration{}) throw UsageError("an interval of no time", "give one like 60s");
}

// The interval that contains the instant.
IntervalUsage& IntervalUsageSums::at(Time time) {
  const std::int64_t index = (time - Time{}) / width_;
  if (index >= most_intervals) throw UsageError("more than a million intervals", "give longer ones");
  if (static_cast<std::size_t>(index) >= intervals_.size())
    intervals_.resize(static_cast<std::size_t>(index) + 1);
  return intervals_[static_cast<std::size_t>(index)];
}

void IntervalUsageSums::use(const TaskRecord& task, NodeIndex node, Time from, Time to) {
  const double watts_more = watts(node, task.memory);
  for (Time begin = from; begin < to;) {
    const Time end = std::min(to, Time{} + ((begin - Time{}) / width_ + 1) * width_);
    IntervalUsage& interval = at(begin);
    const double seconds = static_cast<double>(to_ms(end - begin)) / ms_per_second;
    if (task.kind != Kind::master)
      (task.kind == Kind::map ? interval.map_busy : interval.reduce_busy) += end - begin;
    interval.memory_busy += task.memory * seconds;
    interval.energy_j += watts_more * seconds;
    begin = end;
  }
  if (task.kind == Kind::map && cluster_.reads.kind != Reads::Kind::anywhere)
    count_place(at(task.start), task.locality);
}

std::vector<IntervalUsage> IntervalUsageSums::finish(const SimulationResult& result) {
  const Time end = Time{} + result.makespan;
  end_at(end);
  close(end, result.leases);
  count_jobs(result);
  return std::move(intervals_);
}

// Keeps as many intervals as the makespan has; maps that began at its very end count in the last one.
void IntervalUsageSums::close(Time makespan, const std::vector<Lease>& leases) {
  const std::int64_t count = (makespan - Time{} + width_ - ms(1)) / width_;
  if (count > most_intervals) throw UsageError("more than a million intervals", "give longer ones");
  const auto kept = static_cast<std::size_t>(count);
  for (std::size_t i = kept; kept > 0 && i < intervals_.size(); ++i) {
    IntervalUsage& last = intervals_[kept - 1];
    last.node_local += intervals_[i].node_local;
    last.rack_local += intervals_[i].rack_local;
    last.off_rack += intervals_[i].off_rack;
  }
  intervals_.resize(kept);
  double spent = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    IntervalUsage& each = intervals_[i];
    each.from = Time{} + width_ * static_cast<std::int64_t>(i);
    each.to = std::min(each.from + width_, makespan);
    each.energy_j += idle_energy(cluster_, each.from, each.to);
    double until = cost_until(cluster_, each.to);
    for (const Lease& lease : leases) {
      const NodeGroup& group = group_of(lease.node);
      each.energy_j += group.power_idle_w *
                       static_cast<double>(to_ms(lease_time(lease, each.from, each.to))) / ms_per_second;
      until += lease_cost(lease, group, each.to);
    }
    each.cost_usd = std::max(0.0, until - spent);
    spent = until;
  }
}

// Counts at the intervals' ends: starts less ends, summed up.
void IntervalUsageSums::count_jobs(const SimulationResult& result) {
  if (intervals_.empty()) return;
  const auto index = [&](Time time) {
    return std::min(static_cast<std::size_t>((time - Time{}) / width_), intervals_.size() - 1);
  };
  std::vector<Count> started(intervals_.size());
  for (const JobOutcome& job : result.jobs) {
    if (job.rejected) continue;
    // After a stop: skips jobs not yet submitted, starts of jobs not started, and ends of jobs not ended.
    if (job.unfinished && job.submit >= Time{} + result.makespan) continue;
    ++intervals_[index(job.submit)].arrived;
    if (!job.unfinished || job.start < job.finish) ++started[index(job.start)];
    if (!job.unfinished) ++intervals_[index(job.finish)].finished;
  }
  Count arrived = 0, begun = 0, finished = 0;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    arrived += intervals_[i].arrived;
    begun += started[i];
    finished += intervals_[i].finished;
    intervals_[i].waiting = arrived - begun;
    intervals_[i].running = begun - finished;
  }
}

namespace {

template <class Sums>
auto summed_up(Sums sums, const SimulationResult& result) {
  sums.begin(result.nodes);
  for (const TaskRecord& task : result.trace) sums.add(task);
  return sums.finish(result);
}

}  // namespace

std::vector<NodeUsage> usage_by_node(const SimulationResult& result, const Cluster& cluster) {
  return summed_up(NodeUsageSums(cluster), result);
}

std::vector<IntervalUsage> usage_by_interval(const SimulationResult& result, const Cluster& cluster,
                                             Duration width) {
  return summed_up(IntervalUsageSums(cluster, width), result);
}

}  // namespace wavewright
