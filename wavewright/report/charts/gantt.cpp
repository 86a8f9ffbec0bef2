#include "wavewright/report/charts/gantt.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/panels.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

double row_height(Count slots) {
  return std::clamp(220.0 / static_cast<double>(slots), 4.0, 18.0);
}

std::string slots_html(Kind kind, const std::vector<TaskRecord>& tasks, Count slots, const PanelFrame& frame,
                       const ScheduleView& view) {
  if (slots == 0) return "";
  const std::string_view name = name_of(kind);
  Panel panel;
  panel.kind = name;
  panel.tasks = &tasks;
  panel.rows = slots;
  panel.form = gantt_form(slots, view.result->trace.size());
  panel.row_height = row_height(slots);
  const std::string levels =
      panel.form == GanttForm::stack ? gutter_ticks({{1, count_text(slots)}, {0, "0"}}) : "";
  return panel_html(
      panel, frame,
      {fmt::format("{} slots over time, {}", capitalised(name), view.label),
       fmt::format("{} on {} slots; the table of jobs below has the same times as text",
                   counted(static_cast<Count>(tasks.size()), fmt::format("{} task", name)),
                   count_text(slots)),
       fmt::format("<b>{}s</b><small>{}</small>{}", capitalised(name), counted(slots, "slot"), levels)});
}

// Lines over both panels: the lower bound, the end of the schedule, and the time saved.
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
  if (analysis.has_bound() && analysis.same_slots(view)) {
    html += fmt::format(R"(<i class="rule bound" style="left:{}%"></i>)",
                        number(axis.position(analysis.data->makespan_bound) * 100));
  }
  html += finish_mark(end, view.result->makespan);
  return "<div class=\"marks\">" + html + "</div>";
}

}  // namespace

std::string gantt_chart(const Analysis& analysis, std::size_t schedule) {
  const ScheduleView& view = analysis.schedules[schedule];
  const SlotPool& pool = view.pool;
  const Axis axis = Axis::linear(analysis.horizon);
  const PanelFrame frame{analysis.horizon, &analysis.jobs(), axis.ticks(8)};
  std::string html =
      fmt::format(R"(<figure class="gantt"><figcaption><i class="swatch line {}"></i>{}{}</figcaption>)",
                  schedule_class(schedule), escape(capitalised(view.label)),
                  view.note.empty() ? "" : fmt::format(" <small>{}</small>", escape(view.note)));
  html += open_zoomable("time") + "<div class=\"panels\">";
  html += slots_html(Kind::map, view.maps, pool.map_slots, frame, view);
  html += slots_html(Kind::reduce, view.reduces, pool.reduce_slots, frame, view);
  html += marks(analysis, view, schedule == 1) + "</div>";
  std::string below = time_axis_row(frame.ticks, Duration{}, analysis.horizon);
  if (analysis.has_bound() && analysis.same_slots(view)) {
    below +=
        "<div class=\"axis second\">" +
        pin(axis.position(analysis.data->makespan_bound),
            "no schedule ends before <b>" + duration_text(analysis.data->makespan_bound) + "</b>", "bound") +
        "</div>";
  }
  return html + plot("", below) + close_zoomable() + "</figure>";
}

std::string gantt_legend(const Analysis& analysis) {
  return "<div class=\"legend\">" + job_keys(analysis.jobs()) + "</div>";
}

}  // namespace wavewright::report
