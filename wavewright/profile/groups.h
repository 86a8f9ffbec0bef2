// Runs of one name that can be compared, and what tells the others apart.
//
// Two runs are of one *configuration* when they ran on one generation of Hadoop, the settings in which the
// job's runs differ at all are equal, and their maps read splits of one class. They are of one *group* when,
// besides, they have as many reduces and inputs of one class. A class is a factor of two: the nearest power
// of two of the bytes (of all input, or of a map's share); where a run tells under 1 MiB of input, size is
// the number of its maps and splits are of no class. Limits on tasks at work at once and the numbers of maps
// and reduces are no configuration: predictions take them into account.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

// Comparable only with runs of the same job. Negative = by maps.
[[nodiscard]] int size_class(const RunPhases& run);
[[nodiscard]] std::optional<int> split_class(const RunPhases& run);

// Settings that are not equal in all runs which tell any; those that say only how wide a run was left out.
[[nodiscard]] std::vector<std::string> differing_settings(std::span<const RunPhases> runs);

// The runs of the same configuration as `like`, in their order. A run that tells no settings at all fits any.
// All of them where fewer than `least` such succeeded: two do not show how runs vary. `runs` include or leave
// out `like` as you wish.
[[nodiscard]] std::vector<RunPhases> comparable_runs(std::span<const RunPhases> runs, const RunPhases& like,
                                                     std::size_t least = 3);

struct RunGroup {
  int number = 0;                               // from 1: that of the newest run first
  std::map<std::string, std::string> settings;  // those that differ among the job's runs
  bool settings_told = true;
  std::string hadoop;
  Count reduces = 0;
  Count least_maps = 0, most_maps = 0;
  std::optional<Bytes> least_input, most_input;
  std::vector<std::size_t> runs;  // places in the given ones, in their order
  Count succeeded = 0;
  std::optional<Time> newest;  // submission, or finish where it is not told

  // `2 reduces, 20–24 MiB, sort.mb=100`: what tells it from the others.
  [[nodiscard]] std::string text() const;
};

// Runs newest first. O(runs · settings + runs · log groups).
[[nodiscard]] std::vector<RunGroup> group_runs(std::span<const RunPhases> runs);

// The group that says most of what the job is now: of those with at least `well_filled` successful runs that
// of the newest run; where there is none, the fullest. Index; 0 where there are no groups.
inline constexpr Count well_filled = 5;
[[nodiscard]] std::size_t default_group(const std::vector<RunGroup>& groups);

[[nodiscard]] std::vector<RunPhases> runs_of(const RunGroup& group, std::span<const RunPhases> runs);

}  // namespace wavewright
