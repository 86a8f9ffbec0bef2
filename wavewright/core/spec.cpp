#include "wavewright/core/spec.h"

#include <cstddef>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr auto nowhere = std::string_view::npos;

[[noreturn]] void refuse(std::string_view text) {
  throw UsageError("'" + shortened(text) + "' cannot be read", "write name or name(argument, key=value)");
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == nowhere) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// For each character, whether it stands inside closed parentheses. An unmatched parenthesis counts as an
// ordinary character, because file names may have some.
std::vector<bool> enclosed(std::string_view text) {
  std::vector<std::size_t> open;
  std::vector<std::ptrdiff_t> change(text.size() + 1, 0);  // change of depth at each character
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') open.push_back(i);
    if (text[i] != ')' || open.empty()) continue;
    ++change[open.back()];
    --change[i];
    open.pop_back();
  }
  std::vector<bool> inside(text.size());
  std::ptrdiff_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) inside[i] = (depth += change[i]) > 0;
  return inside;
}

std::size_t find_outside(std::string_view text, char wanted) {
  const std::vector<bool> inside = enclosed(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == wanted && !inside[i]) return i;
  }
  return nowhere;
}

}  // namespace

std::string shortened(std::string_view text) {
  std::size_t most = 80;
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) --most;  // within a character
  return std::string(text.substr(0, most)) + "…";
}

std::vector<std::string> split_outside(std::string_view text, char separator) {
  const std::vector<bool> inside = enclosed(text);
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] != separator || inside[i])) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

Spec parse_spec(std::string_view text) {
  const std::string_view whole = trimmed(text);
  Spec spec;
  const auto open = whole.find('(');
  spec.name = trimmed(whole.substr(0, open));
  if (spec.name.empty() || spec.name.find_first_of("),=") != std::string::npos) refuse(text);
  if (open == nowhere) return spec;
  if (whole.back() != ')') refuse(text);
  std::vector<std::string> arguments = split_outside(whole.substr(open + 1, whole.size() - open - 2), ',');
  if (arguments.back().empty()) arguments.pop_back();
  for (const std::string& argument : arguments) {
    const auto equals = find_outside(argument, '=');
    if (argument.empty() || equals == 0) refuse(text);
    if (equals == nowhere) {
      spec.positional.push_back(argument);
    } else {
      const std::string_view view = argument;
      spec.parameters.emplace_back(trimmed(view.substr(0, equals)), trimmed(view.substr(equals + 1)));
    }
  }
  return spec;
}

}  // namespace wavewright
