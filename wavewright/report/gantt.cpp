#include "wavewright/report/gantt.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "wavewright/report/charts.h"
#include "wavewright/report/grid.h"
#include "wavewright/report/html.h"
#include "wavewright/report/labels.h"
#include "wavewright/report/palette.h"
#include "wavewright/report/svg.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double plot_pixels = 480;  // width of the plot on the narrowest page that we design for
constexpr double character_pixels = 6.8;
constexpr double label_height = 15;
constexpr int stack_height = 200;
// Halved thrice these still divide the chart into widths of two decimals, so that no seams show.
constexpr int finest_columns = 1000;
constexpr int coarsest_columns = 125;

struct Panel {
  Kind kind;
  const std::vector<TaskRecord>* tasks;
  Count slots;
  GanttForm form;
};

double row_height(Count slots) {
  return std::clamp(220.0 / static_cast<double>(slots), 4.0, 18.0);
}

// Between rows, where they are high enough to bear it.
double row_gap(Count slots) {
  return row_height(slots) < 6 ? 0 : 1;
}

Grid grid_of(const Panel& panel, Duration horizon, int columns) {
  if (panel.form == GanttForm::stack) {
    return stack_grid(*panel.tasks, panel.slots, horizon, columns, stack_height);
  }
  return slot_grid(*panel.tasks, panel.slots, horizon, columns, row_height(panel.slots));
}

// Shapes of each job in a group of its own, so that all of a job can be lit together.
std::string groups(const std::map<std::int32_t, std::string>& shapes, std::size_t jobs) {
  std::string html;
  for (const auto& [job, shape] : shapes) {
    html += fmt::format(R"(<g class="job {}" data-j="{}">{}</g>)",
                        job_class(static_cast<std::size_t>(job), jobs), job, shape);
  }
  return html;
}

std::string task_boxes(const Panel& panel, const Analysis& analysis) {
  const double height = row_height(panel.slots), gap = row_gap(panel.slots);
  const double per_ms = chart_width / static_cast<double>(analysis.horizon.count());
  std::map<std::int32_t, std::string> shapes;
  for (const TaskRecord& task : *panel.tasks) {
    const double width = static_cast<double>((task.end - task.start).count()) * per_ms;
    shapes[static_cast<std::int32_t>(task.job)] += fmt::format(
        R"(<rect x="{}" y="{}" width="{}" height="{}"{} data-t="{},{},{},{}"/>)",
        number(static_cast<double>(to_ms(task.start)) * per_ms), number(task.slot * height + gap / 2),
        number(width), number(height - gap), width < 6 ? " class=\"thin\"" : "", task.task, task.slot,
        to_ms(task.start), to_ms(task.end));
  }
  return groups(shapes, analysis.jobs().size());
}

// Halves the columns until the chart is small enough, and gives the grid that was drawn.
std::string merged_boxes(const Panel& panel, const Analysis& analysis) {
  Grid grid;
  std::vector<Rectangle> found;
  for (int columns = finest_columns;; columns /= 2) {
    grid = grid_of(panel, analysis.horizon, columns);
    found = rectangles(grid);
    if (found.size() <= gantt_shapes_limit || columns <= coarsest_columns) break;
  }
  const double gap = panel.form == GanttForm::runs ? row_gap(panel.slots) : 0;
  std::map<std::int32_t, Path> paths;
  for (const Rectangle& r : found) {
    const auto x = [&](int column) { return column * chart_width / grid.columns; };
    for (int row = r.row; row < r.row + (gap > 0 ? r.rows : 1); ++row) {
      const double height = gap > 0 ? grid.row_height - gap : r.rows * grid.row_height;
      paths[r.job].rectangle(x(r.column), row * grid.row_height + gap / 2, x(r.columns), height);
    }
  }
  std::map<std::int32_t, std::string> shapes;
  for (const auto& [job, path] : paths) shapes[job] = path.element("class=\"merged\"");
  return groups(shapes, analysis.jobs().size());
}

std::string chips(const Panel& panel, const Analysis& analysis) {
  std::string html;
  const Grid grid = grid_of(panel, analysis.horizon, 480);
  const auto needed = [&](std::int32_t job) {
    const auto characters = length(job_label(analysis.jobs()[static_cast<std::size_t>(job)]));
    return 14 + character_pixels * static_cast<double>(characters);
  };
  for (const LabelSpot& spot : place_labels(grid, plot_pixels, label_height, needed)) {
    html +=
        fmt::format(R"(<span class="chip" style="left:{}%;top:{}px">{}</span>)", number(spot.x * 100),
                    number(spot.y), isolated(job_label(analysis.jobs()[static_cast<std::size_t>(spot.job)])));
  }
  return html;
}

std::string panel_html(const Panel& panel, const Analysis& analysis, const std::vector<Tick>& ticks,
                       std::string_view schedule) {
  if (panel.slots == 0) return "";
  const std::string_view name = panel.kind == Kind::map ? "map" : "reduce";
  const bool stacked = panel.form == GanttForm::stack;
  const double height = stacked ? stack_height : row_height(panel.slots) * static_cast<double>(panel.slots);
  const std::string title = fmt::format("{} slots over time, {}", capitalised(name), schedule);
  const std::string description =
      fmt::format("{} on {} slots; the table of jobs below has the same times as text",
                  counted(static_cast<Count>(panel.tasks->size()), fmt::format("{} task", name)),
                  count_text(panel.slots));
  std::string area =
      fmt::format("<div class=\"lane\" data-k=\"{}\">", name) + open_chart(height, title, description);
  area += vertical_lines(ticks, height);
  area += panel.form == GanttForm::tasks ? task_boxes(panel, analysis) : merged_boxes(panel, analysis);
  area += "</svg>" + chips(panel, analysis) + "</div>";
  const std::string gutter =
      fmt::format("<b>{}s</b><small>{}</small>", capitalised(name), counted(panel.slots, "slot")) +
      (stacked ? gutter_ticks({{1, count_text(panel.slots)}, {0, "0"}}) : "");
  return plot(gutter, area, stacked ? "stacked" : "rows");
}

// Lines over both panels: the proven bound, the end of the schedule, and the time saved.
std::string marks(const Analysis& analysis, const ScheduleView& view, bool compared) {
  const Axis axis = Axis::linear(analysis.horizon);
  const double end = axis.position(view.result->makespan);
  std::string html;
  const Duration baseline = analysis.schedules.front().result->makespan;
  if (compared && view.result->makespan < baseline) {
    const double width = axis.position(baseline) - end;
    html += fmt::format(
        R"(<div class="saved" style="left:{}%;width:{}%">{}</div>)", number(end * 100), number(width * 100),
        width < 0.16
            ? ""
            : fmt::format("<span><b>{}</b><br>{}</span>", change_text(view.result->makespan - baseline),
                          percent_change_text(relative(view.result->makespan, baseline))));
  }
  if (analysis.has_bound()) {
    html += fmt::format(R"(<i class="rule bound" style="left:{}%"></i>)",
                        number(axis.position(analysis.data->makespan_bound) * 100));
  }
  html += fmt::format(R"(<i class="rule finish" style="left:{}%"></i>)", number(end * 100));
  html += pin(end, "ends at <b>" + duration_text(view.result->makespan) + "</b>", "finish");
  return "<div class=\"marks\">" + html + "</div>";
}

}  // namespace

GanttForm gantt_form(Count slots, std::size_t tasks) {
  if (slots > gantt_rows_limit) return GanttForm::stack;
  return tasks > gantt_tasks_limit ? GanttForm::runs : GanttForm::tasks;
}

std::string gantt_chart(const Analysis& analysis, std::size_t schedule) {
  const ScheduleView& view = analysis.schedules[schedule];
  const SlotPool& pool = analysis.data->pool;
  const std::size_t tasks = view.result->trace.size();
  const Axis axis = Axis::linear(analysis.horizon);
  const std::vector<Tick> ticks = axis.ticks(8);
  std::string html =
      fmt::format(R"(<figure class="gantt"><figcaption><i class="swatch line p{}"></i>{}</figcaption>)",
                  std::min<std::size_t>(schedule, 3), escape(capitalised(view.label)));
  html += "<div class=\"panels\">";
  html += panel_html({Kind::map, &view.maps, pool.map_slots, gantt_form(pool.map_slots, tasks)}, analysis,
                     ticks, view.label);
  html += panel_html({Kind::reduce, &view.reduces, pool.reduce_slots, gantt_form(pool.reduce_slots, tasks)},
                     analysis, ticks, view.label);
  html += marks(analysis, view, schedule > 0) + "</div>";
  std::string below = axis_row(ticks);
  if (analysis.has_bound()) {
    below +=
        "<div class=\"axis second\">" +
        pin(axis.position(analysis.data->makespan_bound),
            "no schedule ends before <b>" + duration_text(analysis.data->makespan_bound) + "</b>", "bound") +
        "</div>";
  }
  return html + plot("", below) + "</figure>";
}

std::string gantt_legend(const Analysis& analysis) {
  const std::vector<ReportJob>& jobs = analysis.jobs();
  std::string html = "<div class=\"legend\">";
  if (jobs.size() <= distinct_jobs) {
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      const bool named = !jobs[job].name.empty() && jobs[job].name != jobs[job].id;
      html += fmt::format(R"(<span class="key" data-j="{}"><i class="swatch {}"></i>{}{}</span>)", job,
                          job_class(job, jobs.size()), isolated(job_label(jobs[job])),
                          named ? " <small>" + isolated(shortened(jobs[job].name, 24)) + "</small>" : "");
    }
  } else {
    html += "<span class=\"key\">submitted first <span class=\"scale\">";
    for (std::size_t step = 0; step < scale_steps; ++step) html += fmt::format("<i class=\"s{}\"></i>", step);
    html += fmt::format("</span> last</span><span>A job keeps its colour in every chart; {}.</span>",
                        counted(static_cast<Count>(jobs.size()), "job"));
  }
  return html + "</div>";
}

}  // namespace wavewright::report
