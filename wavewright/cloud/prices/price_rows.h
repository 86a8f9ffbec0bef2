// Rows of a price file before they are histories: what their fields say, checked one by one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/core/error.h"

namespace wavewright {

struct PriceRow {
  Market market;
  Time from{};
  Money per_hour;
};

struct PriceRows {
  std::vector<PriceRow> rows;      // in the order of the file
  std::vector<std::string> notes;  // what was passed over, a sentence each
};

inline constexpr std::size_t most_price_rows = 50'000'000;
inline constexpr double most_price_usd = 10'000;  // an hour

// All throw InputError with `where`, what is wrong and what to write.

// A price in USD an hour, as `0.008100` or `1e-2`; from 0 to `most_price_usd`. Rounded to a micro-dollar.
[[nodiscard]] Money parse_price(std::string_view text, const Position& where);
// `2015-03-02T14:03:15.000Z`, `2015-03-02T14:03:15+00:00`, other forms of parse_when (core/when.h), or a
// number: ms since 1970 (12 and more digits), or seconds (9 to 11).
[[nodiscard]] Time parse_price_time(std::string_view text, const Position& where);
// Accepts `USD` and empty; refuses other currencies.
void check_currency(std::string_view text, const Position& where);
// Accepts an hour (`Hrs`, `hour`, `per hour`) and empty.
void check_unit(std::string_view text, const Position& where);

}  // namespace wavewright
