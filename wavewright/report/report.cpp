#include "wavewright/report/report.h"

#include <utility>

#include "wavewright/report/analysis.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/sections/sections.h"

namespace wavewright {

void write_report(std::ostream& out, const ReportData& data) {
  using namespace report;
  const Analysis analysis = analyse(data);
  Page page{
      data.title, data.generated, {}, script_data(analysis.horizon, analysis.jobs(), analysis.schedules)};
  page.parts.push_back({"summary", "Summary", summary_section(analysis)});
  page.parts.push_back({"limits", "What decides", limits_section(analysis)});
  page.parts.push_back({"risk", "Risk", risk_section(analysis)});
  page.parts.push_back({"slots", "Slots", slots_section(analysis)});
  page.parts.push_back({"profiles", "Profiles", profiles_section(analysis)});
  page.parts.push_back({"prediction", "Prediction", prediction_section(analysis)});
  page.parts.push_back({"plan", "Schedules", plan_section(analysis)});
  page.parts.push_back({"use", "Slot use", use_section(analysis)});
  page.parts.push_back({"jobs", "Jobs", jobs_section(analysis)});
  write_page(out, page);
}

}  // namespace wavewright
