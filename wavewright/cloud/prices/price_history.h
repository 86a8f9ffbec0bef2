// The spot price of one market over time, in whole micro-dollars an hour.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/money.h"
#include "wavewright/core/time.h"

namespace wavewright {

// What a spot price is for. A field is empty if the file does not tell it.
struct Market {
  std::string instance_type;  // m3.medium
  std::string zone;           // us-east-1a
  std::string product;        // Linux/UNIX

  // `m3.medium us-east-1a Linux/UNIX`; `unnamed` if all are empty.
  [[nodiscard]] std::string text() const;
  friend auto operator<=>(const Market&, const Market&) = default;
};

// A price from an instant on, until the next one.
struct PricePoint {
  Time from{};
  Money per_hour;

  friend bool operator==(const PricePoint&, const PricePoint&) = default;
};

class PriceHistory {
 public:
  // `points` in order of time, at least one; each holds until the next, the last one until `end`. Throws
  // UsageError if there is none, if they are out of order, if a price is negative or `end` is before the
  // last.
  PriceHistory(Market market, std::vector<PricePoint> points, Time end);

  [[nodiscard]] const Market& market() const { return market_; }
  [[nodiscard]] const std::vector<PricePoint>& points() const { return points_; }
  [[nodiscard]] Time begin() const { return points_.front().from; }
  [[nodiscard]] Time end() const { return end_; }
  [[nodiscard]] Duration length() const { return end() - begin(); }
  // The end of the time of point `i`.
  [[nodiscard]] Time until(std::size_t i) const {
    return i + 1 < points_.size() ? points_[i + 1].from : end_;
  }

  // The price at an instant; the first one before the beginning. O(log points).
  [[nodiscard]] Money at(Time instant) const;
  // Mean over time; the last price if the history has no length. O(points).
  [[nodiscard]] double mean_micro_usd() const;
  // The least price that holds, or is above, for this share (0 to 1) of the time. O(points · log points).
  [[nodiscard]] Money quantile(double share) const;
  // The part from `from` to `to`. Throws UsageError if it has no length. O(points).
  [[nodiscard]] PriceHistory between(Time from, Time to) const;
  // Without points that repeat the price before them. O(points).
  [[nodiscard]] PriceHistory without_repeats() const;

  friend bool operator==(const PriceHistory&, const PriceHistory&) = default;

 private:
  Market market_;
  std::vector<PricePoint> points_;
  Time end_{};
};

// As a simulation takes them (NodeGroup::spot): the instant `origin` becomes 0, and what holds then stands at
// 0. Exact: from_usd gives each price back. O(points).
[[nodiscard]] std::vector<SpotPrice> spot_rows(const PriceHistory& history, Time origin);

// Reads those rows back; the last price holds until `end`.
[[nodiscard]] PriceHistory history_of(const std::vector<SpotPrice>& rows, Market market, Time end);

// How long each price held, without repeats. Absent for the last one, whose end is not seen, and where
// nothing was heard for longer than `longest_gap`: that is a gap of the record and no time between changes.
struct PriceStep {
  Money per_hour;
  std::optional<Duration> lasted;
};
[[nodiscard]] std::vector<PriceStep> price_steps(const PriceHistory& history, Duration longest_gap);

}  // namespace wavewright
