#include "wavewright/report/page/html.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace wavewright::report {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Bytes of the code point that starts `text`; 0 if it is malformed, overlong, a surrogate or too large.
std::size_t code_point_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80U) return 1;
  const std::size_t size = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool wrong = (first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second >= 0xA0U) ||
                     (first == 0xF0U && second < 0x90U) || (first == 0xF4U && second >= 0x90U);
  return wrong ? 0 : size;
}

bool is_control(unsigned char c) {
  return c < 0x20U || c == 0x7FU;
}

}  // namespace

std::string clean_utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = code_point_size(text);
    const bool space = text.front() == '\t' || text.front() == '\n' || text.front() == '\r';
    if (space) {
      clean += ' ';
    } else if (size == 0 || is_control(static_cast<unsigned char>(text.front()))) {
      clean += replacement;
    } else {
      clean += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return clean;
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : clean_utf8(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char c : clean_utf8(text)) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (c == '<' || c == '>' || c == '&') {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + '"';
}

std::string isolated(std::string_view text) {
  return "<bdi>" + escape(text) + "</bdi>";
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string clean = clean_utf8(text);
  if (length(clean) <= most) return clean;
  std::size_t end = 0;
  for (std::size_t kept = 0; end < clean.size(); ++end) {
    if (!continues(clean[end]) && kept++ == most - 1) break;
  }
  return clean.substr(0, end) + "…";
}

std::size_t length(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return !continues(c); }));
}

}  // namespace wavewright::report
