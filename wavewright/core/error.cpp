#include "wavewright/core/error.h"

#include <string_view>
#include <utility>

#include "wavewright/core/harmless.h"

namespace wavewright {

namespace {

// A file name may hold any byte: control characters become `\n` or `\x1b`, so that a name stays on one line.
std::string shown(const std::string& name) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(name.size());
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      text += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      text += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else {
      text += "\\x";
      text += digits[byte >> 4U];
      text += digits[byte & 15U];
    }
  }
  return text;
}

}  // namespace

std::string Position::text() const {
  if (line > 0) return shown(source) + ":" + std::to_string(line);
  if (offset >= 0) return shown(source) + "@" + std::to_string(offset);
  return shown(source);
}

namespace {

std::string compose(const Position& where, const std::string& what, const std::string& remedy) {
  std::string text = where.source.empty() ? what : where.text() + ": " + what;
  if (!remedy.empty()) text += "; " + remedy;
  return harmless(std::move(text));  // it stays on one line
}

}  // namespace

Error::Error(ExitStatus status, const Position& where, const std::string& what, const std::string& remedy)
    : std::runtime_error(compose(where, what, remedy)),
      status_(status),
      where_(where),
      problem_(what),
      remedy_(remedy) {}

}  // namespace wavewright
