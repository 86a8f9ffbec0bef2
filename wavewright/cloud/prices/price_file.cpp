#include "wavewright/cloud/prices/price_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/cloud/prices/price_csv.h"
#include "wavewright/cloud/prices/price_json.h"
#include "wavewright/core/file.h"
#include "wavewright/core/when.h"

namespace wavewright {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;

bool matches(const Market& market, const Market& wanted) {
  const auto fits = [](const std::string& have, const std::string& want) {
    return want.empty() || have == want;
  };
  return fits(market.instance_type, wanted.instance_type) && fits(market.zone, wanted.zone) &&
         fits(market.product, wanted.product);
}

std::string some_of(const std::set<Market>& markets) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const Market& each : markets) {
    if (names.size() == most) {
      names.push_back(fmt::format("and {} more", markets.size() - most));
      break;
    }
    names.push_back(each.text());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// Of one market: sorts, drops what stands twice, and says what was found.
PriceHistory history_from(const Market& market, std::vector<PricePoint> points, Duration longest_gap,
                          std::vector<std::string>& notes) {
  const auto later = [](const PricePoint& a, const PricePoint& b) { return a.from < b.from; };
  const bool ascending = std::is_sorted(points.begin(), points.end(), later);
  const bool newest_first = std::is_sorted(points.rbegin(), points.rend(), later);
  if (!ascending && !newest_first)
    notes.push_back(market.text() + ": the rows were out of order; they are sorted");
  std::sort(points.begin(), points.end(), [](const PricePoint& a, const PricePoint& b) {
    return std::pair(a.from, -a.per_hour.micro_usd) < std::pair(b.from, -b.per_hour.micro_usd);
  });
  std::vector<PricePoint> kept;
  Count twice = 0, differ = 0, gaps = 0;
  Duration longest{};
  Time before_longest{};
  for (const PricePoint& point : points) {
    if (!kept.empty() && kept.back().from == point.from) {
      ++(kept.back().per_hour == point.per_hour ? twice : differ);
      continue;
    }
    if (!kept.empty() && point.from - kept.back().from > longest_gap) {
      ++gaps;
      if (point.from - kept.back().from > longest)
        longest = point.from - kept.back().from, before_longest = kept.back().from;
    }
    kept.push_back(point);
  }
  if (twice > 0)
    notes.push_back(fmt::format("{}: {} rows stand twice; they count once", market.text(), twice));
  if (differ > 0) {
    notes.push_back(fmt::format("{}: {} rows give another price for the same instant; the higher one is kept",
                                market.text(), differ));
  }
  if (gaps > 0) {
    notes.push_back(
        fmt::format("{}: {} gaps of more than {}, the longest of {} from {}; the last price is "
                    "taken to hold in them",
                    market.text(), gaps, format_duration(longest_gap), format_duration(longest),
                    format_instant(before_longest)));
  }
  const Time end = kept.back().from;
  return {market, std::move(kept), end};
}

}  // namespace

PriceFile prices_of_text(std::string_view text, const std::string& source, const PriceReadOptions& options) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    throw InputError({source}, "the file is empty", "give a price history as JSON or CSV");
  const bool json = text[first] == '{' || text[first] == '[';
  PriceRows read = json ? price_rows_of_json(text, source) : price_rows_of_csv(text, source);
  if (read.rows.empty())
    throw InputError({source}, "there is no price in it", "ask for a longer time, or another type or zone");
  PriceFile file;
  file.notes = std::move(read.notes);
  std::map<Market, std::vector<PricePoint>> by_market;
  std::set<Market> others;
  for (PriceRow& row : read.rows) {
    if (!matches(row.market, options.wanted)) {
      others.insert(std::move(row.market));
      continue;
    }
    ++file.rows;
    by_market[std::move(row.market)].push_back({row.from, row.per_hour});
  }
  if (by_market.empty()) {
    throw InputError({source}, "no price of " + options.wanted.text() + " is in it",
                     "choose from: " + some_of(others));
  }
  for (auto& [market, points] : by_market)
    file.histories.push_back(history_from(market, std::move(points), options.longest_gap, file.notes));
  return file;
}

PriceFile read_prices(const std::filesystem::path& path, const PriceReadOptions& options) {
  return prices_of_text(read_file(path, largest_file), path.string(), options);
}

const PriceHistory& only_history(const PriceFile& file) {
  if (file.histories.size() == 1) return file.histories.front();
  std::set<Market> markets;
  for (const PriceHistory& each : file.histories) markets.insert(each.market());
  throw UsageError(fmt::format("the file has prices of {} markets", markets.size()),
                   "choose one with --type, --zone and --product: " + some_of(markets));
}

}  // namespace wavewright
