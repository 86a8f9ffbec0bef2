#include "wavewright/core/csv.h"

#include <string_view>

namespace wavewright {

namespace {

// A spreadsheet would take it for a formula.
bool looks_like_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string csv_field(const std::string& told) {
  const std::string text = looks_like_formula(told) ? "'" + told : told;
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace wavewright
