// The tables of a profile for `-o`, `-P`, `-n` and `--output`.
#include <cmath>

#include <fmt/format.h>

#include "apps/commands/profile_view.h"

namespace wavewright::app {

namespace {

// Null for programs if the phase is empty, never 0.
Cell length_cell(const PhaseProfile& phase, Duration length) {
  return phase.empty() ? Cell("-", nullptr) : Cell(format_duration(length), to_ms(length));
}

std::vector<Cell> row_of(const NamedPhase& named) {
  const PhaseProfile& phase = named.profile;
  return {
      Cell(named.title, named.name), count_cell(phase.count), length_cell(phase, phase.min),
      length_cell(phase, phase.quantile(0.25)), length_cell(phase, phase.quantile(0.5)),
      length_cell(phase, phase.quantile(0.75)),
      // The extremes are stored, as the sample may lack them.
      length_cell(phase, phase.max),
      phase.empty() ? Cell("-", nullptr) : Cell(duration_cell(phase.mean_ms), std::llround(phase.mean_ms)),
      length_cell(phase, phase.smallest_max)};
}

std::vector<Cell> row_of(const PhaseFit& fitted) {
  std::vector<Cell> row = {fitted.phase, fitted.x_name,
                           count_cell(static_cast<std::int64_t>(fitted.points.size()))};
  if (!fitted.line) {
    row.resize(fit_columns().size(), Cell("-", nullptr));
    return row;
  }
  const LinearFit& line = *fitted.line;
  row.push_back(count_cell(static_cast<std::int64_t>(line.sizes)));
  for (const double value : {line.intercept, line.intercept_low, line.intercept_high}) {
    row.emplace_back(with_unit(fitted, value), value);
  }
  for (const double value : {line.slope, line.slope_low, line.slope_high}) {
    row.emplace_back(with_unit(fitted, value * gib), value);
  }
  row.emplace_back(fmt::format("{:.3f}", line.r2), line.r2);
  const double margin = line.prediction_margin(line.mean_x);
  for (const double value : {line.deviation, margin}) row.emplace_back(with_unit(fitted, value), value);
  return row;
}

}  // namespace

const std::vector<Column>& phase_columns() {
  static const std::vector<Column> all = {{"phase", "phase", false, false},
                                          {"count", "tasks", true, false},
                                          {"min_ms", "min", true, false},
                                          {"p25_ms", "25 %", true, false},
                                          {"p50_ms", "median", true, false},
                                          {"p75_ms", "75 %", true, false},
                                          {"max_ms", "max", true, false},
                                          {"mean_ms", "mean", true, false},
                                          {"smallest_max_ms", "least max of a run", true, false}};
  return all;
}

const std::vector<Column>& fit_columns() {
  static const std::vector<Column> all = {{"phase", "phase", false, false},
                                          {"x", "against", false, false},
                                          {"points", "runs", true, false},
                                          {"sizes", "sizes", true, false},
                                          {"intercept", "at 0", true, false},
                                          {"intercept_low", "at least", true, false},
                                          {"intercept_high", "at most", true, false},
                                          {"slope", "per GiB", true, false},
                                          {"slope_low", "at least", true, false},
                                          {"slope_high", "at most", true, false},
                                          {"r2", "R²", true, false},
                                          {"deviation", "residual", true, false},
                                          {"margin_at_mean", "next ±", true, false}};
  return all;
}

std::string with_unit(const PhaseFit& fitted, double value) {
  return fitted.phase == "maps" ? fmt::format("{:.1f}", value) : fmt::format("{:.2f} s", value / 1000);
}

void list_phases(const JobProfile& profile, const ListOptions& list) {
  Table table{phase_columns(), {}};
  for (const NamedPhase& phase : phases_of(profile)) table.rows.push_back(row_of(phase));
  list.write(table, {"phase", "count", "min_ms", "p25_ms", "p50_ms", "p75_ms", "max_ms", "mean_ms"});
}

void list_fits(const std::vector<PhaseFit>& fits, const ListOptions& list) {
  Table table{fit_columns(), {}};
  for (const PhaseFit& fitted : fits) table.rows.push_back(row_of(fitted));
  list.write(table, {"phase", "points", "intercept", "intercept_low", "intercept_high", "slope", "slope_low",
                     "slope_high", "r2"});
}

}  // namespace wavewright::app
