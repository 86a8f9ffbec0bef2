// The power of a node by the number of tasks that run there, from measured energy: `power_curve_w`.
//
//     energy of a bin / its length = Σ over n  power(n) · share of the bin with n tasks + error
//
// Maps, reduces and masters count alike. The curve need not rise: it is what was measured.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wavewright/energy/fit/least_squares.h"
#include "wavewright/energy/fit/power_fit.h"

namespace wavewright {

struct PowerCurve {
  Regression fit;
  std::vector<FittedValue> watts;  // with 0, 1, … tasks; never below the first
  std::size_t bins = 0;
  Duration covered{};
  std::vector<std::string> remarks;
};

// A node's energy, and its tasks; null = none ran there.
struct MeasuredNode {
  const NodeEnergy* energy = nullptr;
  const NodeTasks* tasks = nullptr;
};

// The power curve of the nodes of one class. It ends before the first number of tasks that was seen for less
// than two bins of time; bins with more tasks are left out. Throws Infeasible (with the name of the class) if
// idle power was not seen, or no task was, or powers cannot be told apart. O(bins · levels² + tasks · log
// tasks).
[[nodiscard]] PowerCurve fit_curve(const std::string& name, std::span<const MeasuredNode> nodes,
                                   Duration bin);

}  // namespace wavewright
