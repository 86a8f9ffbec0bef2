#include "wavewright/profile/names.h"

#include <algorithm>

namespace wavewright {

namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool hex(char c) {
  return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool word(char c) {
  return digit(c) || letter(c);
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Is the whole piece an id? It is long, hexadecimal and not a word.
bool is_id(std::string_view piece) {
  return piece.size() >= 8 && std::all_of(piece.begin(), piece.end(), hex) &&
         std::any_of(piece.begin(), piece.end(), digit);
}

// `20T063000Z`, the middle of a date with a time: digits with one T between them and an optional final Z.
bool is_clock(std::string_view piece) {
  if (piece.size() > 1 && piece.back() == 'Z') piece.remove_suffix(1);
  return digit(piece.front()) && digit(piece.back()) &&
         std::count_if(piece.begin(), piece.end(), [](char c) { return !digit(c); }) ==
             std::count(piece.begin(), piece.end(), 'T') &&
         std::count(piece.begin(), piece.end(), 'T') <= 1;
}

// Replaces numbers of three or more digits, and numbers that stand alone, by `*`.
std::string without_numbers(std::string_view piece) {
  std::string result;
  for (std::size_t begin = 0, end = 0; begin < piece.size(); begin = end) {
    const bool number = digit(piece[begin]);
    while (end < piece.size() && digit(piece[end]) == number) ++end;
    const bool whole = end - begin == piece.size();
    const std::string_view part = piece.substr(begin, end - begin);
    result += number && (whole || part.size() >= 3) ? "*" : std::string(part);
  }
  return result;
}

bool separator(char c) {
  return c == '-' || c == '_' || c == ':' || c == '.';
}

// Merges `*-*` and the like to `*`, also with hexadecimal pieces (the middle of a UUID is often short).
std::string joined(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool joins = !result.empty() && result.back() == '*';
    if (joins && text[i] == '*') continue;
    if (joins && separator(text[i]) && i + 1 < text.size() && text[i + 1] == '*') continue;
    result += text[i];
  }
  return result;
}

// 8-4-4-4-12 hexadecimal digits.
std::size_t uuid_at(std::string_view name, std::size_t at) {
  constexpr std::size_t lengths[] = {8, 4, 4, 4, 12};
  std::size_t place = at;
  for (std::size_t part = 0; part < 5; ++part) {
    if (part > 0 && (place >= name.size() || name[place++] != '-')) return 0;
    for (std::size_t i = 0; i < lengths[part]; ++i) {
      if (place >= name.size() || !hex(name[place++])) return 0;
    }
  }
  return place < name.size() && word(name[place]) ? 0 : place - at;
}

}  // namespace

std::string name_pattern(std::string_view name) {
  std::string replaced;
  for (std::size_t i = 0; i < name.size();) {
    if (!word(name[i])) {
      replaced += name[i++];
      continue;
    }
    if (const std::size_t uuid = uuid_at(name, i); uuid > 0) {
      replaced += '*';
      i += uuid;
      continue;
    }
    const std::size_t begin = i;
    while (i < name.size() && word(name[i])) ++i;
    const std::string_view piece = name.substr(begin, i - begin);
    replaced += is_id(piece) || is_clock(piece) ? "*" : without_numbers(piece);
  }
  return joined(replaced);
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && lower(pattern[p]) == lower(name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace wavewright
