#include "tests/report/page_checks.h"

#include <set>
#include <vector>

#include <fmt/format.h>

namespace wavewright::sample {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string unbalanced(std::string html) {
  static const std::set<std::string> empty = {"meta", "link", "input", "br", "!DOCTYPE", "path", "rect"};
  for (const char* tag : {"script", "style"}) {
    const std::string begin = fmt::format("<{}", tag), end = fmt::format("</{}>", tag);
    // Not by a regular expression: std::regex recurses once a character.
    for (std::size_t at = 0; (at = html.find(begin, at)) != std::string::npos;) {
      html.erase(at, html.find(end, at) + end.size() - at);
    }
  }
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at)) {
    const bool closes = html[++at] == '/';
    if (closes) ++at;
    const std::size_t behind = html.find_first_of(" >/", at);
    const std::string name = html.substr(at, behind - at);
    for (bool quoted = false; at < html.size() && (quoted || html[at] != '>'); ++at)
      quoted ^= html[at] == '"';
    if (empty.contains(name)) continue;
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

std::string from_outside(const std::string& html) {
  for (const char* part : {"http:", "https:", "url(", "@import", " src="}) {
    if (count(html, part) > 0) return part;
  }
  return "";
}

}  // namespace wavewright::sample
