#include "wavewright/cloud/bound/cost_bound.h"

#include <algorithm>
#include <cmath>

#include "wavewright/cloud/bound/cheapest_work.h"
#include "wavewright/cluster/presence.h"
#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright {

namespace {

constexpr double unlimited_time = 1e15;  // ms
constexpr std::size_t patience = 30;     // rounds without a gain
constexpr double least_gain = 1e-5;
constexpr double most_steps = 4e7;  // cells looked at in all iterations together

bool rents(const Cluster& cluster) {
  return cluster.mode.kind == ClusterMode::Kind::slots &&
         std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                     [](const NodeGroup& group) { return group.rent; });
}

// The instants at which windows begin or end.
std::vector<double> edges_of(const std::vector<JobWindows>& windows) {
  std::vector<double> edges;
  for (const JobWindows& job : windows) {
    if (!job.needed) continue;
    for (const StageWindow* stage : {&job.maps, &job.reduces}) {
      edges.push_back(stage->from);
      if (!std::isinf(stage->to)) edges.push_back(stage->to);
    }
  }
  return edges;
}

class Dual {
 public:
  Dual(const std::vector<JobWindows>& windows, const Cluster& cluster, const TimeCells& cells)
      : cells_(cells), fair_(cells, cluster), cheapest_(cells) {
    for (const JobWindows& job : windows) {
      if (!job.needed) continue;
      if (job.maps.work > 0) maps_.push_back(job.maps);
      if (job.reduces.work > 0) reduces_.push_back(job.reduces);
    }
    count_free(cluster);
  }

  // Micro-USD.
  [[nodiscard]] double maximise() {
    double best = 0;
    for (const double share : {1.0, 0.0}) {
      Worths worths = fair_.start(share);
      best = std::max(best, value_of(worths));
    }
    Worths worths = fair_.start(0.5);
    const std::size_t rounds = this->rounds();
    std::size_t better = 0;  // the round of the last gain that counts
    for (std::size_t round = 0; round < rounds && round < better + patience; ++round) {
      const double value = value_of(worths);
      if (value > best * (1 + least_gain)) better = round;
      best = std::max(best, value);
      step(worths, 1.0 / std::sqrt(1.0 + static_cast<double>(round) / 4));
    }
    return best;
  }

 private:
  // Slot time of the nodes that are there without rent, in work.
  void count_free(const Cluster& cluster) {
    free_ = {std::vector<double>(cells_.count(), 0.0), std::vector<double>(cells_.count(), 0.0)};
    for (const NodeGroup& group : cluster.nodes) {
      if (group.rent) continue;
      const double nodes = static_cast<double>(group.count) * group.speed;
      for (const Stay& stay : stays_of(group)) {
        const auto from = static_cast<double>(to_ms(stay.from));
        const double to = stay.to ? static_cast<double>(to_ms(*stay.to)) : unlimited_time;
        for (std::size_t cell = cells_.at(from); cell < cells_.count() && cells_.edges[cell] < to; ++cell) {
          const double end = cell < cells_.finite() ? std::min(to, cells_.edges[cell + 1]) : to;
          const double time = nodes * (end - std::max(from, cells_.edges[cell]));
          free_.map[cell] += time * static_cast<double>(group.slots.map_slots);
          free_.reduce[cell] += time * static_cast<double>(group.slots.reduce_slots);
        }
      }
    }
  }

  // Behind the last edge work is free wherever a node stays, and worthless where none is for rent.
  void settle(Worths& worths) const {
    const std::size_t last = cells_.count() - 1;
    if (free_.map[last] > 0 || fair_.map_rate() <= 0) worths.map[last] = 0;
    if (free_.reduce[last] > 0 || fair_.reduce_rate() <= 0) worths.reduce[last] = 0;
  }

  [[nodiscard]] std::size_t rounds() const {
    double cells = static_cast<double>(cells_.count());
    for (const auto* stages : {&maps_, &reduces_}) {
      for (const StageWindow& stage : *stages) cells += static_cast<double>(cheapest_.cells_of(stage));
    }
    return static_cast<std::size_t>(std::clamp(most_steps / cells, 4.0, 150.0));
  }

  // Makes the worths fair, and notes where work is done.
  [[nodiscard]] double value_of(Worths& worths) {
    settle(worths);
    fair_.mend(worths);
    use_ = {std::vector<double>(cells_.count(), 0.0), std::vector<double>(cells_.count(), 0.0)};
    double value = 0;
    for (const StageWindow& stage : maps_) value += cheapest_.place(stage, worths.map, use_.map);
    for (const StageWindow& stage : reduces_) value += cheapest_.place(stage, worths.reduce, use_.reduce);
    for (std::size_t cell = 0; cell < cells_.count(); ++cell)
      value -= worths.map[cell] * free_.map[cell] + worths.reduce[cell] * free_.reduce[cell];
    return value;
  }

  // Machines that a cell lacks on the average.
  [[nodiscard]] double lacking(std::size_t cell, const std::vector<double>& use,
                               const std::vector<double>& free, double rate) const {
    constexpr double without_end = 7'200'000;
    if (rate <= 0) return 0;
    return (use[cell] - free[cell]) / rate / (cell < cells_.finite() ? cells_.length(cell) : without_end);
  }

  void step(Worths& worths, double size) const {
    double squares = 0;
    const auto each = [&](const auto& act) {
      for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
        act(worths.map[cell], lacking(cell, use_.map, free_.map, fair_.map_rate()));
        act(worths.reduce[cell], lacking(cell, use_.reduce, free_.reduce, fair_.reduce_rate()));
      }
    };
    each([&](double, double lacks) { squares += lacks * lacks; });
    const double usual = std::sqrt(squares / static_cast<double>(2 * cells_.count()));
    if (usual <= 0) return;
    each(
        [&](double& worth, double lacks) { worth *= std::exp(size * std::clamp(lacks / usual, -2.0, 2.0)); });
  }

  const TimeCells& cells_;
  FairWorths fair_;
  CheapestWork cheapest_;
  std::vector<StageWindow> maps_, reduces_;
  Worths free_, use_;  // work, not worth, of each cell
};

}  // namespace

std::optional<Money> cost_bound(const Workload& workload, const Cluster& cluster,
                                const std::vector<bool>& in_time) {
  if (!rents(cluster)) return std::nullopt;
  const std::vector<JobWindows> windows = StageWindows(workload, cluster).windows(in_time);
  const TimeCells cells = cells_at(edges_of(windows), cluster);
  return Money{static_cast<std::int64_t>(std::floor(Dual(windows, cluster, cells).maximise()))};
}

std::vector<bool> jobs_in_time(const Workload& workload, const SimulationResult& result) {
  std::vector<bool> in_time(workload.jobs.size());
  for (std::size_t i = 0; i < in_time.size(); ++i) {
    const std::optional<Time>& deadline = workload.jobs[i].deadline;
    in_time[i] = is_done(result.jobs[i]) && (!deadline || result.jobs[i].finish <= *deadline);
  }
  return in_time;
}

std::optional<CostBounds> cost_bounds(const Workload& workload, const Cluster& cluster,
                                      const SimulationResult& result) {
  if (!rents(cluster)) return std::nullopt;
  CostBounds bounds;
  const std::vector<bool> in_time = jobs_in_time(workload, result);
  bounds.as_the_run = *cost_bound(workload, cluster, in_time);
  if (!impossible_deadlines(workload, cluster).empty()) return bounds;
  const bool all = std::find(in_time.begin(), in_time.end(), false) == in_time.end();
  bounds.all_in_time =
      all ? bounds.as_the_run : *cost_bound(workload, cluster, std::vector<bool>(in_time.size(), true));
  return bounds;
}

}  // namespace wavewright
