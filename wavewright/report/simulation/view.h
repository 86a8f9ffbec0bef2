// Derives from a simulated run what several sections of its page need.
#pragma once

#include <string>
#include <vector>

#include "wavewright/cluster/presence.h"
#include "wavewright/report/analysis.h"
#include "wavewright/report/page/panels.h"
#include "wavewright/report/simulation_report.h"

namespace wavewright::report {

struct SimulationView {
  SimulationReport data;
  std::vector<ReportJob> jobs;
  ScheduleView schedule;                    // labelled with the policy's name
  std::vector<std::string> node_names;      // by node
  std::vector<std::uint32_t> group;         // by node: row of Cluster::nodes
  std::vector<std::vector<Stay>> absences;  // by node, up to the horizon
  bool absent = false;                      // are there any absences?
  // The trace with `node` as the node's index and `slot` as the lane. A node's lanes are its map slots, then
  // its reduce slots; or as many as it had containers at once; or, if tasks share slots, tasks at once.
  // Sorted by lane, then start.
  std::vector<TaskRecord> tasks;
  // If tasks share slots or containers: the time that each adds to their use; else empty.
  std::vector<TaskRecord> additions;
  std::vector<NodeIndex> lane_node;  // by lane
  // By node, its row where each node has one. A machine that was never rented has neither lanes nor a row.
  std::vector<std::uint32_t> node_row;
  Count node_rows = 0;
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

// `data` must outlive the result. Throws as write_simulation_report does. O(tasks · log tasks + nodes).
[[nodiscard]] SimulationView view_of(const SimulationReport& data);

}  // namespace wavewright::report
