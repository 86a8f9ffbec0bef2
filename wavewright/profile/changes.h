// Finds where a job changed (its code, data or cluster), so that older runs predict little.
//
// Looks at the runs in order of submission, in two sequences: the logarithm of the mean map length per byte
// that a map reads, and of the mean reduce length (with shuffle) per byte that a reduce gets. If bytes are
// unknown, lengths only. A sequence is cut where the means of both sides differ most (in standard errors).
// The cut is a change if at most a share `alarm` of random orders of the same values gives as large a
// difference. This permutation test is exact for any distribution: equal runs raise an alarm in at most
// `alarm` of cases over both sequences. Then both sides are cut in turn (binary segmentation). Changes of
// under 10 % are ignored: they matter less than the runs they would cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

struct Change {
  std::size_t place = 0;  // index of the first run after it, in order of submission
  std::string run;        // id of that run
  std::optional<Time> when;
  std::string phase;  // `map` or `reduce`
  double factor = 1;  // length after / before
  double p_value = 1;
};

struct ChangeOptions {
  double alarm = 0.01;
  std::uint64_t seed = 1;
  std::size_t runs_at_most = 1'000;  // most runs, the newest
};

// `runs`: newest first; only successful ones count. Ascending by place. O(permutations · runs).
[[nodiscard]] std::vector<Change> find_changes(std::span<const RunPhases> runs,
                                               const ChangeOptions& options = {});

// A change in one sequence of values: the index at which a new level begins.
struct Shift {
  std::size_t place = 0;
  double difference = 0;  // mean after − mean before
  double p_value = 1;
};
[[nodiscard]] std::vector<Shift> find_shifts(std::span<const double> values, double alarm, std::uint64_t seed,
                                             double least_difference = 0);

// The runs submitted at or after the last change, failed ones included, in their order.
[[nodiscard]] std::vector<RunPhases> runs_since(const Change& change, std::span<const RunPhases> runs);

}  // namespace wavewright
