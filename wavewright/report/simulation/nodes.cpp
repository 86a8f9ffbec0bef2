// The table of nodes: their work, failures and costs.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/simulation/figures.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright::report {

namespace {

struct NodeRow {
  NodeUsage usage;
  double busy = 0;  // share of its slot time, or of its memory, until the makespan
  Count failed = 0;
  Count lost = 0;
  Count killed = 0;
  Duration away{};
};

struct Shown {
  bool racks = false, classes = false, incidents = false, away = false, energy = false, cost = false;
};

// Relative to all slots of the node, or to its memory.
double busy_share(const NodeUsage& node, const SimulationView& view) {
  const NodeGroup& group = view.cluster().nodes[view.group[node.node]];
  const auto time = static_cast<double>(to_ms(view.result().makespan));
  if (view.containers())
    return share_of(node.memory_busy * 1000, static_cast<double>(group.memory.count >> 20), time);
  return share_of(static_cast<double>(to_ms(node.map_busy + node.reduce_busy)),
                  static_cast<double>(group.slots.map_slots + group.slots.reduce_slots), time);
}

std::vector<NodeRow> rows_of(const SimulationView& view) {
  std::vector<NodeRow> rows;
  for (const NodeUsage& usage : usage_by_node(view.result(), view.cluster(), &view.workload())) {
    NodeRow& row = rows.emplace_back();
    row.usage = usage;
    row.busy = busy_share(usage, view);
    for (const Stay& away : view.absences[usage.node])
      row.away += std::min(*away.to, Time{} + view.result().makespan) -
                  std::min(away.from, Time{} + view.result().makespan);
  }
  for (const TaskRecord& task : view.tasks) {
    if (task.outcome == AttemptOutcome::failed) ++rows[task.node].failed;
    if (task.outcome == AttemptOutcome::lost) ++rows[task.node].lost;
    if (task.outcome == AttemptOutcome::killed) ++rows[task.node].killed;
  }
  return rows;
}

Shown shown_of(const SimulationView& view, const std::vector<NodeRow>& rows) {
  Shown shown;
  const std::vector<NodeGroup>& groups = view.cluster().nodes;
  for (const NodeGroup& group : groups) {
    shown.racks = shown.racks || group.rack != groups.front().rack;
    shown.classes = shown.classes || group.node_class != groups.front().node_class;
  }
  for (const NodeRow& row : rows) {
    shown.incidents = shown.incidents || row.failed + row.lost + row.killed > 0;
    shown.away = shown.away || row.away > Duration{};
    shown.energy = shown.energy || row.usage.energy_j > 0;
    shown.cost = shown.cost || row.usage.cost_usd > 0;
  }
  return shown;
}

std::string head_of(const SimulationView& view, const Shown& shown) {
  std::string html = "<thead><tr>" + heading("Node", false) + heading("Rack", false);
  if (shown.classes) html += heading("Class", false);
  html +=
      heading(view.containers() ? "Memory in use" : "Slots in use") + heading("Maps") + heading("Reduces");
  if (view.containers()) html += heading("Masters");
  if (shown.incidents) html += heading("Failed") + heading("Lost") + heading("Killed");
  if (shown.away) html += heading("Away");
  if (shown.energy) html += heading("Energy, kWh");
  if (shown.cost) html += heading("Cost, USD");
  return html + "</tr></thead>";
}

std::string row_of(const NodeRow& row, const SimulationView& view, const Shown& shown) {
  const NodeGroup& group = view.cluster().nodes[view.group[row.usage.node]];
  const auto count = [](Count value) { return value_cell(static_cast<double>(value), count_text(value)); };
  std::string html = fmt::format(R"(<tr><th scope="row" data-v="{}">{}</th><td>{}</td>)", row.usage.node,
                                 isolated(shortened(view.node_names[row.usage.node], 40)),
                                 isolated(shortened(group.rack, 40)));
  if (shown.classes) html += fmt::format("<td>{}</td>", isolated(shortened(group.node_class, 40)));
  html += value_cell(row.busy,
                     fmt::format(R"(<i style="width:{}%"></i><span>{}</span>)",
                                 number(std::min(1.0, row.busy) * 100), percent_text(row.busy)),
                     "n load");
  html += count(row.usage.maps) + count(row.usage.reduces);
  if (view.containers()) html += count(row.usage.masters);
  if (shown.incidents) html += count(row.failed) + count(row.lost) + count(row.killed);
  if (shown.away) html += value_cell(static_cast<double>(to_ms(row.away)), duration_text(row.away));
  if (shown.energy) html += value_cell(row.usage.energy_j, decimal_text(row.usage.energy_j / joules_per_kwh));
  if (shown.cost) html += value_cell(row.usage.cost_usd, decimal_text(row.usage.cost_usd));
  return html + "</tr>\n";
}

// All nodes, or the busiest, in the cluster's order.
std::vector<std::size_t> listed(const std::vector<NodeRow>& rows) {
  std::vector<std::size_t> nodes(rows.size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  if (nodes.size() <= job_table_limit) return nodes;
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].busy > rows[b].busy; });
  nodes.resize(job_table_limit);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

std::string nodes_section(const SimulationView& view) {
  if (view.node_names.size() < 2) return "";  // the summary covers a single pool
  const std::vector<NodeRow> all = rows_of(view);
  const Shown shown = shown_of(view, all);
  const std::vector<std::size_t> nodes = listed(all);
  std::string rows;
  for (const std::size_t node : nodes) rows += row_of(all[node], view, shown);
  std::string introduction =
      fmt::format("Shares are of {} until the makespan.",
                  view.containers() ? "all of a node's memory" : "all slot time of a node");
  if (nodes.size() < all.size())
    introduction += fmt::format(
        " The {} that were busiest of {}; <code>wavewright simulate --nodes</code> lists all.",
        counted(static_cast<Count>(nodes.size()), "node"), count_text(static_cast<Count>(all.size())));
  return section("nodes", "Node by node", introduction,
                 long_table("node-table", "Nodes", "node or rack", head_of(view, shown), rows));
}

}  // namespace wavewright::report
