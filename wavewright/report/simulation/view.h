// A simulated run looked at from the sides that several sections of its page need.
#pragma once

#include <string>
#include <vector>

#include "wavewright/cluster/presence.h"
#include "wavewright/report/analysis.h"
#include "wavewright/report/panels.h"
#include "wavewright/report/simulation_report.h"

namespace wavewright::report {

struct SimulationView {
  SimulationReport data;
  std::vector<ReportJob> jobs;
  ScheduleView schedule;                    // labelled with the policy's name
  std::vector<std::string> node_names;      // by node
  std::vector<std::uint32_t> group;         // by node: row of Cluster::nodes
  std::vector<std::vector<Stay>> absences;  // by node, up to the horizon
  bool absent = false;                      // whether there is any
  // The trace with the node where it ran, and with the lane for a slot: a node's lanes are its map slots and
  // then its reduce slots, or as many as it had containers or, where tasks share slots, tasks at once. By
  // lane, then start.
  std::vector<TaskRecord> tasks;
  // Where tasks share slots or containers, what each adds to the time that they are in use; else empty.
  std::vector<TaskRecord> additions;
  std::vector<NodeIndex> lane_node;  // by lane
  // The time axis ends at `horizon`, a whole number of equal columns.
  Duration horizon{};
  Duration column{};
  int columns = 1;

  [[nodiscard]] const SimulationResult& result() const { return *data.result; }
  [[nodiscard]] const Cluster& cluster() const { return *data.cluster; }
  [[nodiscard]] const Workload& workload() const { return *data.workload; }
  [[nodiscard]] bool containers() const { return cluster().mode.kind == ClusterMode::Kind::containers; }
  [[nodiscard]] bool places() const { return cluster().reads.kind != Reads::Kind::anywhere; }
  [[nodiscard]] bool shares() const { return !additions.empty(); }
  [[nodiscard]] const std::vector<TaskRecord>& uses() const { return shares() ? additions : tasks; }
  [[nodiscard]] std::vector<Tick> ticks() const { return Axis::linear(horizon).ticks(8); }
};

// What `data` points to must outlive the result. Throws InternalError as write_simulation_report says.
// O(tasks · log tasks + nodes).
[[nodiscard]] SimulationView view_of(const SimulationReport& data);

}  // namespace wavewright::report
