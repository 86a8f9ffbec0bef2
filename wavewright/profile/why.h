// Finds the tasks that a number of a profile comes from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

enum class PhaseName : std::uint8_t { map, first_shuffle, shuffle, reduce };
[[nodiscard]] std::string to_string(PhaseName phase);

// A phase or a statistic of one: `map`, `map.max`, `reduce.p50`, `first_shuffle.mean`, ….
struct Statistic {
  enum class Kind : std::uint8_t { whole, min, mean, max, quantile };
  PhaseName phase = PhaseName::map;
  Kind kind = Kind::whole;
  double q = 0;  // for a quantile
};
[[nodiscard]] Statistic parse_statistic(const std::string& text);  // throws UsageError with the valid names

struct TaskSource {
  std::string run;
  std::string task;
  std::string attempt;
  std::string node;
  Duration length{};
};

// Adds each duration of the phase in the run, with names. O(attempts).
void add_sources(const JobRun& run, PhaseName phase, std::vector<TaskSource>& sources);

// The `most` sources nearest to the statistic. Maximum or whole phase: longest first. Minimum: shortest
// first. Quantile: by distance of rank. Mean: by distance of length. O(n log n).
[[nodiscard]] std::vector<TaskSource> sources_of(const Statistic& statistic, std::vector<TaskSource> sources,
                                                 std::size_t most = 5);

// The same for lengths alone: their places.
[[nodiscard]] std::vector<std::size_t> nearest_to(const Statistic& statistic,
                                                  std::span<const Duration> lengths, std::size_t most = 5);

// Describes this order: `the longest first`, `nearest to their mean first`.
[[nodiscard]] std::string order_of(const Statistic& statistic);

}  // namespace wavewright
