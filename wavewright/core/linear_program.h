// Small linear programs: maximise gain · x, where each row · x ≤ its limit, and x ≥ 0.
//
// The simplex method on a dense tableau [Dantzig 1951]. No limit is below 0, so x = 0 is a vertex to start
// from. Limits are raised by very little, each by another amount, against cycles [Charnes 1952]. So what it
// returns is near the best, and may break a limit by about 10^-9 of the largest one: take it as a guide, and
// check what must hold.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace wavewright {

struct LinearProgram {
  std::vector<double> gain;  // by variable
  struct Row {
    std::vector<double> weights;  // by variable
    double limit = 0;             // ≥ 0
  };
  std::vector<Row> rows;
};

// By variable. None if there is no best, or after so many steps. O(rows · variables) a step and in memory; a
// few steps for each row as a rule. Throws std::invalid_argument for a limit below 0 or another number of
// weights.
[[nodiscard]] std::optional<std::vector<double>> maximise(const LinearProgram& program,
                                                          std::size_t most_steps = 20'000);

}  // namespace wavewright
