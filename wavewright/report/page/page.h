// The page around the sections: head, navigation, style and script; self-contained.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright::report {

struct PagePart {
  std::string_view id;
  std::string_view name;  // in the navigation
  std::string html;       // a section; empty = left out
};

struct Page {
  std::string title;
  std::string generated;  // time as text; empty = not shown
  std::vector<PagePart> parts;
  std::string script_data;  // JSON that is safe in a <script> element
};

void write_page(std::ostream& out, const Page& page);

// <section id=…> with heading, an introduction (HTML) and content.
[[nodiscard]] std::string section(std::string_view id, std::string_view heading,
                                  std::string_view introduction, std::string_view content);

// The top section: a headline (HTML), an introduction, and figures.
[[nodiscard]] std::string summary(std::string_view headline, std::string_view introduction,
                                  std::string_view content);

}  // namespace wavewright::report
