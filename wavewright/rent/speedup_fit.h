// Speed-up curves from measured runs, and which form fits best.
//
// The speed of a run is reference / seconds. The reference is the time of one machine: the geometric mean of
// the runs on one; if none was on one, that of machines × seconds on the fewest, as if these were linear.
// Every form is fitted by least squares in ln S:
//   alpha, power   straight lines in m − 1 and ln m for ln(S/m) and ln S
//   amdahl         k in closed form for each f; f by search in [0, 1]
//   table          the geometric mean at each number of machines
//
// The choice: of the three closed forms, which have two parameters each, the least squared error; equal ones
// in the order alpha, power, amdahl. The table has a parameter for each number of machines and is chosen
// where its corrected Akaike criterion (AICc) is lower. That needs repeated runs: a table of single runs fits
// them without error and says nothing.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/rent/measured_runs.h"
#include "wavewright/rent/speedup.h"

namespace wavewright {

struct FittedForm {
  SpeedupCurve curve;
  double squared_error = 0;    // Σ (ln S measured − ln S of the curve)²
  double r_squared = 0;        // 1 − squared error / Σ (ln S − mean)²; 1 where nothing varies
  double worst = 0;            // the largest |measured time / curve's time − 1|
  std::optional<double> aicc;  // none where there are too few runs for it
  std::string why_not;         // why it may not be chosen; empty if it may
};

struct SpeedupFit {
  double reference = 0;           // seconds
  std::vector<FittedForm> forms;  // alpha, power, amdahl, table
  std::size_t chosen = 0;
  bool extrapolated_reference = false;  // no run was on one machine
  std::size_t runs = 0;
  std::size_t counts = 0;  // different numbers of machines

  [[nodiscard]] const FittedForm& best() const { return forms[chosen]; }
};

// Throws UsageError for no runs and for runs on one number of machines only. O(runs).
[[nodiscard]] SpeedupFit fit_speedup(const std::vector<MeasuredRun>& runs);

}  // namespace wavewright
