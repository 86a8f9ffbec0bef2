#include "tests/cloud/prices/real_like.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "wavewright/core/random.h"

namespace wavewright {

namespace {

constexpr std::int64_t second = 1000, day = 86'400'000;

Money rounded(double usd) {
  constexpr std::int64_t step = 100;
  return {std::max<std::int64_t>(1, std::llround(usd * 1e6 / step)) * step};
}

// Asks for a price and the time that it holds until the days are over.
PriceHistory history_by(int days, const std::function<std::pair<double, double>()>& next) {
  std::vector<PricePoint> points;
  Time now{};
  const Time end = at_ms(days * day);
  while (now < end) {
    const auto [usd, seconds] = next();
    const Money price = rounded(usd);
    if (points.empty() || points.back().per_hour != price) points.push_back({now, price});
    now += ms(std::max<std::int64_t>(1, std::llround(seconds)) * second);
  }
  return {{"m3.medium", "us-east-1a", "Linux/UNIX"}, points, end};
}

}  // namespace

PriceHistory regime_prices(std::uint64_t seed, int days) {
  Random random(seed, "regimes");
  bool scarce = false;
  double left = 0, log = 0;
  return history_by(days, [&]() -> std::pair<double, double> {
    if (left <= 0) {
      scarce = !scarce;
      left = random.exponential(scarce ? 4 * 3600.0 : 20 * 3600.0);
      log += scarce ? 0.9 : 0;
    }
    const double level = scarce ? std::log(0.035) : std::log(0.0105);
    // Uniform steps, sometimes three times as large.
    const double step = random.uniform(-0.12, 0.12) * (random.unit() < 0.1 ? 3 : 1);
    log = level + 0.88 * ((log == 0 ? level : log) - level) + step;
    const double seconds = 60 + random.exponential(scarce ? 600 : 1800);
    left -= seconds;
    return {std::exp(log), seconds};
  });
}

PriceHistory floor_prices(std::uint64_t seed, int days) {
  Random random(seed, "floor");
  constexpr double floor = 0.0081;
  int away = 0;
  double price = floor;
  return history_by(days, [&]() -> std::pair<double, double> {
    if (away > 0) {
      --away;
      price = std::max(floor, price + random.uniform(-0.0012, 0.0012));
      if (random.unit() < 0.015) return {floor * random.uniform(8, 90), random.uniform(60, 900)};
      return {price, random.uniform(300, 2400)};
    }
    price = floor;
    away = 1 + static_cast<int>(random.below(8));
    return {floor, 1200 + random.exponential(5400)};
  });
}

PriceHistory auction_prices(std::uint64_t seed, int days) {
  Random random(seed, "auction");
  constexpr std::size_t supply = 60;
  std::multiset<double> bids;
  for (std::size_t i = 0; i < supply + 5; ++i) bids.insert(0.008 + random.exponential(0.02));
  return history_by(days, [&]() -> std::pair<double, double> {
    const double load = 1.1 + 0.15 * random.unit();
    const bool comes = random.unit() < (static_cast<double>(bids.size()) < load * supply ? 0.6 : 0.4);
    if (comes || bids.empty()) {
      bids.insert(0.008 + random.exponential(0.02));
    } else {
      auto leaves = bids.begin();
      std::advance(leaves, static_cast<std::ptrdiff_t>(random.below(bids.size())));
      bids.erase(leaves);
    }
    double price = 0.008;
    if (bids.size() >= supply)
      price = *std::next(bids.begin(), static_cast<std::ptrdiff_t>(bids.size() - supply));
    return {price, 30 + random.exponential(900)};
  });
}

}  // namespace wavewright
