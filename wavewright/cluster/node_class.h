// A class of nodes: its power, and the label that jobs ask for. A row `[classes.NAME]` of the cluster file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

// The paper's energy model leaves open whether each task draws its own power or a node draws one power while
// it works [UNL §6.2]. Both are offered.
enum class DrawnBy : std::uint8_t {
  task,  // each running task adds its power
  node,  // a node with running tasks adds the power of the one that draws most, once
};

// All powers in watts, not negative. Absent: as the rows of `[[nodes]]` say (NodeGroup::power_busy_w).
struct NodeClass {
  // As a YARN node label. A job that names a labelled class among its `classes` asks for the label [UNL
  // §6.1.1].
  std::string label;
  DrawnBy drawn_by = DrawnBy::task;
  std::optional<double> idle_w, busy_w;             // of the class's rows that give none
  std::optional<double> map_w, reduce_w, master_w;  // that a running task of the kind adds
  // A measured curve: the node's power with 1, 2, … running tasks, idle power included. More tasks than it
  // has entries draw the last one. It replaces the powers of tasks, and those of jobs; a task adds its mean
  // step (cluster/power.h).
  std::vector<double> curve_w;
  double off_w = 0;   // while the machine is away by schedule, bid or lease
  double wake_j = 0;  // joules of a boot: of each lease, at its request

  friend bool operator==(const NodeClass&, const NodeClass&) = default;
};

// Carbon dioxide that a kWh of the grid causes, from an instant on.
struct CarbonIntensity {
  Time from{};
  double grams_per_kwh = 0;

  friend bool operator==(const CarbonIntensity&, const CarbonIntensity&) = default;
};

}  // namespace wavewright
