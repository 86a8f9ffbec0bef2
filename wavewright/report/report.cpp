#include "wavewright/report/report.h"

#include <array>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "wavewright/report/analysis.h"
#include "wavewright/report/assets.h"
#include "wavewright/report/html.h"
#include "wavewright/report/palette.h"
#include "wavewright/report/sections.h"

namespace wavewright {

namespace report {

std::string section(std::string_view id, std::string_view heading, std::string_view introduction,
                    std::string_view content) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\"><h2 id=\"{0}-heading\">{1}</h2>"
      "<p class=\"intro\">{2}</p>{3}</section>\n",
      id, escape(heading), introduction, content);
}

namespace {

// The policy makes the browser itself refuse whatever is not in this file.
constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
)";

}  // namespace
}  // namespace report

void write_report(std::ostream& out, const ReportData& data) {
  using namespace report;
  const Analysis analysis = analyse(data);
  struct Part {
    const char* id;
    const char* name;
    std::string html;
  };
  const std::array parts = {
      Part{"summary", "Summary", summary_section(analysis)},
      Part{"profiles", "Profiles", profiles_section(analysis)},
      Part{"prediction", "Prediction", prediction_section(analysis)},
      Part{"plan", "Schedules", plan_section(analysis)},
      Part{"use", "Slot use", use_section(analysis)},
      Part{"jobs", "Jobs", jobs_section(analysis)},
  };
  const std::string title = escape(data.title);
  out << head << "<title>" << title << "</title><style>" << page_style << palette_css()
      << "</style></head>\n<body>"
      << "<header class=\"top\"><p class=\"brand\">Wavewright report"
      << (data.generated.empty() ? "" : " · " + escape(data.generated)) << "</p><h1>" << title
      << "</h1><nav>";
  for (const Part& part : parts) {
    if (!part.html.empty()) out << "<a href=\"#" << part.id << "\">" << part.name << "</a>";
  }
  out << "</nav></header>\n<main>";
  for (const Part& part : parts) out << part.html;
  out << "</main>\n<div id=\"tip\" role=\"status\" hidden></div>"
      << "<script type=\"application/json\" id=\"data\">" << script_data(analysis) << "</script>\n<script>"
      << page_script << "</script></body></html>\n";
}

}  // namespace wavewright
