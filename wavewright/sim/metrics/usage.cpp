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

// Cost of all nodes up to `end`, USD.
double cost_until(const Cluster& cluster, Time end) {
  double cost = 0;
  for (const NodeGroup& group : cluster.nodes) {
    if (group.price_per_hour == 0 && group.spot.empty()) continue;
    cost += static_cast<double>(group.count) * cost_of(group, end);
  }
  return cost;
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

UsageSums::UsageSums(const Cluster& cluster, const Workload* workload, std::optional<Duration> width)
    : cluster_(cluster), rows_(rows_of(cluster)) {
  if (knows_power(cluster)) meter_.emplace(cluster, workload, width);
}

void UsageSums::add(const TaskRecord& task) {
  const Time from = time_.adds_from(task);
  if (task.kind == Kind::master) {
    late_.push_back({task, from});
  } else {
    latest_ = std::max(latest_, task.end);
    pass_on(task, from, task.end);
  }
  for (; !late_.empty() && late_.front().task.end <= latest_; late_.pop_front())
    pass_on(late_.front().task, late_.front().from, late_.front().task.end);
}

void UsageSums::pass_on(const TaskRecord& task, Time from, Time to) {
  const NodeIndex node = (*node_of_)(task);
  use(task, node, from, to);
  if (meter_) meter_->add(task, node, from, to);
}

void UsageSums::end_at(Time makespan) {
  for (const auto& [task, from] : late_)
    pass_on(task, from, std::clamp(task.end, from, std::max(from, makespan)));
  late_.clear();
}

std::optional<RunEnergy> UsageSums::finish_energy(const SimulationResult& result) {
  return meter_ ? std::optional(meter_->finish(result)) : std::nullopt;
}

NodeUsageSums::NodeUsageSums(const Cluster& cluster, const Workload* workload)
    : UsageSums(cluster, workload, std::nullopt), usage_(rows_.size()) {}

void NodeUsageSums::use(const TaskRecord& task, NodeIndex at, Time from, Time to) {
  NodeUsage& node = usage_.at(at);
  const Duration busy = to - from;
  const double seconds = static_cast<double>(to_ms(busy)) / ms_per_second;
  (task.kind == Kind::master ? node.masters : task.kind == Kind::map ? node.maps : node.reduces) += 1;
  if (task.kind != Kind::master) (task.kind == Kind::map ? node.map_busy : node.reduce_busy) += busy;
  node.memory_busy += task.memory * seconds;
}

std::vector<NodeUsage> NodeUsageSums::finish(const SimulationResult& result) {
  const Time end = Time{} + result.makespan;
  end_at(end);
  energy_ = finish_energy(result);
  for (std::size_t i = 0; i < usage_.size(); ++i) {
    usage_[i].node = static_cast<NodeIndex>(i);
    if (energy_) usage_[i].energy_j = to_joules(energy_->nodes[i].total());
    usage_[i].cost_usd = cost_of(cluster_.nodes[rows_[i]], end);
  }
  for (const Lease& lease : result.leases)
    usage_[lease.node].cost_usd += lease_cost(lease, group_of(lease.node), end);
  return std::move(usage_);
}

IntervalUsageSums::IntervalUsageSums(const Cluster& cluster, Duration width, const Workload* workload)
    : UsageSums(cluster, workload, width), width_(width) {
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

void IntervalUsageSums::use(const TaskRecord& task, NodeIndex, Time from, Time to) {
  for (Time begin = from; begin < to;) {
    const Time end = std::min(to, Time{} + ((begin - Time{}) / width_ + 1) * width_);
    IntervalUsage& interval = at(begin);
    const double seconds = static_cast<double>(to_ms(end - begin)) / ms_per_second;
    if (task.kind != Kind::master)
      (task.kind == Kind::map ? interval.map_busy : interval.reduce_busy) += end - begin;
    interval.memory_busy += task.memory * seconds;
    begin = end;
  }
  if (task.kind == Kind::map && cluster_.reads.kind != Reads::Kind::anywhere)
    count_place(at(task.start), task.locality);
}

std::vector<IntervalUsage> IntervalUsageSums::finish(const SimulationResult& result) {
  const Time end = Time{} + result.makespan;
  end_at(end);
  close(end, result.leases);
  if (const std::optional<RunEnergy> energy = finish_energy(result)) {
    // What was drawn at the very end counts in the last interval.
    for (std::size_t i = 0; i < energy->intervals.size() && !intervals_.empty(); ++i)
      intervals_[std::min(i, intervals_.size() - 1)].energy_j += to_joules(energy->intervals[i]);
  }
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
    double until = cost_until(cluster_, each.to);
    for (const Lease& lease : leases) until += lease_cost(lease, group_of(lease.node), each.to);
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
auto summed_up(Sums& sums, const SimulationResult& result) {
  sums.begin(result.nodes);
  for (const TaskRecord& task : result.trace) sums.add(task);
  return sums.finish(result);
}

}  // namespace

std::vector<NodeUsage> usage_by_node(const SimulationResult& result, const Cluster& cluster,
                                     const Workload* workload) {
  NodeUsageSums sums(cluster, workload);
  return summed_up(sums, result);
}

std::vector<IntervalUsage> usage_by_interval(const SimulationResult& result, const Cluster& cluster,
                                             Duration width, const Workload* workload) {
  IntervalUsageSums sums(cluster, width, workload);
  return summed_up(sums, result);
}

std::optional<RunEnergy> energy_of_run(const SimulationResult& result, const Cluster& cluster,
                                       const Workload* workload) {
  NodeUsageSums sums(cluster, workload);
  (void)summed_up(sums, result);
  return sums.energy();
}

}  // namespace wavewright
