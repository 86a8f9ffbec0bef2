#include "wavewright/core/error.h"

namespace wavewright {

std::string Position::text() const {
  if (line > 0) return source + ":" + std::to_string(line);
  if (offset >= 0) return source + "@" + std::to_string(offset);
  return source;
}

namespace {

// Input may hold newlines and control characters; an error stays one line all the same.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

std::string compose(const Position& where, const std::string& what, const std::string& remedy) {
  std::string text = where.source.empty() ? what : where.text() + ": " + what;
  if (!remedy.empty()) text += "; " + remedy;
  return one_line(std::move(text));
}

}  // namespace

Error::Error(ExitStatus status, const Position& where, const std::string& what, const std::string& remedy)
    : std::runtime_error(compose(where, what, remedy)),
      status_(status),
      where_(where),
      problem_(what),
      remedy_(remedy) {}

}  // namespace wavewright
