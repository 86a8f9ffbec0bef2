// Converts SWIM tables (https://github.com/SWIMProjectUCB/SWIM, workloadSuite) to workloads.
//
// A row gives a job's submission and its map input, shuffle and reduce output bytes. Tasks and durations are
// imputed from stated throughputs or drawn from stated distributions [ORDER §5.1].
#pragma once

#include <filesystem>
#include <optional>

#include "wavewright/job/distribution.h"
#include "wavewright/job/format_conversion.h"

namespace wavewright {

// maps      = ⌈input / block⌉, at least 1; the last one reads the rest
// reduces   = 0 without shuffle bytes, else ⌈shuffle / per_reduce⌉, at most `most_reduces`
// map       = start + bytes read / map_rate; without reduces also + output written / write_rate
// shuffle   = shuffled bytes of a reduce / shuffle_rate, equal in all waves (no overlap)
// reduce    = start + shuffled bytes / reduce_rate + output of a reduce / write_rate
// Rates are in bytes per second. A given distribution replaces the duration, and no shuffle is added.
struct SwimModel {
  Bytes block{64LL << 20};
  Bytes per_reduce{1LL << 30};
  Count most_reduces = 999;
  Duration start = ms(2000);
  Bytes map_rate{10'000'000};
  Bytes shuffle_rate{10'000'000};
  Bytes reduce_rate{20'000'000};
  Bytes write_rate{20'000'000};
  std::optional<Distribution> map_durations;
  std::optional<Distribution> reduce_durations;
  std::uint64_t seed = 1;
};

// Drops and counts malformed rows; reports the first reason. Throws InputError if no row is left, UsageError
// if a size or rate of the model is below 1. O(bytes + tasks).
[[nodiscard]] Conversion read_swim(const std::filesystem::path& path, const SwimModel& model);

}  // namespace wavewright
