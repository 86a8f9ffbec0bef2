#include "wavewright/store/key.h"

#include <algorithm>

#include <fmt/format.h>

namespace wavewright {

namespace {

constexpr std::size_t longest_key = 180;  // bytes

// Cuts the text, but not inside a UTF-8 character.
std::string_view beginning(std::string_view text, std::size_t length) {
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;
  return text.substr(0, length);
}

std::string shorten(std::string text) {
  if (text.size() <= longest_key) return text;
  return std::string(beginning(text, longest_key - 33)) + "#" + hash_text(text);
}

}  // namespace

std::string hash_text(std::string_view text) {
  // FNV-1a, twice with different starts.
  const auto fnv = [&](std::uint64_t hash) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
  };
  return fmt::format("{:016x}{:016x}", fnv(0xcbf29ce484222325ULL), fnv(0x9e3779b97f4a7c15ULL));
}

bool matches(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;  // the last * passed, and the start of its text
  std::size_t began = 0;
  while (at < text.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      began = at;
    } else if (in < pattern.size() && pattern[in] == text[at]) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++began;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

std::string fold_case(std::string_view text) {
  std::string folded(text);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return folded;
}

std::string search_key(std::string_view text) {
  return shorten(fold_case(text));
}

std::string like_pattern(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '!') pattern += '!';
    pattern += c == '*' ? '%' : c;
  }
  return pattern;
}

std::string run_identity(const JobRun& run, std::string_view content) {
  if (!run.id.empty() && run.submit) return shorten(fmt::format("{}@{}", run.id, to_ms(*run.submit)));
  const std::int64_t finish = run.finish ? to_ms(*run.finish) : -1;
  const std::string hash = hash_text(fmt::format("{}\n{}\n{}\n{}", run.name, run.user, finish, content));
  return shorten(fmt::format("{}@{}#{}", run.id, run.submit ? to_ms(*run.submit) : -1, hash));
}

}  // namespace wavewright
