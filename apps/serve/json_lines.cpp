#include "apps/serve/json_lines.h"

#include <string>

#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw InputError({"request"}, "the array of jobs " + what, "send [{…}, {…}], or a line for each job");
}

// Where the elements of an array begin and end, by what stands between them.
class Elements {
 public:
  // A byte outside of all elements' own braces, brackets and strings.
  void outside(char c) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return;
    if (closed_) refuse("is followed by something else");
    if (c != ',' && c != ']') {
      has_element_ = true;
      return;
    }
    if (!has_element_ && (c == ',' || some_)) refuse("has a comma too many");
    some_ = true;
    has_element_ = false;
    closed_ = c == ']';
  }
  void end() const {
    if (!closed_) refuse("does not end");
  }

 private:
  bool some_ = false, has_element_ = false, closed_ = false;
};

}  // namespace

std::string json_lines(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  const bool array = first != std::string_view::npos && body[first] == '[';
  if (array) body.remove_prefix(first + 1);
  Elements elements;
  std::string lines;
  lines.reserve(body.size());
  std::size_t depth = 0;
  bool text = false, escaped = false;
  for (const char c : body) {
    const bool ends = text && c == '"' && !escaped;
    escaped = text && c == '\\' && !escaped;
    if (array && depth == 0 && !text) elements.outside(c);
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
  if (array) elements.end();
  return lines;
}

}  // namespace wavewright::app
