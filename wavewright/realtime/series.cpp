#include "wavewright/realtime/series.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// Takes any number of instances from 2. A number out of the range of Count becomes the largest Count.
std::optional<Series> parse_one(std::string_view text) {
  const std::size_t last = text.rfind('/');
  const std::size_t middle = last == text.npos || last == 0 ? text.npos : text.rfind('/', last - 1);
  if (middle == text.npos || middle == 0) return std::nullopt;
  Series series{.name = std::string(text.substr(0, middle))};
  const std::string_view times = text.substr(last + 1);
  const auto [end, error] = std::from_chars(times.data(), times.data() + times.size(), series.times);
  if (error == std::errc::invalid_argument || end != times.data() + times.size()) return std::nullopt;
  if (error != std::errc{}) series.times = times.front() == '-' ? 0 : std::numeric_limits<Count>::max();
  try {
    series.every = parse_duration(text.substr(middle + 1, last - middle - 1));
  } catch (const UsageError&) {
    return std::nullopt;
  }
  if (series.every <= Duration{} || series.times < 2) return std::nullopt;
  return series;
}

// The series up to the first fault.
struct Parsed {
  std::vector<Series> all;
  std::optional<std::string> twice;     // the fault: a job that was named before
  std::optional<std::string> too_long;  // the fault: a series of too many instances
  bool whole = false;                   // there was none
};

Parsed parse(std::string_view text) {
  Parsed parsed;
  while (true) {
    const std::size_t next = text.find('|');
    std::optional<Series> one = parse_one(text.substr(0, next));
    if (!one) return parsed;
    if (one->times > Series::most_times) {
      parsed.too_long = std::string(text.substr(0, next));
      return parsed;
    }
    const auto same = [&](const Series& each) { return each.name == one->name; };
    if (std::any_of(parsed.all.begin(), parsed.all.end(), same)) {
      parsed.twice = std::move(one->name);
      return parsed;
    }
    parsed.all.push_back(std::move(*one));
    parsed.whole = next == text.npos;
    if (parsed.whole) return parsed;
    text.remove_prefix(next + 1);
  }
}

}  // namespace

std::optional<std::vector<Series>> parse_series(std::string_view text) {
  Parsed parsed = parse(text);
  return parsed.whole ? std::optional(std::move(parsed.all)) : std::nullopt;
}

std::optional<std::string> series_too_long(std::string_view text) {
  return parse(text).too_long;
}

std::optional<std::string> job_named_twice(std::string_view text) {
  return parse(text).twice;
}

}  // namespace wavewright
