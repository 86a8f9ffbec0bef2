// Scales a job's runs to another amount of input [CLOUD §3.3] and to another number of tasks at once.
//
// More input means more maps of the same length, as each still reads one block. Only if the runs' maps read
// several input sizes does their length follow the size. Shuffle and reduce grow linearly with the bytes per
// reduce (input / reduces). With runs of several sizes the line is fitted by least squares through the runs'
// means, intercept and slope at least 0. With one size, shuffle and reduce are proportional to the bytes.
// Runs under 1 MiB are never scaled, as their data do not explain their time.
//
// Tasks that share nodes slow each other down. If the runs had several numbers of tasks at once and their
// lengths grew with it, lengths follow a line through this: the median slope of all pairs, so that a run on a
// busy machine does not bend it. Beyond the numbers seen, up to a factor of two, half of the slope is used:
// tasks that share processors slow each other in proportion, those with free ones do not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

enum class ScalingMethod : std::uint8_t {
  none,          // no size was given, or the runs' sizes are unknown
  same_size,     // within 5 % of the given size
  fitted,        // least squares over several sizes
  proportional,  // one size known
};
[[nodiscard]] std::string to_string(ScalingMethod method);

// Known figures of the run to be predicted.
struct RunSize {
  std::optional<Bytes> input = std::nullopt;
  std::optional<Count> maps = std::nullopt;
  std::optional<Count> reduces = std::nullopt;
  // If given, lengths are scaled for contention on these slots.
  std::optional<Count> map_slots = std::nullopt;
  std::optional<Count> reduce_slots = std::nullopt;
};

struct ScaledRuns {
  std::vector<RunPhases> runs;  // the successful ones, durations scaled
  Count maps = 0;     // of the run to be predicted: as given, else from the input, else the runs' middle one
  Count reduces = 0;  // as given, or the runs' middle one
  ScalingMethod method = ScalingMethod::none;
  bool contention = false;  // lengths were scaled for contention
};

// Throws UsageError if a given number is negative or the input is 0. O(durations).
[[nodiscard]] ScaledRuns scale_runs(std::span<const RunPhases> runs, const RunSize& wanted);

// y = intercept + slope·x, both ≥ 0, least squares. Needs at least one point.
struct Line {
  double intercept = 0;
  double slope = 0;
  [[nodiscard]] double at(double x) const { return intercept + slope * x; }
};
struct Point {
  double x = 0;
  double y = 0;
};
[[nodiscard]] Line fit_line(std::span<const Point> points);

// Theil–Sen line, both numbers ≥ 0: the median slope of all pairs of different x, and the median of the rest.
// O(points² · log points); of many points it takes an even selection.
[[nodiscard]] Line robust_line(std::span<const Point> points);

}  // namespace wavewright
