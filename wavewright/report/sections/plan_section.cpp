// The schedules as Gantt charts on one time axis.
#include <fmt/format.h>

#include "wavewright/report/charts/gantt.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr std::size_t shown_at_once = 2;  // further charts are folded

std::string form_text(const Analysis& analysis) {
  const SlotPool& pool = analysis.data->pool;
  bool stacked = false, merged = false;
  for (const ScheduleView& view : analysis.schedules) {
    if (!analysis.same_slots(view)) continue;
    for (const Count slots : {pool.map_slots, pool.reduce_slots}) {
      const GanttForm form = gantt_form(slots, view.result->trace.size());
      stacked = stacked || form == GanttForm::stack;
      merged = merged || form == GanttForm::runs;
    }
  }
  if (stacked) return "Each job is a band as high as the slots that it holds.";
  if (merged) return "Each row is a slot; neighbouring tasks of a job are drawn as one.";
  return "Each row is a slot, each box a task.";
}

}  // namespace

std::string plan_section(const Analysis& analysis) {
  if (analysis.schedules.empty() || analysis.jobs().empty()) return "";
  std::string charts = gantt_legend(analysis);
  for (std::size_t i = 0; i < analysis.schedules.size(); ++i) {
    const ScheduleView& view = analysis.schedules[i];
    charts += i < shown_at_once ? gantt_chart(analysis, i)
                                : fmt::format("<details><summary>{}: ends at <b>{}</b></summary>{}</details>",
                                              escape(capitalised(view.label)),
                                              duration_text(view.result->makespan), gantt_chart(analysis, i));
  }
  const std::string introduction =
      form_text(analysis) + (analysis.compares() ? " All charts share one time axis." : "") +
      (analysis.has_bound() ? " The dashed line is the proven lower bound." : "") +
      "<span class=\"hint\"> Point at a job to find it in every chart.</span>";
  return section("plan", analysis.compares() ? "The schedules side by side" : "The schedule", introduction,
                 charts);
}

}  // namespace wavewright::report
