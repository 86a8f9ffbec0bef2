#include "wavewright/report/page/panels.h"

#include <map>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/labels.h"
#include "wavewright/report/charts/palette.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double plot_pixels = 480;  // on the narrowest supported page
constexpr double character_pixels = 6.8;
constexpr double label_height = 15;
constexpr std::size_t label_characters = 20, short_label_characters = 9;
// Halved three times, the column width still has at most two decimals, so there are no visible seams.
constexpr int finest_columns = 1000;
constexpr int coarsest_columns = 125;

Grid grid_of(const Panel& panel, Duration horizon, int columns) {
  if (panel.form == GanttForm::stack)
    return stack_grid(*panel.tasks, panel.rows, horizon, columns, panel.stack_height, panel.measure);
  return slot_grid(*panel.tasks, panel.rows, horizon, columns, panel.row_height);
}

// Puts each job's shapes in a group, to highlight them together.
std::string groups(const std::map<std::int32_t, std::string>& shapes, std::size_t jobs) {
  std::string html;
  for (const auto& [job, shape] : shapes) {
    html += fmt::format(R"(<g class="job {}" data-j="{}">{}</g>)",
                        job_class(static_cast<std::size_t>(job), jobs), job, shape);
  }
  return html;
}

std::string_view said_of(AttemptOutcome outcome) {
  if (outcome == AttemptOutcome::done) return "";
  return outcome == AttemptOutcome::running ? "running when the simulation was stopped" : name_of(outcome);
}

// Data of the box: task, row, start, end; also kind, attempt and outcome if the panel mixes kinds.
std::string told(const TaskRecord& task, const Panel& panel) {
  const std::string own =
      panel.kind.empty() ? fmt::format(",{},{},{}", name_of(task.kind), task.attempt, said_of(task.outcome))
                         : std::string();
  return fmt::format("{},{},{},{}{}", task.task, task.slot, to_ms(task.start), to_ms(task.end), own);
}

std::string task_boxes(const Panel& panel, const PanelFrame& frame) {
  const double height = panel.row_height, gap = panel.row_gap();
  const double per_ms = chart_width / static_cast<double>(frame.horizon.count());
  std::map<std::int32_t, std::string> shapes;
  for (const TaskRecord& task : *panel.tasks) {
    const double width = static_cast<double>((task.end - task.start).count()) * per_ms;
    shapes[static_cast<std::int32_t>(task.job)] += fmt::format(
        R"(<rect x="{}" y="{}" width="{}" height="{}"{} data-t="{}"/>)",
        number(static_cast<double>(to_ms(task.start)) * per_ms), number(task.slot * height + gap / 2),
        number(width), number(height - gap), width < 6 ? " class=\"thin\"" : "", told(task, panel));
  }
  return groups(shapes, frame.jobs->size());
}

// Halves the number of columns until there are few enough shapes.
std::string merged_boxes(const Panel& panel, const PanelFrame& frame) {
  Grid grid;
  std::vector<Rectangle> found;
  for (int columns = finest_columns;; columns /= 2) {
    grid = grid_of(panel, frame.horizon, columns);
    found = rectangles(grid);
    if (found.size() <= gantt_shapes_limit || columns <= coarsest_columns) break;
  }
  const double gap = panel.form == GanttForm::stack ? 0 : panel.row_gap();
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
  return groups(shapes, frame.jobs->size());
}

// A label a job, where it has room for it; a short one where the whole has none.
std::string chips(const Panel& panel, const PanelFrame& frame) {
  const Grid grid = grid_of(panel, frame.horizon, 480);
  std::map<std::int32_t, std::string> chip_of;
  for (const std::size_t most : {label_characters, short_label_characters}) {
    const auto label = [&](std::int32_t job) {
      return shortened(job_label((*frame.jobs)[static_cast<std::size_t>(job)]), most);
    };
    const auto needed = [&](std::int32_t job) {
      return 14 + character_pixels * static_cast<double>(length(label(job)));
    };
    for (const LabelSpot& spot : place_labels(grid, plot_pixels, label_height, needed)) {
      chip_of.try_emplace(spot.job,
                          fmt::format(R"(<span class="chip" style="left:{}%;top:{}px">{}</span>)",
                                      number(spot.x * 100), number(spot.y), isolated(label(spot.job))));
    }
  }
  std::string html;
  for (const auto& [job, chip] : chip_of) html += chip;
  return html;
}

}  // namespace

GanttForm gantt_form(Count slots, std::size_t tasks) {
  if (slots > gantt_rows_limit) return GanttForm::stack;
  return tasks > gantt_tasks_limit ? GanttForm::runs : GanttForm::tasks;
}

std::string panel_html(const Panel& panel, const PanelFrame& frame, const PanelText& text,
                       std::string_view under, std::string_view over) {
  const double height = panel.height();
  std::string area = fmt::format("<div class=\"lane\" data-k=\"{}\">", panel.kind);
  area += open_chart(height, text.title, text.description);
  area += vertical_lines(frame.ticks, height);
  area += under;
  area += panel.form == GanttForm::tasks ? task_boxes(panel, frame) : merged_boxes(panel, frame);
  area += over;
  area += "</svg>" + chips(panel, frame) + "</div>";
  return plot(text.gutter, area, panel.form == GanttForm::stack ? "stacked" : "rows");
}

std::string finish_mark(double position, Duration makespan) {
  return fmt::format(R"(<i class="rule finish" style="left:{}%"></i>)", number(position * 100)) +
         pin(position, "ends at <b>" + duration_text(makespan) + "</b>", "finish");
}

std::string job_name(const ReportJob& job) {
  return job.name.empty() ? job.id : job.name;
}

namespace {

// The id, or its end if it is long.
std::string short_id(const ReportJob& job) {
  std::string id = clean_utf8(job.id);
  if (length(id) <= 12) return id;
  std::size_t begin = id.size();
  for (int kept = 0; kept < 6;) {
    --begin;
    if ((static_cast<unsigned char>(id[begin]) & 0xC0U) != 0x80U) ++kept;
  }
  return "…" + id.substr(begin);
}

}  // namespace

std::string job_label(const ReportJob& job) {
  return job.name.empty() ? short_id(job) : shortened(job.name, 20);
}

std::string job_keys(const std::vector<ReportJob>& jobs) {
  std::string html = "<span class=\"job-keys\">";
  if (jobs.size() <= distinct_jobs) {
    std::map<std::string, int> of_name;
    for (const ReportJob& job : jobs) ++of_name[job.name];
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      const ReportJob& of = jobs[job];
      const bool told = of_name[of.name] > 1 && !of.name.empty() && of.name != of.id;
      html += fmt::format(R"(<span class="key" data-j="{}"><i class="swatch {}"></i>{}{}</span>)", job,
                          job_class(job, jobs.size()),
                          isolated(of.name.empty() ? short_id(of) : shortened(of.name, 28)),
                          told ? " <small>" + isolated(short_id(of)) + "</small>" : "");
    }
    return html + "</span>";
  }
  html += "<span class=\"key\">submitted first <span class=\"scale\">";
  for (std::size_t step = 0; step < scale_steps; ++step) html += fmt::format("<i class=\"s{}\"></i>", step);
  return html +
         fmt::format("</span> last</span><span>A job keeps its colour in every chart; {}.</span></span>",
                     counted(static_cast<Count>(jobs.size()), "job"));
}

}  // namespace wavewright::report
