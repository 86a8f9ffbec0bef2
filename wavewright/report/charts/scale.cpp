#include "wavewright/report/charts/scale.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr std::int64_t second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;

constexpr std::array<std::int64_t, 25> ladder = {
    1,           2,           5,           10,    20,       50,       100,      200,        500,
    second,      2 * second,  5 * second,  10000, 15000,    30000,    minute,   2 * minute, 5 * minute,
    10 * minute, 15 * minute, 30 * minute, hour,  2 * hour, 6 * hour, 12 * hour};

// For logarithmic axes: from the finest to the coarsest evenly spaced step.
constexpr std::array<std::int64_t, 17> halves = {
    1,           5,      10,         50,          100,         500,  second,   5 * second, 10 * second,
    30 * second, minute, 5 * minute, 10 * minute, 30 * minute, hour, 5 * hour, 10 * hour};
constexpr std::array<std::int64_t, 9> decades = {1,      10,          100,  second,   10 * second,
                                                 minute, 10 * minute, hour, 10 * hour};
constexpr double log_margin = 1.15;

enum class Fineness : std::uint8_t { fine, medium, coarse };

// Round durations from 1 ms up to `high`.
std::vector<std::int64_t> round_durations(double high, Fineness fineness) {
  std::vector<std::int64_t> values;
  if (fineness == Fineness::fine) values.assign(ladder.begin(), ladder.end());
  if (fineness == Fineness::medium) values.assign(halves.begin(), halves.end());
  if (fineness == Fineness::coarse) values.assign(decades.begin(), decades.end());
  for (std::int64_t days = 1; static_cast<double>(days * day) <= high; days *= 10) {
    values.push_back(days * day);
    if (fineness == Fineness::fine) values.push_back(2 * days * day);
    if (fineness != Fineness::coarse) values.push_back(5 * days * day);
  }
  return values;
}

}  // namespace

Axis Axis::linear(Duration high) {
  return {0, static_cast<double>(std::max<std::int64_t>(high.count(), 1)), false};
}

Axis Axis::fitting(Duration smallest, Duration largest) {
  const auto low = static_cast<double>(std::max<std::int64_t>(smallest.count(), 1));
  const double high = std::max(low, static_cast<double>(largest.count()));
  if (high / low > 20) return {low / log_margin, high * log_margin, true};
  return {0, std::max(1.0, high * 1.04), false};
}

double Axis::position(double value_ms) const {
  const double clamped = std::clamp(value_ms, low_, high_);
  if (logarithmic_) return std::log(clamped / low_) / std::log(high_ / low_);
  return (clamped - low_) / (high_ - low_);
}

Duration nice_step(Duration length, std::size_t most) {
  const auto fits = [&](std::int64_t step) {
    return step > 0 && length.count() / step <= static_cast<std::int64_t>(most);
  };
  for (const std::int64_t step : ladder) {
    if (fits(step)) return ms(step);
  }
  std::int64_t days = 1;
  for (;; days *= 10) {
    for (const std::int64_t factor : {1, 2, 5}) {
      if (fits(days * factor * day)) return ms(days * factor * day);
    }
  }
}

std::vector<Tick> Axis::ticks(std::size_t most) const {
  std::vector<Tick> result;
  const auto add = [&](std::int64_t value) {
    result.push_back({position(static_cast<double>(value)), duration_text(ms(value))});
  };
  if (!logarithmic_) {
    const Duration step = nice_step(ms(static_cast<std::int64_t>(high_)), most - 1);
    for (std::int64_t value = 0; static_cast<double>(value) <= high_; value += step.count()) add(value);
    return result;
  }
  for (const Fineness fineness : {Fineness::fine, Fineness::medium, Fineness::coarse}) {
    std::vector<std::int64_t> inside;
    for (const std::int64_t value : round_durations(high_, fineness)) {
      const auto exact = static_cast<double>(value);
      if (exact >= low_ && exact <= high_) inside.push_back(value);
    }
    if (inside.size() > most && fineness != Fineness::coarse) continue;
    const std::size_t stride = (inside.size() + most - 1) / most;
    for (std::size_t i = 0; i < inside.size(); i += stride) add(inside[i]);
    break;
  }
  return result;
}

std::vector<Tick> count_ticks(Count high) {
  std::vector<Tick> ticks{{0, "0"}};
  if (high <= 0) return ticks;
  if (high % 2 == 0) ticks.push_back({0.5, count_text(high / 2)});
  ticks.push_back({1, count_text(high)});
  return ticks;
}

std::vector<Tick> value_ticks(double high, std::size_t most) {
  std::vector<Tick> ticks{{0, "0"}};
  if (high <= 0) return ticks;
  const auto steps = static_cast<double>(most - 1);
  const double power = std::pow(10.0, std::floor(std::log10(high / steps)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (high / (factor * power) < steps + 1) step = factor * power;
  }
  for (int i = 1; i * step <= high; ++i) {
    const double value = i * step;
    ticks.push_back(
        {value / high, value >= 1000 ? count_text(std::llround(value)) : fmt::format("{:.4g}", value)});
  }
  return ticks;
}

}  // namespace wavewright::report
