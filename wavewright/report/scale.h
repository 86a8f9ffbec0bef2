// Axes: from durations and counts to positions, and the ticks that a reader expects there.
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

// Durations along a line, linear from 0 or logarithmic.
class Axis {
 public:
  // From 0 to `high` (at least 1 ms).
  [[nodiscard]] static Axis linear(Duration high);
  // Fit for values that span `smallest` … `largest`, both positive: logarithmic, with a margin, when they
  // differ by more than a factor of 20; linear from 0 to a little above `largest` otherwise.
  [[nodiscard]] static Axis fitting(Duration smallest, Duration largest);

  [[nodiscard]] double position(double value_ms) const;  // 0 … 1; values beyond the ends are clamped
  [[nodiscard]] double position(Duration value) const { return position(static_cast<double>(value.count())); }
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }
  [[nodiscard]] double low_ms() const { return low_; }
  [[nodiscard]] double high_ms() const { return high_; }

  // At most `most` (≥ 2) ticks at round durations: multiples of 1, 2, 5 ms … 1, 2, 5, 10, 15, 30 min …
  // days; on a logarithmic axis at powers of about 10, or finer where the axis is short.
  [[nodiscard]] std::vector<Tick> ticks(std::size_t most) const;

 private:
  Axis(double low, double high, bool logarithmic) : low_(low), high_(high), logarithmic_(logarithmic) {}
  double low_;
  double high_;
  bool logarithmic_;
};

// The smallest step of the ladder 1, 2, 5, 10 … ms … 15, 30 s … days that needs at most `most` of it.
[[nodiscard]] Duration nice_step(Duration length, std::size_t most);

// 0, a round middle where one fits, and `high` itself.
[[nodiscard]] std::vector<Tick> count_ticks(Count high);

// 0 and round values (1, 2, 5 times a power of ten) up to `high`, at most `most` (≥ 2) of them.
[[nodiscard]] std::vector<Tick> value_ticks(double high, std::size_t most);

}  // namespace wavewright::report
