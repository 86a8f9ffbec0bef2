// A job's runs as they would have been on another amount of input [CLOUD §3.3], beside other numbers of maps.
//
// More input means more maps, each as long as before, for it still reads one block; only where the runs show
// maps of several input sizes does their length follow them. Shuffle and reduce grow linearly with the bytes
// that fall to one reduce (input / reduces). Where the runs show several sizes the line is fitted by least
// squares through the runs' means, with neither intercept nor slope below 0; where they show one only,
// shuffle and reduce are proportional to the bytes. Runs under 1 MiB are never scaled: what time they take is
// not in their data.
//
// Tasks that share nodes slow one another: where the runs were made with several numbers of tasks at work at
// once and grew longer with them, lengths follow the line through that (of the pairs' median slope, for a run
// on a busy machine must not bend it). Beyond what was seen, up to a factor of two, half of the slope is
// trusted: tasks that share processors slow one another in proportion, those that find free ones do not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

enum class ScalingMethod : std::uint8_t {
  none,          // no size was asked for, or the runs do not tell theirs
  same_size,     // within 5 % of what was asked
  fitted,        // least squares over several sizes
  proportional,  // one size known
};
[[nodiscard]] std::string to_string(ScalingMethod method);

// What is known beforehand of the run to be predicted.
struct RunSize {
  std::optional<Bytes> input = std::nullopt;
  std::optional<Count> maps = std::nullopt;
  std::optional<Count> reduces = std::nullopt;
  // Scale for contention on so many.
  std::optional<Count> map_slots = std::nullopt;
  std::optional<Count> reduce_slots = std::nullopt;
};

struct ScaledRuns {
  std::vector<RunPhases> runs;  // the successful ones, durations scaled
  Count maps = 0;               // of the run to be predicted: as given, or from the input, or the runs' mean
  Count reduces = 0;            // as given, or the runs' mean
  ScalingMethod method = ScalingMethod::none;
  bool contention = false;  // lengths were scaled for their neighbours
};

// O(durations). UsageError when a given number is negative, or 0 input.
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

// The line of Theil and Sen, both numbers likewise ≥ 0: the median of the slopes of all pairs of different x,
// and the median of what it leaves. O(points² · log points); of many points evenly chosen ones.
[[nodiscard]] Line robust_line(std::span<const Point> points);

}  // namespace wavewright
