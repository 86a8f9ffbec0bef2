// The run as a Gantt chart: lanes of nodes, nodes, or bands of jobs, depending on their number.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/grid.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/simulation/figures.h"
#include "wavewright/report/simulation/marks.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double rows_pixels = 576;  // height of all rows of one chart
constexpr double name_pixels = 13;   // least height for a node's name

// The first part of a host's name, which differs between hosts; addresses in full.
std::string host_label(std::string_view name) {
  const std::size_t dot = name.find('.');
  const bool address = !name.empty() && name.front() >= '0' && name.front() <= '9';
  return std::string(address || dot == 0 ? name : name.substr(0, dot));
}

// Names of nodes in the gutter at the middle of their rows, if they fit.
std::string node_names(const SimulationView& view, const Panel& panel) {
  std::string html;
  double below = 0;
  for (std::size_t begin = 0, end = 0; begin < view.lane_node.size(); begin = end) {
    const NodeIndex node = view.lane_node[begin];
    while (end < view.lane_node.size() && view.lane_node[end] == node) ++end;
    const double rows = panel.form == GanttForm::nodes ? 1 : static_cast<double>(end - begin);
    const double first = panel.form == GanttForm::nodes ? view.node_row[node] : static_cast<double>(begin);
    const double middle = (first + rows / 2) * panel.row_height;
    if (middle - name_pixels / 2 < below - 0.5 && begin > 0) continue;
    below = middle + name_pixels / 2;
    html += fmt::format(R"(<span class="node" style="top:{}px" title="{}">{}</span>)", number(middle),
                        escape(view.node_names[node]),
                        isolated(shortened(host_label(view.node_names[node]), 24)));
  }
  return html;
}

std::string rows_html(const SimulationView& view, const PanelFrame& frame, GanttForm form) {
  std::vector<TaskRecord> tasks = view.tasks;
  if (form == GanttForm::nodes) {
    for (TaskRecord& task : tasks) task.slot = view.node_row[task.node];
    sort_by_slot(tasks);
  }
  Panel panel;
  panel.tasks = &tasks;
  panel.form = form;
  panel.rows = form == GanttForm::nodes ? view.node_rows : static_cast<Count>(view.lane_node.size());
  panel.row_height = std::clamp(rows_pixels / static_cast<double>(panel.rows), 9.0, 18.0);
  const std::string what = form == GanttForm::nodes ? "node"
                           : view.shares()          ? "place"
                           : view.containers()      ? "container"
                                                    : "slot";
  return panel_html(
      panel, frame,
      {fmt::format("Tasks over time, a row a {}", what),
       fmt::format("{} on {}; the tables of nodes and jobs below tell the same as text",
                   counted(static_cast<Count>(tasks.size()), "attempt"), counted(view.node_rows, "node")),
       node_names(view, panel)},
      away_shapes(view, panel), task_marks(view, panel) + node_lines(view, panel));
}

// Tasks of a kind as bands of their jobs. Full height: all slots of the kind, or the most memory held.
std::string stack_html(const SimulationView& view, const PanelFrame& frame, Kind kind) {
  std::vector<TaskRecord> tasks;
  for (const TaskRecord& task : view.uses()) {
    if (task.kind == kind) tasks.push_back(task);
  }
  if (tasks.empty()) return "";
  Panel panel;
  const std::string_view name = name_of(kind);
  panel.kind = name;
  panel.tasks = &tasks;
  panel.form = GanttForm::stack;
  std::string high, note, under;
  if (view.containers()) {
    panel.measure = Measure::memory;
    const std::vector<double> use = use_over_time(tasks, view.horizon, view.columns, Measure::memory);
    panel.rows = std::max<Count>(1, std::llround(std::ceil(*std::max_element(use.begin(), use.end()))));
    high = fmt::format("{} GiB", decimal_text(static_cast<double>(panel.rows) / mib_per_gib));
    note = high + " at most";
    if (kind == Kind::master) panel.stack_height = 60;
  } else {
    const SlotPool slots = view.cluster().total_slots();
    panel.rows = kind == Kind::reduce ? slots.reduce_slots : slots.map_slots;
    high = count_text(panel.rows);
    note = counted(panel.rows, "slot");
    under = away_stack(view, panel, kind);
  }
  return panel_html(panel, frame,
                    {fmt::format("{} tasks over time, a band a job", capitalised(name)),
                     fmt::format("{}; the table of jobs below tells the same as text",
                                 counted(static_cast<Count>(tasks.size()), "attempt")),
                     fmt::format("<b>{}s</b><small>{}</small>{}", capitalised(name), note,
                                 gutter_ticks({{1, high}, {0, "0"}}))},
                    under);
}

std::string introduction(const SimulationView& view, GanttForm form) {
  std::string text;
  switch (form) {
    case GanttForm::tasks:
      text = view.shares()
                 ? "Each row is a place on its node, each box a task; tasks share slots or containers."
             : view.containers() ? "Each row is a container's place on its node, each box a task."
                                 : "Each row is a slot of its node, each box a task.";
      break;
    case GanttForm::runs:
      text = "Each row is a place on its node; neighbouring tasks of a job are drawn as one.";
      break;
    case GanttForm::nodes:
      text = "Each row is a node, in the colour of the job that holds most of what is in use there.";
      break;
    case GanttForm::stack:
      text = fmt::format("Each job is a band as high as the {} that it holds, all nodes together.",
                         view.containers() ? "memory" : "slots");
  }
  return text + "<span class=\"hint\"> Point at a job to find it in every chart.</span>";
}

}  // namespace

GanttForm run_form(const SimulationView& view) {
  const auto lanes = static_cast<Count>(view.lane_node.size());
  const Count nodes = view.node_rows;
  if (lanes <= gantt_rows_limit) return gantt_form(lanes, view.tasks.size());
  // On few large nodes, the single job that a row could show would say little.
  const bool telling = nodes <= gantt_rows_limit && nodes >= 8 && lanes <= 16 * nodes;
  return telling ? GanttForm::nodes : GanttForm::stack;
}

std::string run_schedule_section(const SimulationView& view) {
  if (view.tasks.empty()) return "";
  const GanttForm form = run_form(view);
  const PanelFrame frame{view.horizon, &view.jobs, view.ticks()};
  std::string panels;
  if (form == GanttForm::stack) {
    for (const Kind kind : {Kind::map, Kind::reduce, Kind::master}) panels += stack_html(view, frame, kind);
  } else {
    panels = rows_html(view, frame, form);
  }
  const std::string legend =
      fmt::format("<div class=\"legend\">{}{}</div>", job_keys(view.jobs), mark_keys(view, form));
  const Duration makespan = view.result().makespan;
  const std::string end = finish_mark(Axis::linear(view.horizon).position(makespan), makespan);
  return section(
      "schedule", "The schedule", introduction(view, form),
      fmt::format(
          R"({}<figure class="gantt">{}<div class="panels">{}<div class="marks">{}</div></div>{}{}</figure>)",
          legend, open_zoomable("time"), panels, end,
          plot("", time_axis_row(frame.ticks, Duration{}, view.horizon)), close_zoomable()));
}

}  // namespace wavewright::report
