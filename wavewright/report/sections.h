// The parts of the page, each a function from data to HTML; empty where there is nothing to show.
#pragma once

#include <string>

#include "wavewright/report/analysis.h"

namespace wavewright::report {

[[nodiscard]] std::string headline(const Analysis& analysis);  // one sentence, HTML
[[nodiscard]] std::string summary_section(const Analysis& analysis);
[[nodiscard]] std::string profiles_section(const Analysis& analysis);
[[nodiscard]] std::string fits_figures(const Analysis& analysis);  // of the profiles section
[[nodiscard]] std::string prediction_section(const Analysis& analysis);
[[nodiscard]] std::string plan_section(const Analysis& analysis);
[[nodiscard]] std::string use_section(const Analysis& analysis);
[[nodiscard]] std::string jobs_section(const Analysis& analysis);

// What the page's script needs to know of jobs and schedules, as JSON for a <script> element.
[[nodiscard]] std::string script_data(const Analysis& analysis);

// <section id=… > with heading, a sentence of introduction (HTML) and content.
[[nodiscard]] std::string section(std::string_view id, std::string_view heading,
                                  std::string_view introduction, std::string_view content);

}  // namespace wavewright::report
