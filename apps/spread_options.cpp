#include "apps/spread_options.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright::app {

double parse_share(const std::string& text, const char* flag) {
  if (text.empty()) return 0;
  std::string_view digits = text;
  const bool percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool read = !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
  if (!read || !std::isfinite(value) || value < 0)
    throw UsageError(fmt::format("'{}' is no share for {}", text, flag), "give one like 10% or 0.1");
  if (!percent && value > 1)
    throw UsageError(fmt::format("'{}' is no share for {}", text, flag),
                     fmt::format("write {}% for so many per cent", text));
  return percent ? value / 100 : value;
}

double parse_part(const std::string& text, const char* flag) {
  const double part = parse_share(text, flag);
  if (part > 1) throw UsageError(fmt::format("{} '{}' is more than all", flag, text), "give at most 100%");
  return part;
}

std::string spread_text(const LengthSpread& spread) {
  return spread.any() ? fmt::format("task lengths drawn with {}\n", in_words(spread)) : "";
}

void add_spread(Json& document, const LengthSpread& spread) {
  if (!spread.any()) return;
  document["spread"] = spread.tasks;
  document["job_spread"] = spread.jobs;
}

void SpreadOptions::declare(CLI::App& command, const std::string& what_for) {
  command
      .add_option("--spread", tasks_,
                  "draw each task's length with this coefficient of variation: " + what_for)
      ->type_name("10%");
  command
      .add_option("--job-spread", jobs_,
                  "likewise, a factor that all tasks of a job share: nights with more input")
      ->type_name("10%");
}

LengthSpread SpreadOptions::spread() const {
  const LengthSpread spread{parse_share(tasks_, "--spread"), parse_share(jobs_, "--job-spread")};
  check(spread);
  return spread;
}

}  // namespace wavewright::app
