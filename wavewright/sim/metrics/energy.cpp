#include "wavewright/sim/metrics/energy.h"

#include <algorithm>
#include <tuple>

#include "wavewright/cluster/presence.h"
#include "wavewright/cluster/topology.h"

namespace wavewright {

namespace {

// From the second intensity on; the first holds from the beginning.
std::vector<Time> changes_of(const std::vector<CarbonIntensity>& carbon) {
  std::vector<Time> changes;
  for (std::size_t i = 1; i < carbon.size(); ++i) changes.push_back(carbon[i].from);
  return changes;
}

// Parts of a whole in proportion to weights, or equal if all weights are 0. What division leaves goes to the
// first ones.
std::vector<MicroJoules> parts_of(MicroJoules whole, const std::vector<Milliwatts>& weights) {
  __extension__ using Wide = __int128;
  Wide sum = 0;
  for (const Milliwatts weight : weights) sum += weight;
  std::vector<MicroJoules> parts;
  MicroJoules left = whole;
  for (const Milliwatts weight : weights) {
    parts.push_back(sum == 0 ? whole / static_cast<MicroJoules>(weights.size())
                             : static_cast<MicroJoules>(Wide{whole} * weight / sum));
    left -= parts.back();
  }
  for (std::size_t i = 0; left > 0; ++i, --left) ++parts[i];
  return parts;
}

}  // namespace

MicroJoules EnergyParts::total() const {
  MicroJoules sum = 0;
  for (const MicroJoules part : {idle, work, off, wake}) add_energy(sum, part);
  return sum;
}

EnergyParts& EnergyParts::operator+=(const EnergyParts& other) {
  add_energy(idle, other.idle);
  add_energy(work, other.work);
  add_energy(off, other.off);
  add_energy(wake, other.wake);
  return *this;
}

TimeCuts::TimeCuts(std::vector<Time> cuts) : cuts_(std::move(cuts)) {
  std::erase_if(cuts_, [](Time cut) { return cut <= Time{}; });
}

std::size_t TimeCuts::index(Time at) const {
  if (width_) return static_cast<std::size_t>((at - Time{}) / *width_);
  return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), at) - cuts_.begin());
}

Time TimeCuts::begin(std::size_t index) const {
  if (width_) return Time{} + *width_ * static_cast<std::int64_t>(index);
  return index == 0 ? Time{} : cuts_.at(index - 1);
}

std::optional<Time> TimeCuts::end(std::size_t index) const {
  if (width_) return begin(index + 1);
  return index < cuts_.size() ? std::optional(cuts_[index]) : std::nullopt;
}

EnergyMeter::EnergyMeter(const Cluster& cluster, const Workload* workload, std::optional<Duration> width)
    : cluster_(cluster),
      workload_(workload),
      model_(cluster),
      intervals_(width ? TimeCuts(*width) : TimeCuts()),
      grid_(changes_of(cluster.carbon)),
      has_intervals_(width.has_value()) {
  const Topology topology = expand(cluster);
  rows_.assign(topology.group.begin(), topology.group.end());
  energy_.nodes.resize(rows_.size());
  energy_.class_names = topology.classes;
  energy_.classes.resize(topology.classes.size());
}

void EnergyMeter::add(const TaskRecord& task, NodeIndex node, Time from, Time to) {
  if (from >= to) return;
  const std::size_t row = rows_.at(node);
  const Job* const job = workload_ == nullptr ? nullptr : &workload_->jobs.at(task.job);
  const Milliwatts power = model_.task(row, static_cast<PoweredKind>(task.kind), task.memory, job);
  if (model_.of_row(row).needs_state()) {
    kept_.push_back({node, task.job, power, from, to});
  } else {
    draw(node, task.job, power, from, to);
  }
}

// Work of a job on a node.
void EnergyMeter::draw(NodeIndex node, JobIndex job, Milliwatts power, Time from, Time to) {
  const MicroJoules energy = energy_of(power, to - from);
  if (job >= energy_.jobs.size()) energy_.jobs.resize(std::size_t{job} + 1);
  add_energy(energy_.jobs[job], energy);
  add_energy(energy_.nodes[node].work, energy);
  spread(power, from, to);
}

namespace {

template <class Add>
void over_each(const TimeCuts& cuts, Time from, Time to, const Add& add) {
  for (Time begin = from; begin < to;) {
    const std::size_t index = cuts.index(begin);
    const Time end = std::min(to, cuts.end(index).value_or(to));
    add(index, end - begin);
    begin = end;
  }
}

MicroJoules& at_index(std::vector<MicroJoules>& sums, std::size_t index) {
  if (index >= sums.size()) sums.resize(index + 1);
  return sums[index];
}

}  // namespace

// Adds power to the sums over time.
void EnergyMeter::spread(Milliwatts power, Time from, Time to) {
  const auto to_sums = [&](const TimeCuts& cuts, std::vector<MicroJoules>& sums) {
    over_each(cuts, from, to, [&](std::size_t index, Duration time) {
      add_energy(at_index(sums, index), energy_of(power, time));
    });
  };
  if (has_intervals_) to_sums(intervals_, by_interval_);
  if (!cluster_.carbon.empty()) to_sums(grid_, by_grid_);
}

void EnergyMeter::spend(Time at, MicroJoules energy) {
  if (has_intervals_) add_energy(at_index(by_interval_, intervals_.index(at)), energy);
  if (!cluster_.carbon.empty()) add_energy(at_index(by_grid_, grid_.index(at)), energy);
}

// The work of nodes whose power depends on the tasks that run at once: from one change to the next.
void EnergyMeter::split_kept() {
  std::sort(kept_.begin(), kept_.end(), [](const Span& a, const Span& b) {
    return std::tie(a.node, a.from, a.job, a.to, a.power) < std::tie(b.node, b.from, b.job, b.to, b.power);
  });
  for (auto first = kept_.cbegin(); first != kept_.cend();) {
    const auto last = std::find_if(first, kept_.cend(), [&](const Span& s) { return s.node != first->node; });
    split_node(first, last);
    first = last;
  }
  kept_.clear();
}

// The spans of one node, in order of start.
void EnergyMeter::split_node(Spans first, Spans last) {
  std::vector<Time> changes;
  for (auto span = first; span != last; ++span) {
    changes.push_back(span->from);
    changes.push_back(span->to);
  }
  std::sort(changes.begin(), changes.end());
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  std::vector<const Span*> running;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    std::erase_if(running, [&](const Span* span) { return span->to <= changes[i]; });
    for (; first != last && first->from == changes[i]; ++first) running.push_back(&*first);
    if (!running.empty()) split(running, changes[i], changes[i + 1]);
  }
}

// Just these run on their node from `from` to `to`.
void EnergyMeter::split(const std::vector<const Span*>& running, Time from, Time to) {
  const NodeIndex node = running.front()->node;
  const NodePower& power = model_.of_row(rows_[node]);
  std::vector<Milliwatts> weights;
  weights.reserve(running.size());
  for (const Span* span : running) weights.push_back(power.curve.empty() ? span->power : 1);
  const Milliwatts drawn = power.curve.empty()
                               ? *std::max_element(weights.begin(), weights.end())
                               : power.curve[std::min(running.size(), power.curve.size()) - 1];
  const std::vector<MicroJoules> parts = parts_of(energy_of(drawn, to - from), weights);
  for (std::size_t i = 0; i < running.size(); ++i) {
    if (running[i]->job >= energy_.jobs.size()) energy_.jobs.resize(std::size_t{running[i]->job} + 1);
    add_energy(energy_.jobs[running[i]->job], parts[i]);
    add_energy(energy_.nodes[node].work, parts[i]);
  }
  spread(drawn, from, to);
}

namespace {

// Calls `add` for each time of the group's presence within the run.
template <class Add>
void over_stays(const NodeGroup& group, Time end, const Add& add) {
  for (const Stay& stay : stays_of(group)) {
    const Time to = stay.to ? std::min(*stay.to, end) : end;
    if (stay.from < to) add(stay.from, to);
  }
}

}  // namespace

// A node is idle where it is present and off where it is not: first off all the time, then the difference.
void EnergyMeter::present(NodeIndex node, Time from, Time to) {
  const NodePower& power = model_.of_row(rows_[node]);
  add_energy(energy_.nodes[node].idle, energy_of(power.idle, to - from));
  add_energy(energy_.nodes[node].off, -energy_of(power.off, to - from));
}

void EnergyMeter::stand_by(const SimulationResult& result) {
  const Time end = Time{} + result.makespan;
  std::size_t node = 0;
  for (std::size_t row = 0; row < cluster_.nodes.size(); ++row) {
    const NodeGroup& group = cluster_.nodes[row];
    const NodePower& power = model_.of_row(row);
    spread(power.off * group.count, Time{}, end);
    over_stays(group, end,
               [&](Time from, Time to) { spread((power.idle - power.off) * group.count, from, to); });
    for (Count i = 0; i < group.count; ++i, ++node) {
      energy_.nodes[node].off = energy_of(power.off, result.makespan);
      over_stays(group, end, [&](Time from, Time to) { present(static_cast<NodeIndex>(node), from, to); });
    }
  }
  for (const Lease& lease : result.leases) {
    const NodePower& power = model_.of_row(rows_.at(lease.node));
    add_energy(energy_.nodes[lease.node].wake, power.wake);
    spend(std::min(lease.requested, end), power.wake);
    if (!lease.joined) continue;
    const Time to = std::min(end, lease.left.value_or(end));
    if (*lease.joined >= to) continue;
    spread(power.idle - power.off, *lease.joined, to);
    present(lease.node, *lease.joined, to);
  }
}

RunEnergy EnergyMeter::finish(const SimulationResult& result) {
  split_kept();
  stand_by(result);
  const Topology topology = expand(cluster_);
  for (std::size_t node = 0; node < rows_.size(); ++node) {
    energy_.all += energy_.nodes[node];
    energy_.classes[topology.node_class[rows_[node]]] += energy_.nodes[node];
  }
  energy_.jobs.resize(std::max(energy_.jobs.size(), result.jobs.size()));
  if (has_intervals_) energy_.intervals = std::move(by_interval_);
  if (!cluster_.carbon.empty()) {
    constexpr double microjoules_per_kwh = 3.6e12;
    energy_.carbon_g = 0;
    for (std::size_t i = 0; i < by_grid_.size(); ++i)
      *energy_.carbon_g +=
          cluster_.carbon.at(i).grams_per_kwh * static_cast<double>(by_grid_[i]) / microjoules_per_kwh;
  }
  return std::move(energy_);
}

}  // namespace wavewright
