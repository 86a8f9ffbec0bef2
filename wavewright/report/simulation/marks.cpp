#include "wavewright/report/simulation/marks.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/grid.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/simulation/figures.h"

namespace wavewright::report {

namespace {

constexpr int columns = 500;  // for merging marks

double x_of(const SimulationView& view, Time time) {
  return chart_width * static_cast<double>(to_ms(time)) / static_cast<double>(view.horizon.count());
}

std::uint32_t row_of(const SimulationView& view, const Panel& panel, std::uint32_t lane) {
  return panel.form == GanttForm::nodes ? view.node_row[view.lane_node[lane]] : lane;
}

std::string stroke(const Path& path, std::string_view css_class, double width) {
  if (path.empty()) return "";
  return path.element(fmt::format(R"(class="over {}" stroke-width="{}")", css_class, number(width)));
}

double line_width(const Panel& panel) {
  return std::clamp(panel.row_height * 0.2, 1.5, 3.0);
}

// The middle of a row, so that colour is visible on both sides.
double middle_of(const Panel& panel, std::uint32_t row) {
  return (row + 0.5) * panel.row_height;
}

// Reduces and masters as separate cells, for panels that merge tasks.
std::string merged_kinds(const Panel& panel, Duration horizon) {
  std::vector<TaskRecord> tasks = *panel.tasks;
  for (TaskRecord& task : tasks) task.job = static_cast<JobIndex>(task.kind);
  const Grid grid = slot_grid(tasks, panel.rows, horizon, columns, panel.row_height);
  Path reduces;
  for (const Rectangle& found : rectangles(grid)) {
    if (found.job != static_cast<std::int32_t>(Kind::reduce)) continue;
    const double from = found.column * chart_width / columns;
    for (int row = found.row; row < found.row + found.rows; ++row) {
      const double y = middle_of(panel, static_cast<std::uint32_t>(row));
      reduces.line(from, y, from + found.columns * chart_width / columns, y);
    }
  }
  return stroke(reduces, "of-reduce", line_width(panel));
}

std::string merged_outcomes(const SimulationView& view, const Panel& panel) {
  std::set<std::pair<std::uint32_t, int>> failed, lost;  // row, column
  for (const TaskRecord& task : *panel.tasks) {
    if (!came_to_nothing(task)) continue;
    const auto column = static_cast<int>(x_of(view, task.end) * columns / chart_width);
    (task.outcome == AttemptOutcome::failed ? failed : lost)
        .emplace(task.slot, std::min(column, columns - 1));
  }
  const auto ticks = [&](const std::set<std::pair<std::uint32_t, int>>& cells, std::string_view css_class) {
    Path path;
    for (const auto& [row, column] : cells) {
      const double x = (column + 0.5) * chart_width / columns;
      path.line(x, row * panel.row_height, x, (row + 1) * panel.row_height);
    }
    return stroke(path, css_class, 2);
  };
  return ticks(lost, "tick lost") + ticks(failed, "tick failed");
}

// Hatching is drawn as a dashed line along the middle, as thick as the box.
std::string boxes_marked(const SimulationView& view, const Panel& panel) {
  Path reduces, masters, failed, lost;
  for (const TaskRecord& task : *panel.tasks) {
    const double from = x_of(view, task.start), to = std::max(from + 1.5, x_of(view, task.end));
    const double middle = middle_of(panel, task.slot);
    if (task.kind == Kind::reduce) reduces.line(from, middle, to, middle);
    if (task.kind == Kind::master) masters.line(from, middle, to, middle);
    if (!came_to_nothing(task)) continue;
    (task.outcome == AttemptOutcome::failed ? failed : lost).line(from, middle, to, middle);
  }
  const double height = panel.row_height - panel.row_gap();
  return stroke(reduces, "of-reduce", line_width(panel)) + stroke(masters, "of-master", height * 0.3) +
         stroke(lost, "hatch lost", height) + stroke(failed, "hatch failed", height);
}

}  // namespace

std::string away_shapes(const SimulationView& view, const Panel& panel) {
  Path path;
  const auto lanes = static_cast<std::uint32_t>(view.lane_node.size());
  for (std::uint32_t begin = 0, end = 0; begin < lanes; begin = end) {
    const NodeIndex node = view.lane_node[begin];
    while (end < lanes && view.lane_node[end] == node) ++end;
    const std::uint32_t first = row_of(view, panel, begin), last = row_of(view, panel, end - 1);
    for (const Stay& away : view.absences[node]) {
      path.rectangle(x_of(view, away.from), first * panel.row_height,
                     x_of(view, *away.to) - x_of(view, away.from), (last - first + 1) * panel.row_height);
    }
  }
  return path.empty() ? "" : path.element("class=\"away\"");
}

std::string away_stack(const SimulationView& view, const Panel& panel, Kind kind) {
  std::vector<TaskRecord> spans;
  for (NodeIndex node = 0; node < view.absences.size(); ++node) {
    const SlotPool& slots = view.cluster().nodes[view.group[node]].slots;
    for (const Stay& away : view.absences[node]) {
      TaskRecord span;
      span.start = away.from;
      span.end = *away.to;
      span.memory = static_cast<std::uint32_t>(kind == Kind::reduce ? slots.reduce_slots : slots.map_slots);
      spans.push_back(span);
    }
  }
  const std::vector<double> away = use_over_time(spans, view.horizon, view.columns, Measure::memory);
  Path path;
  for (std::size_t begin = 0, end = 0; begin < away.size(); begin = end) {
    while (end < away.size() && away[end] == away[begin]) ++end;
    const double height = panel.height() * away[begin] / static_cast<double>(panel.rows);
    const double width = chart_width / static_cast<double>(view.columns);
    if (height > 0)
      path.rectangle(static_cast<double>(begin) * width, 0, static_cast<double>(end - begin) * width, height);
  }
  return path.empty() ? "" : path.element("class=\"away\"");
}

std::string task_marks(const SimulationView& view, const Panel& panel) {
  if (panel.form == GanttForm::tasks) return boxes_marked(view, panel);
  return merged_kinds(panel, view.horizon) + merged_outcomes(view, panel);
}

std::string node_lines(const SimulationView& view, const Panel& panel) {
  if (panel.form == GanttForm::nodes || std::ssize(view.lane_node) == view.node_rows) return "";
  Path path;
  for (std::size_t lane = 1; lane < view.lane_node.size(); ++lane) {
    const double y = static_cast<double>(lane) * panel.row_height;
    if (view.lane_node[lane] != view.lane_node[lane - 1]) path.line(0, y, chart_width, y);
  }
  return stroke(path, "between", 2);
}

std::string mark_keys(const SimulationView& view, GanttForm form) {
  std::array<bool, 3> kinds{};
  bool failed = false, lost = false;
  for (const TaskRecord& task : view.tasks) {
    kinds.at(static_cast<std::size_t>(task.kind)) = true;
    failed = failed || task.outcome == AttemptOutcome::failed;
    lost = lost || (came_to_nothing(task) && task.outcome != AttemptOutcome::failed);
  }
  const bool boxes = form == GanttForm::tasks, rows = form != GanttForm::stack;
  std::string html;
  if (rows && kinds[static_cast<std::size_t>(Kind::reduce)])
    html += key("mark-reduce", form == GanttForm::nodes ? "mostly reduces" : "reduce");
  if (boxes && kinds[static_cast<std::size_t>(Kind::master)])
    html += key("mark-master", "application master");
  if (rows && failed) html += key(boxes ? "mark-failed" : "tick-failed", "attempt failed");
  if (rows && lost) html += key(boxes ? "mark-lost" : "tick-lost", "attempt lost or killed");
  if (view.absent && (rows || !view.containers())) html += key("mark-away", "node away");
  return html;
}

}  // namespace wavewright::report
