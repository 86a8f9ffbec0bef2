// The sections of the page: functions from data to HTML; empty if there is nothing to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/report/analysis.h"
#include "wavewright/report/page/page.h"

namespace wavewright::report {

[[nodiscard]] std::string headline(const Analysis& analysis);  // one sentence, HTML
[[nodiscard]] std::string summary_section(const Analysis& analysis);
[[nodiscard]] std::string limits_section(const Analysis& analysis);
[[nodiscard]] std::string risk_section(const Analysis& analysis);
[[nodiscard]] std::string slots_section(const Analysis& analysis);
[[nodiscard]] std::string profiles_section(const Analysis& analysis);
[[nodiscard]] std::string fits_figures(const Analysis& analysis);  // part of the profiles section
[[nodiscard]] std::string prediction_section(const Analysis& analysis);
[[nodiscard]] std::string plan_section(const Analysis& analysis);
[[nodiscard]] std::string use_section(const Analysis& analysis);
[[nodiscard]] std::string jobs_section(const Analysis& analysis);

// Data for the page's script, as JSON for a <script> element. `more`: members, each with a leading comma.
[[nodiscard]] std::string script_data(Duration horizon, const std::vector<ReportJob>& jobs,
                                      const std::vector<ScheduleView>& schedules, std::string_view more = {});

}  // namespace wavewright::report
