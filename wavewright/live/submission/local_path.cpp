#include "wavewright/live/submission/local_path.h"

#include <algorithm>

namespace wavewright {

namespace {

// `hdfs` of `hdfs://host/path`; empty if there is none.
std::string_view scheme_of(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_inside = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  };
  const std::string_view scheme = text.substr(0, text.find(':'));
  const bool has_one = scheme.size() < text.size() && !scheme.empty() && is_letter(scheme.front()) &&
                       std::all_of(scheme.begin(), scheme.end(), is_inside);
  return has_one ? scheme : std::string_view();
}

}  // namespace

std::optional<std::string> local_path(std::string_view text) {
  const std::string_view scheme = scheme_of(text);
  if (!scheme.empty()) {
    if (scheme != "file") return std::nullopt;
    text.remove_prefix(scheme.size() + 1);
    if (text.starts_with("//")) {  // a host, which is this one, up to the path
      const std::size_t path = text.find('/', 2);
      if (path == std::string_view::npos) return std::nullopt;
      text.remove_prefix(path);
    }
  }
  if (text.empty()) return std::nullopt;
  return std::string(text);
}

std::vector<std::string> local_paths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    std::string_view entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    entry = entry.substr(0, entry.find('#'));
    entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
    entry = entry.substr(0, entry.find_last_not_of(' ') + 1);
    if (entry.find_first_of("*?[]{}%") != std::string_view::npos) continue;
    if (std::optional<std::string> path = local_path(entry)) paths.push_back(std::move(*path));
  }
  return paths;
}

}  // namespace wavewright
