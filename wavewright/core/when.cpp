#include "wavewright/core/when.h"

#include <charconv>
#include <ctime>
#include <optional>
#include <string>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw UsageError("'" + std::string(text) + "' is not an instant",
                   "write it like 22:00, now-2h, yesterday, 2026-11-19 or 2026-11-19T22:00:00Z");
}

// Takes things off the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Exactly so many digits, a value of at most `most`.
  [[nodiscard]] std::optional<int> number(std::size_t digits, int most) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, value);
    if (error != std::errc{} || end != rest_.data() + digits || value < 0 || value > most)
      return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }

 private:
  std::string_view rest_;
};

struct Civil {
  int year = 0, month = 1, day = 1;
  std::int64_t of_day_ms = 0;
};

std::tm local(Time instant) {
  const auto seconds =
      static_cast<std::time_t>(std::chrono::floor<std::chrono::seconds>(instant.time_since_epoch()).count());
  std::tm parts{};
  if (localtime_r(&seconds, &parts) == nullptr) throw UsageError("an instant beyond the calendar");
  return parts;
}

// Days may run over the month's end; mktime sorts that out, daylight saving too.
Time from_local(const Civil& civil) {
  std::tm parts{};
  parts.tm_year = civil.year - 1900;
  parts.tm_mon = civil.month - 1;
  parts.tm_mday = civil.day;
  const std::int64_t seconds = civil.of_day_ms / 1000;
  parts.tm_hour = static_cast<int>(seconds / 3600);
  parts.tm_min = static_cast<int>(seconds / 60 % 60);
  parts.tm_sec = static_cast<int>(seconds % 60);
  parts.tm_isdst = -1;
  return at_ms(static_cast<std::int64_t>(std::mktime(&parts)) * 1000 + civil.of_day_ms % 1000);
}

Civil day_of(Time instant, int days_later) {
  const std::tm parts = local(instant);
  return {parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday + days_later, 0};
}

// HH:MM[:SS[.mmm]]
std::optional<std::int64_t> time_of_day(Cursor& cursor) {
  const auto hours = cursor.number(2, 23);
  if (!hours || !cursor.take(':')) return std::nullopt;
  const auto minutes = cursor.number(2, 59);
  if (!minutes) return std::nullopt;
  int seconds = 0;
  int thousandths = 0;
  if (cursor.take(':')) {
    const auto given = cursor.number(2, 59);
    if (!given) return std::nullopt;
    seconds = *given;
    if (cursor.take('.')) {
      const auto fraction = cursor.number(3, 999);
      if (!fraction) return std::nullopt;
      thousandths = *fraction;
    }
  }
  return ((std::int64_t{*hours} * 60 + *minutes) * 60 + seconds) * 1000 + thousandths;
}

// Z or ±HH:MM, as ms east of Greenwich.
std::optional<std::int64_t> zone_offset(Cursor& cursor) {
  if (cursor.take('Z')) return 0;
  const bool east = cursor.take('+');
  if (!east && !cursor.take('-')) return std::nullopt;
  const auto hours = cursor.number(2, 14);
  if (!hours || !cursor.take(':')) return std::nullopt;
  const auto minutes = cursor.number(2, 59);
  if (!minutes) return std::nullopt;
  return (east ? 1 : -1) * (std::int64_t{*hours} * 60 + *minutes) * 60'000;
}

std::optional<Time> iso_instant(std::string_view text) {
  using namespace std::chrono;
  Cursor cursor(text);
  const auto y = cursor.number(4, 9999);
  if (!y || !cursor.take('-')) return std::nullopt;
  const auto m = cursor.number(2, 12);
  if (!m || !cursor.take('-')) return std::nullopt;
  const auto d = cursor.number(2, 31);
  if (!d) return std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}};
  if (!date.ok()) return std::nullopt;
  Civil civil{*y, *m, *d, 0};
  if (cursor.done()) return from_local(civil);
  if (!cursor.take('T') && !cursor.take(' ')) return std::nullopt;
  const auto of_day = time_of_day(cursor);
  if (!of_day) return std::nullopt;
  civil.of_day_ms = *of_day;
  if (cursor.done()) return from_local(civil);
  const auto offset = zone_offset(cursor);
  if (!offset || !cursor.done()) return std::nullopt;
  return at_ms(duration_cast<milliseconds>(sys_days{date}.time_since_epoch()).count() + *of_day - *offset);
}

}  // namespace

Time parse_when(std::string_view text, Time now, Time latest) {
  if (text == "now") return now;
  if (text.starts_with("now-")) return now - parse_duration(text.substr(4));
  if (text.starts_with("now+")) return now + parse_duration(text.substr(4));
  if (text == "today") return from_local(day_of(now, 0));
  if (text == "yesterday") return from_local(day_of(now, -1));
  if (text.starts_with('@')) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count < 0 ||
        ms(count) > longest_duration) {
      refuse(text);
    }
    return at_ms(count);
  }
  Cursor cursor(text);
  if (const auto of_day = time_of_day(cursor); of_day && cursor.done()) {
    for (int days_back = 0; days_back < 3; ++days_back) {
      Civil civil = day_of(latest, -days_back);
      civil.of_day_ms = *of_day;
      if (const Time instant = from_local(civil); instant <= latest) return instant;
    }
  }
  if (const auto instant = iso_instant(text)) return *instant;
  refuse(text);
}

TimeSpan parse_span(std::string_view from, std::string_view to, Time now) {
  TimeSpan span;
  span.to = parse_when(to, now, now);
  span.from = parse_when(from, now, span.to);
  if (span.from >= span.to) {
    throw UsageError("the span from " + std::string(from) + " to " + std::string(to) + " is empty",
                     "give a --from before --to");
  }
  return span;
}

}  // namespace wavewright
