// Panels of Gantt charts: rows or a stack over time, filled with tasks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/report/charts/grid.h"
#include "wavewright/report/charts/scale.h"
#include "wavewright/report/report.h"

namespace wavewright::report {

// Level of detail of a panel, by its size.
enum class GanttForm : std::uint8_t {
  tasks,  // a row per slot, a box per task
  runs,   // a row per slot, neighbouring tasks of a job joined
  nodes,  // a row per node, coloured by the job that holds most of the node's used slots
  stack,  // a band per job, as high as its slots
};

inline constexpr Count gantt_rows_limit = 64;              // for more slots: stack
inline constexpr std::size_t gantt_tasks_limit = 4000;     // for more tasks of a schedule: runs
inline constexpr std::size_t gantt_shapes_limit = 20'000;  // per panel; columns are halved until it holds

[[nodiscard]] GanttForm gantt_form(Count slots, std::size_t tasks);

struct Panel {
  std::string_view kind;                           // of all its tasks: `map`; empty = each task has its own
  const std::vector<TaskRecord>* tasks = nullptr;  // `slot` = the row; by row, then start
  Count rows = 0;                                  // of a stack: the amount that its full height shows
  GanttForm form = GanttForm::tasks;
  double row_height = 18;  // pixels
  int stack_height = 200;  // pixels
  Measure measure = Measure::slots;

  [[nodiscard]] double height() const {
    return form == GanttForm::stack ? stack_height : row_height * static_cast<double>(rows);
  }
  // Pixels between rows; 0 if rows are too low.
  [[nodiscard]] double row_gap() const { return row_height < 6 ? 0 : 1; }
};

// Common to all panels of a chart.
struct PanelFrame {
  Duration horizon{};                            // end of the time axis
  const std::vector<ReportJob>* jobs = nullptr;  // all, for colours and labels
  std::vector<Tick> ticks;                       // of the time axis
};

struct PanelText {
  std::string title;  // for screen readers
  std::string description;
  std::string gutter;  // HTML
};

// A panel with its gutter; `under` and `over` are SVG below and above the tasks. At most gantt_tasks_limit or
// gantt_shapes_limit shapes. O(tasks · columns spanned + cells).
[[nodiscard]] std::string panel_html(const Panel& panel, const PanelFrame& frame, const PanelText& text,
                                     std::string_view under = {}, std::string_view over = {});

// A line over all panels at `position` (0 … 1), the end of the schedule, with its time; for `marks`.
[[nodiscard]] std::string finish_mark(double position, Duration makespan);

// A short label for charts: the name; without a name the id, or its end if it is long, as ends differ.
[[nodiscard]] std::string job_label(const ReportJob& job);

// The name; without a name the id.
[[nodiscard]] std::string job_name(const ReportJob& job);

// The legend of jobs: each with its colour, or the scale. Ids stand only beside names that several jobs have.
[[nodiscard]] std::string job_keys(const std::vector<ReportJob>& jobs);

}  // namespace wavewright::report
