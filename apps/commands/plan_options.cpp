#include "apps/commands/plan_options.h"

#include <charconv>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

bool is_clock(const std::string& text) {
  const std::size_t colon = text.find(':');
  return colon != std::string::npos && colon <= 2 && text.find('-') == std::string::npos;
}

std::optional<Count> whole(std::string_view text) {
  Count value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

SlotPool parse_ratio(const std::string& text) {
  constexpr Count most = 1000;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const auto maps = whole(std::string_view(text).substr(0, colon));
    const auto reduces = whole(std::string_view(text).substr(colon + 1));
    if (maps && reduces && *maps >= 1 && *reduces >= 1 && *maps <= most && *reduces <= most)
      return {*maps, *reduces};
  }
  throw UsageError(fmt::format("'{}' is no ratio of map to reduce slots", text), "give one like 2:1");
}

WantedEnd wanted_end(const PlanOptions& options, const Workload& batch, Time now) {
  std::optional<Time> begins = batch.recorded_beginning();
  if (!options.begins.empty()) begins = parse_when(options.begins, now);
  if (!options.deadline.empty()) {
    const Duration deadline = parse_duration(options.deadline);
    if (deadline == Duration{}) throw UsageError("a deadline of 0", "give a time like 6h");
    return {deadline, begins};
  }
  if (!begins) begins = now;
  // The latest such clock time within a day is the first one after the beginning.
  const Time by = parse_when(options.by, is_clock(options.by) ? *begins + std::chrono::hours(24) : now);
  if (by <= *begins) {
    throw UsageError(
        fmt::format("--by {} is not after the batch begins ({})", options.by, format_instant(*begins)),
        "give a later time, or the beginning with --begins");
  }
  return {by - *begins, begins};
}

}  // namespace wavewright::app
