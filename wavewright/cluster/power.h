// Power of a cluster's nodes, and of the tasks on them, in whole milliwatts; energy in whole microjoules
// (1 µJ = 1 mW · 1 ms), so that sums are exact.
//
//     energy of a map without idle   E_map = E_total − P_idle · T    [UNL eq 6.4] = power it adds · T
//     efficiency of a class for a job   ef = E_map(first class) / E_map(class)    [UNL eq 6.3, table 6.9]
//
// The power that a map of a job adds on a class is, in this order: the mean step of the class's measured
// curve; the job's own `power_w` for the class; what its `energy_factor` makes of the power on the first
// class; the class's; the node's share of busy − idle.
//
// The mean step of a curve is its power with all slots busy, less idle, divided by the slots. That is what
// the energy of a run gives a task on a full node, and what the same class takes by its busy power. The step
// from n to n + 1 tasks would depend on what else runs, and need not be positive: a measured curve may fall.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/error.h"
#include "wavewright/job/job.h"

namespace wavewright {

using Milliwatts = std::int64_t;
using MicroJoules = std::int64_t;

[[nodiscard]] Milliwatts milliwatts(double watts);  // rounded to the nearest

// More than 9 · 10^18 µJ (2.5 GWh).
class TooMuchEnergy : public UsageError {
 public:
  TooMuchEnergy();
};

// These two throw TooMuchEnergy.
[[nodiscard]] MicroJoules energy_of(Milliwatts power, Duration time);
void add_energy(MicroJoules& sum, MicroJoules more);

constexpr double to_joules(MicroJoules energy) {
  return static_cast<double>(energy) / 1e6;
}

// In the order of Kind (sched/event.h).
enum class PoweredKind : std::uint8_t { master, map, reduce };

// The power of the nodes of one row of Cluster::nodes.
struct NodePower {
  Milliwatts idle = 0;
  Milliwatts off = 0;
  MicroJoules wake = 0;
  DrawnBy drawn_by = DrawnBy::task;
  std::optional<Milliwatts> adds[3] = {};  // a task of the kind, by PoweredKind; none = its share of `whole`
  Milliwatts whole = 0;                    // busy − idle
  bool declares_maps = false;              // the power of maps, a busy power or a curve is given, be it 0
  std::vector<Milliwatts> curve;           // more than idle, with 1, 2, … tasks; empty = none was measured

  // The power of the node above idle depends on more than the sum of its tasks' own powers.
  [[nodiscard]] bool needs_state() const { return drawn_by == DrawnBy::node || !curve.empty(); }
};

class PowerModel {
 public:
  explicit PowerModel(const Cluster& cluster);  // O(node rows)

  [[nodiscard]] const NodePower& of_row(std::size_t row) const { return rows_.at(row).power; }
  // Power that a running task adds: on a slot or, with containers, in a container of `memory` MiB. `job` may
  // be null. O(log classes of the job).
  [[nodiscard]] Milliwatts task(std::size_t row, PoweredKind kind, Count memory, const Job* job) const;
  // `ef` of the job's maps on the class's first row: the job's own factor, if it has one; 1 where no power of
  // maps is declared, here or on the first class. Declared powers of 0 W give a very large number, or a very
  // small one elsewhere if the first class declares them; 1 if both do. The job's factor does not count
  // beside a curve. `node_class` as in Topology::classes. O(log classes of the job).
  [[nodiscard]] double efficiency(const Job& job, std::uint32_t node_class) const;
  // That very large number: the job's maps are declared to add 0 W here, and more on the first class.
  [[nodiscard]] bool unlimited_efficiency(const Job& job, std::uint32_t node_class) const;
  // E_map on the class's first row, in J for each second of the map's length at speed 1; by a curve, that on
  // a full node. Maps that run together on a slot share it. None where no power of maps is declared, so that
  // they count as 0 W, or where a node draws one power while it works (DrawnBy::node). `node_class` as in
  // Topology::classes. O(log classes of the job).
  [[nodiscard]] std::optional<double> map_energy(const Job& job, std::uint32_t node_class) const;

 private:
  struct Row {
    NodePower power;
    std::string node_class;
    double speed = 1;
    Count room = 0;  // slots, or MiB
  };
  [[nodiscard]] Milliwatts mean_step(const Row& row, Count memory) const;
  [[nodiscard]] Milliwatts class_power(const Row& row, PoweredKind kind, Count memory) const;
  [[nodiscard]] std::optional<double> own_power(const Row& row, Count memory, const Job& job) const;
  [[nodiscard]] bool declares_maps(const Row& row, const Job& job) const;
  [[nodiscard]] std::optional<double> of_map_second(const Row& row, const Job& job) const;

  std::vector<Row> rows_;
  std::vector<std::size_t> first_row_;  // by class
  Count map_memory_ = 0;                // MiB of a map's container; 0 with slots
};

// Does the cluster file tell the nodes' power? A class whose `power_idle_w` is given tells it, be it 0.
[[nodiscard]] bool knows_power(const Cluster& cluster);
// Classes without any power, where the cluster file gives others some: they count as 0 W. In the order of the
// rows. A class whose `power_idle_w` is given, be it 0, is not among them.
[[nodiscard]] std::vector<std::string> classes_without_power(const Cluster& cluster);

// Throws InputError if a job has an energy_factor or a power_w for a class that no node of the cluster has,
// both for another class than the first one of the cluster, or a factor for the first one that is not 1:
// factors count from there. A flat pool (one row, without class and power) knows no classes, and takes every
// job. O(node rows · classes + jobs · their classes · classes).
void check_energy_classes(const Workload& workload, const Cluster& cluster);
// A line for each class of which jobs tell something in vain: an entry for a class that no node has, or
// energy data for a class with a measured curve, which counts instead. In the order of the classes' names. A
// flat pool knows no classes. O(node rows · classes + jobs · their classes · classes).
[[nodiscard]] std::vector<std::string> unused_class_entries(const Workload& workload, const Cluster& cluster);

}  // namespace wavewright
