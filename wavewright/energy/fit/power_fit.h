// The powers of node classes from measured energy and the tasks that ran meanwhile.
//
//     energy of a bin / its length = idle + map · maps + reduce · reduces + master · masters + error
//
// with the mean numbers of running tasks in the bin. The same with a map power for each job gives the energy
// of a job's map without idle on each class, E_map = power · mean length, and the job's factor on a class:
// E_map on the first class / E_map there  [UNL eqs 6.3, 6.4].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/energy/fit/least_squares.h"
#include "wavewright/energy/fit/task_intervals.h"
#include "wavewright/energy/meters/node_energy.h"

namespace wavewright {

struct PowerFitOptions {
  // Node names by class, in the order of the cluster file: factors are against the first. Nodes that none
  // names are of the class `default`.
  std::vector<std::pair<std::string, std::vector<std::string>>> classes;
  Duration bin = ms(5000);
  bool curve = false;  // powers by the number of tasks instead of by their kind (fit/curve_fit.h)
};

struct JobOnClass {
  std::string job;
  Count maps = 0;                            // whose output was used
  double mean_map_ms = 0;                    // their mean length
  FittedValue map_w;                         // what a running map of the job adds
  FittedValue map_j;                         // E_map, the energy of a map of mean length without idle, in J
  double speed = 1;                          // against the first class
  std::optional<FittedValue> energy_factor;  // none on the first class, and where a power may be 0
};

struct ClassPowers {
  std::string name;
  std::vector<std::string> nodes;
  Count bins = 0;
  Duration covered{};
  double r_squared = 0, correlation = 0;
  FittedValue idle_w;
  std::optional<FittedValue> map_w, reduce_w, master_w;  // none where no such task ran
  std::vector<FittedValue> curve_w;  // with 1, 2, … tasks, idle included; instead of these
  bool declared = false;             // the power of some of its nodes was declared, not measured
  std::vector<JobOnClass> jobs;
  std::vector<std::string> remarks;
};

// In the order of the classes. Throws Infeasible where no node has energy and tasks, or a class's powers
// cannot be told apart, with what to record. O(bins · jobs² + tasks log tasks).
[[nodiscard]] std::vector<ClassPowers> fit_powers(const std::vector<NodeEnergy>& nodes,
                                                  const TaskIntervals& tasks, const PowerFitOptions& options);

// `[classes.NAME]` of a cluster file (docs/formats/cluster-file.md), with the intervals as comments.
[[nodiscard]] std::string class_block(const ClassPowers& powers);

}  // namespace wavewright
