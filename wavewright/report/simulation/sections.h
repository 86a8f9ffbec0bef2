// The sections of a simulated run's page: functions from the view to HTML; empty if there is nothing to show.
#pragma once

#include <string>

#include "wavewright/report/simulation/view.h"

namespace wavewright::report {

[[nodiscard]] std::string run_headline(const SimulationView& view);  // one sentence, HTML
[[nodiscard]] std::string run_summary_section(const SimulationView& view);
[[nodiscard]] std::string why_section(const SimulationView& view);
[[nodiscard]] std::string run_schedule_section(const SimulationView& view);
[[nodiscard]] std::string run_use_section(const SimulationView& view);
[[nodiscard]] std::string leases_section(const SimulationView& view);
[[nodiscard]] std::string nodes_section(const SimulationView& view);
[[nodiscard]] std::string run_jobs_section(const SimulationView& view);

// Form of the schedule: lanes up to gantt_rows_limit of them, then nodes, then bands.
[[nodiscard]] GanttForm run_form(const SimulationView& view);

}  // namespace wavewright::report
