#include "apps/serve/json_lines.h"

namespace wavewright::app {

std::string json_lines(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  const bool array = first != std::string_view::npos && body[first] == '[';
  if (array) body.remove_prefix(first + 1);
  std::string lines;
  lines.reserve(body.size());
  std::size_t depth = 0;
  bool text = false, escaped = false;
  for (const char c : body) {
    const bool ends = text && c == '"' && !escaped;
    escaped = text && c == '\\' && !escaped;
    if (ends || (!text && c == '"')) {
      text = !text;
      lines += c;
      continue;
    }
    if (text) {
      lines += c;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    const bool closes_array = array && depth == 0 && c == ']';
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (c == '\n' || c == '\r') {
      lines += depth > 0 || array ? ' ' : c;
    } else if (closes_array) {
      lines += ' ';
    } else {
      lines += array && depth == 0 && c == ',' ? '\n' : c;
    }
  }
  return lines;
}

}  // namespace wavewright::app
