#include "wavewright/report/simulation_report.h"

#include <fmt/format.h>

#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/simulation/sections.h"

namespace wavewright {

namespace {

using namespace report;

// Names of rows, shown when pointing at a box; only if boxes are single tasks.
std::string places(const SimulationView& view) {
  if (run_form(view) != GanttForm::tasks) return "";
  std::string names;
  for (const NodeIndex node : view.lane_node)
    names += fmt::format("{}{}", names.empty() ? "" : ",", json_string(view.node_names[node]));
  return fmt::format(",\"places\":[{}]", names);
}

}  // namespace

void write_simulation_report(std::ostream& out, const SimulationReport& data) {
  const SimulationView view = view_of(data);
  Page page{
      data.title, data.generated, {}, script_data(view.horizon, view.jobs, {view.schedule}, places(view))};
  page.parts.push_back({"summary", "Summary", run_summary_section(view)});
  page.parts.push_back({"why", "Why", why_section(view)});
  page.parts.push_back({"schedule", "Schedule", run_schedule_section(view)});
  page.parts.push_back({"use", "Use over time", run_use_section(view)});
  page.parts.push_back({"leases", "Rented machines", leases_section(view)});
  page.parts.push_back({"nodes", "Nodes", nodes_section(view)});
  page.parts.push_back({"jobs", "Jobs", run_jobs_section(view)});
  write_page(out, page);
}

}  // namespace wavewright
