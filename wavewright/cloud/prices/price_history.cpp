#include "wavewright/cloud/prices/price_history.h"

#include <algorithm>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

std::string Market::text() const {
  std::string text;
  for (const std::string* part : {&instance_type, &zone, &product}) {
    if (part->empty()) continue;
    if (!text.empty()) text += ' ';
    text += *part;
  }
  return text.empty() ? "unnamed" : text;
}

PriceHistory::PriceHistory(Market market, std::vector<PricePoint> points, Time end)
    : market_(std::move(market)), points_(std::move(points)), end_(end) {
  if (points_.empty()) throw UsageError("a price history without a price", "give at least one");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].per_hour < Money{}) throw UsageError("a price below 0", "give prices of 0 or more");
    if (i > 0 && points_[i].from <= points_[i - 1].from)
      throw UsageError("prices out of order", "give them in order of time");
  }
  if (end_ < points_.back().from)
    throw UsageError("a price history that ends before its last price", "give a later end");
}

Money PriceHistory::at(Time instant) const {
  const auto behind = std::upper_bound(points_.begin(), points_.end(), instant,
                                       [](Time time, const PricePoint& point) { return time < point.from; });
  return behind == points_.begin() ? points_.front().per_hour : std::prev(behind)->per_hour;
}

double PriceHistory::mean_micro_usd() const {
  if (length() == Duration{}) return static_cast<double>(points_.back().per_hour.micro_usd);
  double sum = 0;
  for (std::size_t i = 0; i < points_.size(); ++i)
    sum += static_cast<double>(points_[i].per_hour.micro_usd) *
           static_cast<double>(to_ms(until(i) - points_[i].from));
  return sum / static_cast<double>(to_ms(length()));
}

Money PriceHistory::quantile(double share) const {
  std::vector<std::pair<Money, std::int64_t>> held;
  held.reserve(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i)
    held.emplace_back(points_[i].per_hour, to_ms(until(i) - points_[i].from));
  std::sort(held.begin(), held.end());
  const double wanted = share * static_cast<double>(to_ms(length()));
  std::int64_t sum = 0;
  for (const auto& [price, time] : held) {
    sum += time;
    if (time > 0 && static_cast<double>(sum) >= wanted) return price;
  }
  return held.back().first;
}

PriceHistory PriceHistory::between(Time from, Time to) const {
  from = std::max(from, begin());
  to = std::min(to, end());
  if (to <= from) throw UsageError("a part of a price history without length", "give a longer one");
  std::vector<PricePoint> inside = {{from, at(from)}};
  for (const PricePoint& point : points_)
    if (point.from > from && point.from < to) inside.push_back(point);
  return {market_, std::move(inside), to};
}

PriceHistory PriceHistory::without_repeats() const {
  std::vector<PricePoint> changes;
  for (const PricePoint& point : points_)
    if (changes.empty() || changes.back().per_hour != point.per_hour) changes.push_back(point);
  return {market_, std::move(changes), end_};
}

std::vector<SpotPrice> spot_rows(const PriceHistory& history, Time origin) {
  std::vector<SpotPrice> rows;
  for (std::size_t i = 0; i < history.points().size(); ++i) {
    const PricePoint& point = history.points()[i];
    if (i + 1 < history.points().size() && history.until(i) <= origin) continue;
    rows.push_back({std::max(at_ms(to_ms(point.from - origin)), Time{}), to_usd(point.per_hour)});
  }
  return rows;
}

PriceHistory history_of(const std::vector<SpotPrice>& rows, Market market, Time end) {
  std::vector<PricePoint> points;
  points.reserve(rows.size());
  for (const SpotPrice& row : rows) points.push_back({row.from, from_usd(row.price_per_hour)});
  return {std::move(market), std::move(points), end};
}

std::vector<PriceStep> price_steps(const PriceHistory& history, Duration longest_gap) {
  std::vector<PriceStep> steps;
  Time changed{};
  bool heard = true;  // without a gap since `changed`
  for (std::size_t i = 0; i < history.points().size(); ++i) {
    const PricePoint& point = history.points()[i];
    if (i > 0 && point.from - history.points()[i - 1].from > longest_gap) heard = false;
    if (!steps.empty() && steps.back().per_hour == point.per_hour) continue;
    if (!steps.empty() && heard) steps.back().lasted = point.from - changed;
    steps.push_back({point.per_hour, {}});
    changed = point.from;
    heard = true;
  }
  return steps;
}

}  // namespace wavewright
