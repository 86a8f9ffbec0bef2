#include "wavewright/core/apart.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace wavewright {

namespace {

constexpr std::int64_t second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;

// All units that are not 0, from days down to `finest` (a minute, a second or 1 ms); the rest is dropped. If
// format_duration is as fine, its text.
std::string format_down_to(Duration duration, std::int64_t finest) {
  std::int64_t left = duration.count() < 0 ? -duration.count() : duration.count();
  const bool as_fine = left < (finest < second ? second : hour);
  if (as_fine || (left < hour && left % minute == 0)) return format_duration(duration);
  std::string text = duration.count() < 0 ? "-" : "";
  for (const auto& [unit, name] : {std::pair(day, "d"), std::pair(hour, "h"), std::pair(minute, "m")}) {
    if (left >= unit) text += fmt::format("{}{}", left / unit, name);
    left %= unit;
  }
  left -= left % finest;
  if (left == 0) return text;
  return text + (left % second == 0 ? fmt::format("{}s", left / second)
                                    : fmt::format("{}.{:03}s", left / second, left % second));
}

bool told_apart(const std::vector<Duration>& durations, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < durations.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (durations[i] != durations[j] && texts[i] == texts[j]) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> format_apart(const std::vector<Duration>& durations) {
  std::vector<std::string> texts;
  Duration longest{};
  for (const Duration duration : durations) {
    texts.push_back(format_duration(duration));
    longest = std::max(longest, std::chrono::abs(duration));
  }
  for (const std::int64_t finest : {minute, second, std::int64_t{1}}) {
    if (told_apart(durations, texts) || (finest < second && longest.count() >= hour)) break;
    for (std::size_t i = 0; i < durations.size(); ++i) texts[i] = format_down_to(durations[i], finest);
  }
  return texts;
}

}  // namespace wavewright
