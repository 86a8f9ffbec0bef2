// Axes: positions of durations and counts, and round ticks.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright::report {

struct Tick {
  double position = 0;  // 0 … 1 along the axis
  std::string label;
};

// An axis of durations, linear from 0 or logarithmic.
class Axis {
 public:
  // From 0 to `high` (at least 1 ms).
  [[nodiscard]] static Axis linear(Duration high);
  // For values from `smallest` to `largest`, both positive. Logarithmic with a margin if they differ by more
  // than a factor of 20; else linear from 0 to a little above `largest`.
  [[nodiscard]] static Axis fitting(Duration smallest, Duration largest);

  [[nodiscard]] double position(double value_ms) const;  // 0 … 1; values beyond the ends are clamped
  [[nodiscard]] double position(Duration value) const { return position(static_cast<double>(value.count())); }
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }
  [[nodiscard]] double low_ms() const { return low_; }
  [[nodiscard]] double high_ms() const { return high_; }

  // At most `most` (≥ 2) ticks at round durations: multiples of 1, 2, 5 ms … 1, 2, 5, 10, 15, 30 min … days.
  // On a logarithmic axis at powers of about 10, or finer if the axis is short.
  [[nodiscard]] std::vector<Tick> ticks(std::size_t most) const;

 private:
  Axis(double low, double high, bool logarithmic) : low_(low), high_(high), logarithmic_(logarithmic) {}
  double low_;
  double high_;
  bool logarithmic_;
};

// The smallest of the steps 1, 2, 5, 10 … ms … 15, 30 s … days that fits at most `most` times.
[[nodiscard]] Duration nice_step(Duration length, std::size_t most);

// 0, a round middle if one fits, and `high`.
[[nodiscard]] std::vector<Tick> count_ticks(Count high);

// At most `most` (≥ 2) round values (1, 2, 5 times a power of ten) from 0 to `high`.
[[nodiscard]] std::vector<Tick> value_ticks(double high, std::size_t most);

}  // namespace wavewright::report
