// Groups the runs of one name that can be compared, and finds what distinguishes the groups.
//
// Two runs have the same *configuration* if they ran on one generation of Hadoop, agree in all settings in
// which the job's runs differ, and their maps read splits of one size class. They are in one *group* if also
// their number of reduces is equal and their inputs are of one class. A class is a factor of two: the nearest
// power of two of the bytes (of all input, or of a map's share). A run that tells no generation fits the only
// one that the others tell. For inputs under 1 MiB or unknown, the size
// is the number of maps and splits have no class. Limits on tasks at once and the numbers of maps and reduces
// are not part of the configuration: predictions take them into account.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

// Comparable only between runs of the same job. Negative = by number of maps.
[[nodiscard]] int size_class(const RunPhases& run);
[[nodiscard]] std::optional<int> split_class(const RunPhases& run);

// Settings that differ between runs that have them; without those that only set how wide a run is.
[[nodiscard]] std::vector<std::string> differing_settings(std::span<const RunPhases> runs);

// The runs with the configuration of `like`, in their order; a run without settings fits any. All runs if
// fewer than `least` of them succeeded, as two do not show the variation. `like` may be one of `runs`.
[[nodiscard]] std::vector<RunPhases> comparable_runs(std::span<const RunPhases> runs, const RunPhases& like,
                                                     std::size_t least = 3);
// For each of `runs`: would comparable_runs return it?
[[nodiscard]] std::vector<bool> are_comparable(std::span<const RunPhases* const> runs, const RunPhases& like,
                                               std::size_t least = 3);

struct RunGroup {
  int number = 0;                               // from 1, newest run first
  std::map<std::string, std::string> settings;  // those that differ among the job's runs
  bool settings_told = true;
  std::string hadoop;
  Count reduces = 0;
  Count least_maps = 0, most_maps = 0;
  std::optional<Bytes> least_input, most_input;
  std::vector<std::size_t> runs;  // indices of the given runs, in their order
  Count succeeded = 0;
  std::optional<Time> newest;  // submission, or finish if that is unknown

  // `2 reduces, 20–24 MiB, sort.mb=100`: what distinguishes it from the others.
  [[nodiscard]] std::string text() const;
};

// `runs` has the newest first. O(runs · settings + runs · log groups).
[[nodiscard]] std::vector<RunGroup> group_runs(std::span<const RunPhases> runs);

// Index of the group that describes the job best: among those with at least `well_filled` successful runs,
// the one with the newest run; else the largest. 0 if there are no groups.
inline constexpr Count well_filled = 5;
[[nodiscard]] std::size_t default_group(const std::vector<RunGroup>& groups);

[[nodiscard]] std::vector<RunPhases> runs_of(const RunGroup& group, std::span<const RunPhases> runs);

}  // namespace wavewright
