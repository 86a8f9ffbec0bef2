#include "wavewright/report/page/page.h"

#include <ostream>

#include <fmt/format.h>

#include "wavewright/report/charts/palette.h"
#include "wavewright/report/page/assets.h"
#include "wavewright/report/page/html.h"

namespace wavewright::report {

namespace {

// With this policy the browser itself refuses anything outside this file.
constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
)";

}  // namespace

void write_page(std::ostream& out, const Page& page) {
  const std::string title = escape(page.title);
  out << head << "<title>" << title << "</title><style>" << page_style << palette_css()
      << "</style></head>\n<body>"
      << "<header class=\"top\"><p class=\"brand\">Wavewright report"
      << (page.generated.empty() ? "" : " · " + escape(page.generated)) << "</p><h1>" << title
      << "</h1><nav>";
  for (const PagePart& part : page.parts) {
    if (!part.html.empty()) out << "<a href=\"#" << part.id << "\">" << part.name << "</a>";
  }
  out << "</nav></header>\n<main>";
  for (const PagePart& part : page.parts) out << part.html;
  out << "</main>\n<div id=\"tip\" role=\"status\" hidden></div>"
      << "<script type=\"application/json\" id=\"data\">" << page.script_data << "</script>\n<script>"
      << page_script << page_controls << "</script></body></html>\n";
}

std::string section(std::string_view id, std::string_view heading, std::string_view introduction,
                    std::string_view content) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\"><h2 id=\"{0}-heading\">{1}</h2>"
      "<p class=\"intro\">{2}</p>{3}</section>\n",
      id, escape(heading), introduction, content);
}

std::string summary(std::string_view headline, std::string_view introduction, std::string_view content) {
  return fmt::format(
      "<section id=\"summary\" aria-label=\"Summary\"><p class=\"headline\">{}</p><p "
      "class=\"intro\">{}</p>{}</section>\n",
      headline, introduction, content);
}

}  // namespace wavewright::report
