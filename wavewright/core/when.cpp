#include "wavewright/core/when.h"

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw UsageError("'" + std::string(text) + "' is not a time",
                   "write it like 22:00, now-2h, yesterday, 2026-11-20 or 2026-11-20T06:00");
}

std::tm local(Time instant) {
  const std::int64_t ms = to_ms(instant);
  const auto seconds = static_cast<std::time_t>(ms / 1000 - (ms % 1000 < 0 ? 1 : 0));
  std::tm fields{};
  localtime_r(&seconds, &fields);
  return fields;
}

Time instant_of(std::tm fields, bool utc) {
  fields.tm_isdst = -1;  // unknown: the zone decides for that day
  return at_ms(static_cast<std::int64_t>(utc ? timegm(&fields) : std::mktime(&fields)) * 1000);
}

// Takes exactly `digits` digits from the front.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc{} || end != text.data() + digits || text.front() == '-') return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// Reads `06:00` or `06:00:30` into the fields.
bool take_clock(std::string_view& text, std::tm& fields) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return false;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return false;
  fields.tm_hour = *hour;
  fields.tm_min = *minute;
  fields.tm_sec = 0;
  if (!take(text, ':')) return true;
  const auto second = take_number(text, 2);
  if (!second || *second > 59) return false;
  fields.tm_sec = *second;
  return true;
}

bool take_date(std::string_view& text, std::tm& fields) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return false;
  const auto month = take_number(text, 2);
  if (!month || *month < 1 || *month > 12 || !take(text, '-')) return false;
  const auto day = take_number(text, 2);
  constexpr std::array days = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (!day || *day < 1 || *day > days[static_cast<std::size_t>(*month - 1)]) return false;
  fields.tm_year = *year - 1900;
  fields.tm_mon = *month - 1;
  fields.tm_mday = *day;
  fields.tm_hour = fields.tm_min = fields.tm_sec = 0;
  return true;
}

// Reads `Z`, `+01:00` or `-0530`: how far the clock is ahead of UTC.
std::optional<Duration> take_offset(std::string_view& text) {
  if (take(text, 'Z')) return Duration{};
  const int sign = take(text, '+') ? 1 : take(text, '-') ? -1 : 0;
  if (sign == 0) return std::nullopt;
  const auto hours = take_number(text, 2);
  (void)take(text, ':');
  const auto minutes = take_number(text, 2);
  if (!hours || *hours > 14 || !minutes || *minutes > 59) return std::nullopt;
  return ms(sign * (*hours * 60 + *minutes) * std::int64_t{60'000});
}

std::tm midnight(Time now, int days_before) {
  std::tm fields = local(now);
  fields.tm_mday -= days_before;
  fields.tm_hour = fields.tm_min = fields.tm_sec = 0;
  return fields;
}

std::optional<Time> parse_clock(std::string_view text, Time now) {
  std::tm fields = local(now);
  if (!take_clock(text, fields) || !text.empty()) return std::nullopt;
  if (const Time today = instant_of(fields, false); today <= now) return today;
  fields.tm_mday -= 1;
  return instant_of(fields, false);
}

std::optional<Time> parse_calendar(std::string_view text) {
  std::tm fields{};
  if (!take_date(text, fields)) return std::nullopt;
  if (text.empty()) return instant_of(fields, false);
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  if (!take_clock(text, fields)) return std::nullopt;
  if (text.empty()) return instant_of(fields, false);
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  return instant_of(fields, true) - *offset;
}

std::optional<Time> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && text.size() >= 12 && value > 0 ? std::optional(at_ms(value)) : std::nullopt;
}

}  // namespace

Time parse_when(std::string_view text, Time now) {
  if (text == "now") return now;
  if (text.starts_with("now-")) return now - parse_duration(text.substr(4));
  if (text == "today") return instant_of(midnight(now, 0), false);
  if (text == "yesterday") return instant_of(midnight(now, 1), false);
  for (const auto& read : {parse_clock(text, now), parse_calendar(text), parse_number(text)}) {
    if (read) return *read;
  }
  refuse(text);
}

TimeRange parse_range(std::string_view from, std::string_view to, Time now) {
  TimeRange range;
  if (!from.empty()) range.from = parse_when(from, now);
  if (!to.empty()) range.to = parse_when(to, now);
  if (range.from && range.to && *range.from > *range.to) {
    if (parse_clock(from, now)) range.from = parse_clock(from, *range.to);
    if (*range.from > *range.to) {
      throw UsageError("'" + std::string(from) + "' lies after '" + std::string(to) + "'",
                       "give the earlier time first");
    }
  }
  return range;
}

std::string format_instant(Time instant) {
  const std::tm at = local(instant);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday,
                     at.tm_hour, at.tm_min, at.tm_sec);
}

std::string format_clock(Time instant) {
  const std::tm at = local(instant);
  return fmt::format("{:02}:{:02}:{:02}", at.tm_hour, at.tm_min, at.tm_sec);
}

std::string zone_name(Time instant) {
  return local(instant).tm_zone;
}

Time now_instant() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return at_ms(std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
}

}  // namespace wavewright
