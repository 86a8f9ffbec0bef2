// What Gantt charts are made of: rows or a stack over time, filled with the tasks that hold them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/report/grid.h"
#include "wavewright/report/report.h"
#include "wavewright/report/scale.h"

namespace wavewright::report {

// How much a panel can show, by its size.
enum class GanttForm : std::uint8_t {
  tasks,  // a row a slot, a box a task
  runs,   // a row a slot, neighbouring tasks of a job as one
  nodes,  // a row a node, in the colour of the job that holds most of what is in use there
  stack,  // a band a job, as high as the slots that it holds
};

inline constexpr Count gantt_rows_limit = 64;              // more slots than that: stack
inline constexpr std::size_t gantt_tasks_limit = 4000;     // more tasks of a schedule than that: runs
inline constexpr std::size_t gantt_shapes_limit = 20'000;  // per panel; columns are halved until it holds

[[nodiscard]] GanttForm gantt_form(Count slots, std::size_t tasks);

struct Panel {
  std::string_view kind;                           // of all its tasks: `map`; empty = each tells its own
  const std::vector<TaskRecord>* tasks = nullptr;  // `slot` = the row; by row, then start
  Count rows = 0;                                  // of a stack: what its full height stands for
  GanttForm form = GanttForm::tasks;
  double row_height = 18;  // pixels
  int stack_height = 200;  // pixels
  Measure measure = Measure::slots;

  [[nodiscard]] double height() const {
    return form == GanttForm::stack ? stack_height : row_height * static_cast<double>(rows);
  }
  // Between rows, where they are high enough to bear it; pixels.
  [[nodiscard]] double row_gap() const { return row_height < 6 ? 0 : 1; }
};

// What all panels of a chart share.
struct PanelFrame {
  Duration horizon{};                            // end of the time axis
  const std::vector<ReportJob>* jobs = nullptr;  // all, for colours and labels
  std::vector<Tick> ticks;                       // of the time axis
};

struct PanelText {
  std::string title;  // for those who cannot see it
  std::string description;
  std::string gutter;  // HTML
};

// The panel with its gutter; `under` and `over` are SVG below and above the tasks. The number of shapes is
// bounded by gantt_tasks_limit or gantt_shapes_limit. O(tasks · columns spanned + cells).
[[nodiscard]] std::string panel_html(const Panel& panel, const PanelFrame& frame, const PanelText& text,
                                     std::string_view under = {}, std::string_view over = {});

// A line over all panels at `position` (0 … 1), where the schedule ends, with its time; to stand in `marks`.
[[nodiscard]] std::string finish_mark(double position, Duration makespan);

// A short label for charts: the id where it is short, otherwise its end, which is what differs.
[[nodiscard]] std::string job_label(const ReportJob& job);

// What the colours of the jobs mean: keys, to stand in a legend.
[[nodiscard]] std::string job_keys(const std::vector<ReportJob>& jobs);

}  // namespace wavewright::report
