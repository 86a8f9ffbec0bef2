// The readings of one source of one node, in order.
#pragma once

#include <string>
#include <vector>

#include "wavewright/energy/meters/meter.h"

namespace wavewright {

struct Reading {
  Time at{};
  std::int64_t value = 0;  // µJ of a counter, mW of a gauge
  // Why the time since the reading before says nothing: `suspended`, `clock`, or `file` (another recording
  // begins); empty otherwise.
  std::string broke = {};

  friend bool operator==(const Reading&, const Reading&) = default;
};

// The end of the year 9999. Sums of times until then cannot overflow.
inline constexpr Time latest_reading = at_ms(253'402'300'799'999);

struct SourceSeries {
  std::string node;
  MeterSource source;
  std::vector<Reading> readings;

  friend bool operator==(const SourceSeries&, const SourceSeries&) = default;
};

}  // namespace wavewright
