#include "wavewright/core/harmless.h"

#include <string_view>

namespace wavewright {

std::string harmless(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  // In UTF-8, C1 controls (some terminals take U+009B for an escape) and what turns the direction of writing.
  constexpr std::string_view c1 = "\xc2", marks = "\xe2\x80", isolates = "\xe2\x81";
  const auto within = [&](std::size_t at, unsigned char first, unsigned char last) {
    const auto byte = static_cast<unsigned char>(at < text.size() ? text[at] : '\0');
    return first <= byte && byte <= last;
  };
  const auto blank = [&](std::string_view start, unsigned char first, unsigned char last) {
    for (std::size_t at = 0; (at = text.find(start, at)) != std::string::npos; at += 1) {
      if (within(at + start.size(), first, last)) text.replace(at, start.size() + 1, " ");
    }
  };
  blank(c1, 0x80, 0x9f);
  blank(marks, 0x8e, 0x8f);     // marks of direction
  blank(marks, 0xa8, 0xae);     // ends of line and paragraph, embeddings, overrides
  blank(isolates, 0xa6, 0xa9);  // isolates
  return text;
}

}  // namespace wavewright
