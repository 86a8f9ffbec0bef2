// What a schedule shows over and under its tasks: nodes that are away, the kinds of tasks, attempts that came
// to nothing.
#pragma once

#include <string>

#include "wavewright/report/panels.h"
#include "wavewright/report/simulation/view.h"

namespace wavewright::report {

// Shapes for a panel whose rows are lanes, or nodes (GanttForm::nodes). O(nodes + absences).
[[nodiscard]] std::string away_shapes(const SimulationView& view, const Panel& panel);

// Of a stack of `whole` slots: those on nodes that are away, from the top.
[[nodiscard]] std::string away_stack(const SimulationView& view, const Panel& panel, Kind kind);

// Lines along reduces, dots along masters, hatching over attempts that failed, were lost or were killed;
// where tasks are merged, ticks at their ends. O(tasks + cells).
[[nodiscard]] std::string task_marks(const SimulationView& view, const Panel& panel);

// Between nodes of more than one lane.
[[nodiscard]] std::string node_lines(const SimulationView& view, const Panel& panel);

// Keys of those that the run has.
[[nodiscard]] std::string mark_keys(const SimulationView& view, GanttForm form);

}  // namespace wavewright::report
