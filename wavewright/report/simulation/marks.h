// Marks over and under the tasks of a schedule: absent nodes, kinds of tasks, unsuccessful attempts.
#pragma once

#include <string>

#include "wavewright/report/page/panels.h"
#include "wavewright/report/simulation/view.h"

namespace wavewright::report {

// Shapes for a panel whose rows are lanes or nodes (GanttForm::nodes). O(nodes + absences).
[[nodiscard]] std::string away_shapes(const SimulationView& view, const Panel& panel);

// For a stack of `whole` slots: those on absent nodes, from the top.
[[nodiscard]] std::string away_stack(const SimulationView& view, const Panel& panel, Kind kind);

// Lines along reduces, dots along masters, hatching over attempts that failed, were lost or were killed. If
// tasks are merged, ticks mark the ends of such attempts. O(tasks + cells).
[[nodiscard]] std::string task_marks(const SimulationView& view, const Panel& panel);

// Lines between nodes with more than one lane.
[[nodiscard]] std::string node_lines(const SimulationView& view, const Panel& panel);

// Only the marks that the run has.
[[nodiscard]] std::string mark_keys(const SimulationView& view, GanttForm form);

}  // namespace wavewright::report
