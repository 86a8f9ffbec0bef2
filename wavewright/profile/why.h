// Which tasks a number of a profile comes from.
#pragma once

#include <string>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

enum class PhaseName : std::uint8_t { map, first_shuffle, shuffle, reduce };
[[nodiscard]] std::string to_string(PhaseName phase);

// `map`, `map.max`, `reduce.p50`, `first_shuffle.mean`, …: a phase, or a statistic of one.
struct Statistic {
  enum class Kind : std::uint8_t { whole, min, mean, max, quantile };
  PhaseName phase = PhaseName::map;
  Kind kind = Kind::whole;
  double q = 0;  // of a quantile
};
[[nodiscard]] Statistic parse_statistic(const std::string& text);  // UsageError with what there is

struct TaskSource {
  std::string run;
  std::string task;
  std::string attempt;
  std::string node;
  Duration length{};
};

// Every duration that the run gives to the phase, with its names. O(attempts).
void add_sources(const JobRun& run, PhaseName phase, std::vector<TaskSource>& sources);

// Those that the statistic comes from, `most` of them: the longest first, the shortest first, those about the
// quantile in order of how near their rank is, those about the mean of all in order of how near their length
// is. Of the whole phase the longest first. O(n log n).
[[nodiscard]] std::vector<TaskSource> sources_of(const Statistic& statistic, std::vector<TaskSource> sources,
                                                 std::size_t most = 5);

// In what order those are: `the longest first`, `nearest to their mean first`.
[[nodiscard]] std::string order_of(const Statistic& statistic);

}  // namespace wavewright
