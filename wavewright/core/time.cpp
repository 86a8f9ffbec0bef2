#include "wavewright/core/time.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

struct Unit {
  std::string_view name;
  double factor_ms;
};

constexpr std::array units = {
    Unit{"ms", 1},     Unit{"s", 1e3},     Unit{"sec", 1e3},     Unit{"min", 60e3},   Unit{"m", 60e3},
    Unit{"h", 3600e3}, Unit{"d", 86400e3}, Unit{"day", 86400e3}, Unit{"w", 604800e3},
};

[[noreturn]] void refuse(std::string_view text) {
  throw UsageError("'" + std::string(text) + "' is not a duration",
                   text.find(':') == std::string_view::npos
                       ? "write it like 8min, 1h30m, 90s or 250ms"
                       : "write it like 8min or 1h30m; 'plan --by' takes the time of a clock");
}

}  // namespace

Duration parse_duration(std::string_view text) {
  const std::string_view whole = text;
  if (text.empty()) refuse(whole);
  double total = 0;
  bool any_unit = false;
  while (!text.empty()) {
    if (text.front() < '0' || text.front() > '9') refuse(whole);  // no signs, no 'nan', no 'inf'
    double number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{}) refuse(whole);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    std::size_t length = 0;
    while (length < text.size() && text[length] >= 'a' && text[length] <= 'z') ++length;
    const std::string_view name = text.substr(0, length);
    text.remove_prefix(length);
    if (name.empty()) {
      if (any_unit || !text.empty()) refuse(whole);
      total += number * 1e3;
      break;
    }
    bool known = false;
    for (const Unit& unit : units) {
      if (unit.name == name) {
        total += number * unit.factor_ms;
        known = any_unit = true;
        break;
      }
    }
    if (!known) refuse(whole);
  }
  if (!(total <= static_cast<double>(longest_duration.count()))) {
    throw UsageError("'" + std::string(whole) + "' is too long a duration",
                     "the longest is about 9000 years");
  }
  return ms(std::llround(total));
}

std::string format_duration(Duration duration) {
  std::int64_t count = duration.count();
  const std::string sign = count < 0 ? "-" : "";
  count = count < 0 ? -count : count;
  constexpr std::int64_t second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
  if (count < second) return fmt::format("{}{}ms", sign, count);
  if (count < minute) {
    return count % second == 0 ? fmt::format("{}{}s", sign, count / second)
                               : fmt::format("{}{}.{}s", sign, count / second, count % second / 100);
  }
  const auto pair = [&](std::int64_t big, const char* big_name, std::int64_t small, const char* small_name) {
    const std::int64_t rest = count % big / small;
    return rest == 0 ? fmt::format("{}{}{}", sign, count / big, big_name)
                     : fmt::format("{}{}{}{}{}", sign, count / big, big_name, rest, small_name);
  };
  if (count < hour)
    return count % minute / second == 0 ? fmt::format("{}{}min", sign, count / minute)
                                        : pair(minute, "m", second, "s");
  if (count < day) return pair(hour, "h", minute, "m");
  return pair(day, "d", hour, "h");
}

std::string format_utc(Time instant) {
  // By calendar fields, because fmt 9 would print a sys_time in the local zone.
  using namespace std::chrono;
  const sys_seconds second = floor<seconds>(sys_time<milliseconds>(milliseconds(to_ms(instant))));
  const sys_days day = floor<days>(second);
  const year_month_day date(day);
  const hh_mm_ss<seconds> clock(second - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace wavewright
