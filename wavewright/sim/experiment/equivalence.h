// Does a measured mean agree with a printed value?
//
// A mean alone cannot say so, and neither can an interval that holds the printed value: the fewer runs, the
// wider it is, and the more it holds. So agreement needs a tolerance, and an interval narrow enough to tell
// (an equivalence test by confidence intervals: Schuirmann 1987). With 95 % intervals a mean beyond the
// tolerance agrees in 2.5 % of the cases at most, and one within it differs in 5 % at most.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace wavewright {

struct Interval {
  double low = 0;
  double high = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

enum class Scale : std::uint8_t {
  linear,       // mean ± half, Student's t
  logarithmic,  // mean · e^±(half / mean): never below 0; for quantities that cannot be negative
};

// 95 % interval of the mean of independent values. Empty for fewer than two values, and where all are equal.
// On the logarithmic scale values must be 0 or above.
[[nodiscard]] std::optional<Interval> confidence_interval(std::span<const double> values, Scale scale);

enum class Verdict : std::uint8_t { agrees, differs, borderline, cannot_tell };

// Where the mean may lie: the interval; the value itself if at least `fewest_equal` runs all gave it; nothing
// if there were too few runs. Independent values of one quantity; on the logarithmic scale 0 or above.
constexpr std::size_t fewest_equal = 5;
[[nodiscard]] std::optional<Interval> where_mean_is(std::span<const double> values, Scale scale);

// `ours` against a printed value or range, from `printed.low` to `printed.high`, widened by `tolerance` ≥ 0
// on both sides: all of it inside agrees, all of it outside differs. Across an edge, an interval no wider
// than the tolerance is borderline: the mean is about as far off as is allowed, and only many more runs could
// say on which side of the edge. A wider one cannot tell.
[[nodiscard]] Verdict equivalence(const std::optional<Interval>& ours, Interval printed, double tolerance);

}  // namespace wavewright
