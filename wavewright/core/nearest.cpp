#include "wavewright/core/nearest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wavewright {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replace, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::vector<std::string> near_matches(std::string_view word, std::span<const std::string> candidates,
                                      std::size_t most) {
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  std::vector<std::pair<std::size_t, const std::string*>> close;
  for (const std::string& candidate : candidates) {
    // Their lengths differ by at most their distance.
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) > allowed) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance <= allowed) close.emplace_back(distance, &candidate);
  }
  std::stable_sort(close.begin(), close.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> matches;
  for (const auto& [distance, candidate] : close) {
    if (matches.size() == most) break;
    if (std::find(matches.begin(), matches.end(), *candidate) == matches.end()) matches.push_back(*candidate);
  }
  return matches;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  const std::vector<std::string> matches = near_matches(word, candidates, 1);
  return matches.empty() ? std::nullopt : std::optional(matches.front());
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  if (candidates.empty()) return "there are none";
  if (const auto close = nearest(word, candidates)) return "did you mean '" + *close + "'?";
  constexpr std::size_t all_up_to = 60, such_as = 5;
  const bool all = candidates.size() <= all_up_to;
  std::string text = all ? "one of:" : "one of " + std::to_string(candidates.size()) + ", such as:";
  for (const std::string& candidate : candidates.first(all ? candidates.size() : such_as))
    text += " " + candidate;
  return text;
}

}  // namespace wavewright
