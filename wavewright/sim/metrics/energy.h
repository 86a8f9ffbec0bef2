// Energy of a run: of idle nodes and of the work on them, by node, class, job and time, in whole µJ.
//
//     E_total = Σ over nodes (P_idle · time present + P_off · time away + wakes) + work      [UNL §6.2]
//     E_map = E_total − P_idle · T: a task's work is what its node draws above idle          [UNL eq 6.4]
//
// Idle power is drawn from a node's joining to its leaving, or to the makespan; in an outage, too. A machine
// that is away by schedule, bid or lease draws its power when off, also while it boots; each lease adds a
// wake-up at its request, even if the machine never joins. Tasks that share a slot draw its power once.
//
// Work of a node while tasks run on it (cluster/node_class.h): the sum of their powers; the greatest of them
// (drawn_by = "node"); or the measured curve at their number. In the two last cases the work is split among
// the tasks in proportion to their powers (by the curve: equally). The microjoules that a division leaves go
// to the tasks that started first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/power.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct EnergyParts {
  MicroJoules idle = 0, work = 0, off = 0, wake = 0;

  [[nodiscard]] MicroJoules total() const;
  EnergyParts& operator+=(const EnergyParts& other);
  friend bool operator==(const EnergyParts&, const EnergyParts&) = default;
};

struct RunEnergy {
  EnergyParts all;
  std::vector<EnergyParts> nodes;    // by node
  std::vector<EnergyParts> classes;  // as `class_names`
  std::vector<std::string> class_names;
  std::vector<MicroJoules> jobs;       // work, by job
  std::vector<MicroJoules> intervals;  // all that was drawn in each; as EnergyMeter's width
  std::optional<double> carbon_g;      // if the cluster file tells the grid's intensity
};

// Times at which sums are cut: regular, or a given list. Interval 0 begins at time 0.
class TimeCuts {
 public:
  TimeCuts() = default;  // one interval without end
  explicit TimeCuts(Duration width) : width_(width) {}
  explicit TimeCuts(std::vector<Time> cuts);  // in order; those at or before time 0 are dropped

  [[nodiscard]] std::size_t index(Time at) const;  // of the interval [from, to) that contains it
  [[nodiscard]] Time begin(std::size_t index) const;
  [[nodiscard]] std::optional<Time> end(std::size_t index) const;  // none = never

 private:
  std::optional<Duration> width_;
  std::vector<Time> cuts_;
};

// Adds up the energy of tasks one by one. Keeps them only where a node's power depends on which tasks run at
// once: 40 bytes a task.
class EnergyMeter {
 public:
  // `workload`: for the jobs' own powers; may be null, must outlive the meter. `width`: of the intervals of
  // RunEnergy; none = no intervals.
  explicit EnergyMeter(const Cluster& cluster, const Workload* workload = nullptr,
                       std::optional<Duration> width = std::nullopt);

  // The task drew power on its node from `from` to `to`: as UsageSums::use. O(intervals that it touches).
  void add(const TaskRecord& task, NodeIndex node, Time from, Time to);
  // `result`: of the simulation. O(nodes · prices + leases + intervals · node rows; kept tasks · log of them,
  // times those at once on a node).
  [[nodiscard]] RunEnergy finish(const SimulationResult& result);

 private:
  struct Span {
    NodeIndex node = 0;
    JobIndex job = 0;
    Milliwatts power = 0;
    Time from{}, to{};
  };
  void draw(NodeIndex node, JobIndex job, Milliwatts power, Time from, Time to);
  void spend(Time at, MicroJoules energy);
  void spread(Milliwatts power, Time from, Time to);
  using Spans = std::vector<Span>::const_iterator;
  void split_kept();
  void split_node(Spans first, Spans last);
  void split(const std::vector<const Span*>& running, Time from, Time to);
  void present(NodeIndex node, Time from, Time to);
  void stand_by(const SimulationResult& result);

  Cluster cluster_;
  const Workload* workload_;
  PowerModel model_;
  std::vector<std::size_t> rows_;  // by node
  std::vector<Span> kept_;
  TimeCuts intervals_, grid_;
  bool has_intervals_ = false;
  std::vector<MicroJoules> by_interval_, by_grid_;
  RunEnergy energy_;
};

}  // namespace wavewright
