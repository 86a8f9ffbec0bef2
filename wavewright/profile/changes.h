// Where a job changed: its code, its data or its cluster, so that older runs say little of the next one.
//
// Looked at are the runs in order of submission, in two sequences: the logarithm of the mean map length over
// the bytes that a map reads, and of the mean reduce length (shuffle included) over the bytes that a reduce
// gets; where bytes are not told, of the lengths alone. A sequence is cut where the means of both sides
// differ most (in standard errors), and the cut is a change when at most a share `alarm` of random orders of
// the same values give as large a difference: a permutation test, exact whatever the distribution, so runs
// that are alike raise an alarm in at most `alarm` of cases over both sequences. Then both sides are cut in
// turn (binary segmentation). Changes of under 10 % are left alone: they matter less than the runs they would
// cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

struct Change {
  std::size_t place = 0;  // of the first run after it, in order of submission
  std::string run;        // its id
  std::optional<Time> when;
  std::string phase;  // `map` or `reduce`
  double factor = 1;  // length after / before
  double p_value = 1;
};

struct ChangeOptions {
  double alarm = 0.01;
  std::uint64_t seed = 1;
  std::size_t runs_at_most = 1'000;  // the newest
};

// Successful runs, newest first as the store gives them. Ascending by place. O(permutations · runs).
[[nodiscard]] std::vector<Change> find_changes(std::span<const RunPhases> runs,
                                               const ChangeOptions& options = {});

// The same for one sequence of values: places where a new level begins.
struct Shift {
  std::size_t place = 0;
  double difference = 0;  // mean after − mean before
  double p_value = 1;
};
[[nodiscard]] std::vector<Shift> find_shifts(std::span<const double> values, double alarm, std::uint64_t seed,
                                             double least_difference = 0);

// The runs that were submitted with or after the last change (failed ones too), in their order.
[[nodiscard]] std::vector<RunPhases> runs_since(const Change& change, std::span<const RunPhases> runs);

}  // namespace wavewright
