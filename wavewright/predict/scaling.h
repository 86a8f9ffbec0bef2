// A job's runs as they would have been on another amount of input [CLOUD §3.3], beside other numbers of maps.
//
// Maps keep their length, for each still reads one block: more input means more maps. Shuffle and reduce grow
// linearly with the bytes that fall to one reduce (input / reduces). Where the runs show several sizes the
// line is fitted by least squares through the runs' means, with neither intercept nor slope below 0; where
// they show one only, lengths are proportional to the bytes. Runs under 1 MiB are never scaled: what time
// they take is not in their data.
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
  std::optional<Count> map_slots = std::nullopt;  // scale maps for contention on so many
};

struct ScaledRuns {
  std::vector<RunPhases> runs;  // the successful ones, durations scaled
  Count maps = 0;               // of the run to be predicted: as given, or from the input, or the runs' mean
  Count reduces = 0;            // as given, or the runs' mean
  ScalingMethod method = ScalingMethod::none;
  bool contention = false;  // map lengths were scaled for their neighbours
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

}  // namespace wavewright
