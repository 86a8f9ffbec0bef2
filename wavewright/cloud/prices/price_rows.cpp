#include "wavewright/cloud/prices/price_rows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "wavewright/core/when.h"

namespace wavewright {

namespace {

// At most 40 characters, without line breaks: a hostile field must not fill the screen.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string cut(text.substr(0, most));
  for (char& c : cut)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text.size() > most ? cut + "…" : cut;
}

std::optional<int> digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// `2015-03-02T14:03:15Z` with or without `.000`; nothing in any other form. Files have millions of these.
std::optional<Time> iso_utc(std::string_view text) {
  constexpr std::size_t without_zone = 19;
  if (text.size() < without_zone + 1 || text.back() != 'Z' || text[4] != '-' || text[7] != '-' ||
      text[10] != 'T' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const auto year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)),
             day = digits(text.substr(8, 2));
  const auto hour = digits(text.substr(11, 2)), minute = digits(text.substr(14, 2)),
             second = digits(text.substr(17, 2));
  if (!year || !month || !day || !hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59)
    return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  std::int64_t fraction = 0;
  const std::string_view rest = text.substr(without_zone, text.size() - without_zone - 1);
  if (!rest.empty()) {
    constexpr std::size_t most_digits = 9;
    if (rest.front() != '.' || rest.size() < 2 || rest.size() > most_digits + 1 || !digits(rest.substr(1)))
      return std::nullopt;
    fraction = digits((std::string(rest.substr(1)) + "00").substr(0, 3)).value_or(0);
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return at_ms((((days * 24 + *hour) * 60 + *minute) * 60 + *second) * 1000 + fraction);
}

std::string lower(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

}  // namespace

Money parse_price(std::string_view text, const Position& where) {
  double usd = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), usd);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || !std::isfinite(usd)) {
    throw InputError(where, fmt::format("'{}' is no price", shown(text)),
                     "write USD an hour as a plain number, like 0.0081");
  }
  if (usd < 0) {
    throw InputError(where, fmt::format("the price {} is below 0", shown(text)),
                     "remove the row, or correct it");
  }
  if (usd > most_price_usd) {
    throw InputError(where,
                     fmt::format("the price {} is above {:g} USD an hour", shown(text), most_price_usd),
                     "check its currency and unit: USD an hour are read");
  }
  return from_usd(usd);
}

Time parse_price_time(std::string_view text, const Position& where) {
  if (const auto instant = iso_utc(text)) return *instant;
  constexpr std::size_t fewest_seconds = 9, fewest_ms = 12, most_ms = 14;
  const bool number =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (number && text.size() >= fewest_seconds && text.size() <= most_ms) {
    std::int64_t value = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), value);
    return at_ms(text.size() >= fewest_ms ? value : value * 1000);
  }
  // A form that depends on when it is read is none.
  if (!number && text.size() >= 10 && text[0] >= '0' && text[0] <= '9') {
    try {
      return parse_when(text, Time{});
    } catch (const UsageError&) {  // told below
    }
  }
  throw InputError(where, fmt::format("'{}' is no time", shown(text)),
                   "write 2015-03-02T14:03:15Z, or ms since 1970");
}

void check_currency(std::string_view text, const Position& where) {
  const std::string word = lower(text);
  if (word.empty() || word == "usd" || word == "$" || word == "us$") return;
  throw InputError(where, fmt::format("a price in '{}'", shown(text)),
                   "convert it to USD: other currencies are not read");
}

void check_unit(std::string_view text, const Position& where) {
  const std::string word = lower(text);
  static constexpr std::array<std::string_view, 8> hours = {"",     "hrs",   "hr",       "h",
                                                            "hour", "hours", "per hour", "usd/hour"};
  if (std::find(hours.begin(), hours.end(), word) != hours.end()) return;
  throw InputError(where, fmt::format("a price per '{}'", shown(text)),
                   "convert it to a price of an hour: other units are not read");
}

}  // namespace wavewright
