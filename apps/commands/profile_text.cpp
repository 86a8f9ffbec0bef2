#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/profile_view.h"
#include "apps/help.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

void show_attempts(const JobProfile& profile) {
  Table table{{{"attempts", "attempts", false, false},
               number_column("succeeded"),
               number_column("failed"),
               number_column("killed"),
               number_column("speculative")},
              {}};
  const auto row = [&](const std::string& kind, const AttemptCounts& counts) {
    table.rows.push_back({kind, count_cell(counts.succeeded), count_cell(counts.failed),
                          count_cell(counts.killed), count_cell(counts.speculative)});
  };
  row("map", profile.map_attempts);
  row("reduce", profile.reduce_attempts);
  write_table(std::cout, table);
}

void show_stability(const Stability& stability) {
  Table table{{{"over runs", "mean of a run", false, false},
               number_column("runs"),
               number_column("min"),
               number_column("mean"),
               number_column("max"),
               number_column("deviation")},
              {}};
  const auto row = [&](const std::string& title, const Spread& spread, bool durations) {
    if (spread.runs == 0) return;
    const auto text = [&](double value) {
      return durations ? duration_cell(value) : fmt::format("{:.1f}", value);
    };
    table.rows.push_back({title, count_cell(spread.runs), text(spread.min), text(spread.mean),
                          text(spread.max), fmt::format("{:.1f} %", 100 * spread.relative())});
  };
  row("map", stability.map_ms, true);
  row("first shuffle", stability.first_shuffle_ms, true);
  row("later shuffle", stability.shuffle_ms, true);
  row("reduce", stability.reduce_ms, true);
  row("elapsed", stability.measured_ms, true);
  row("map waves", stability.map_waves, false);
  row("reduce waves", stability.reduce_waves, false);
  write_table(std::cout, table);
}

void show_head(const JobProfile& profile) {
  std::string runs = fmt::format("{}: {} successful runs, {} failed, {} killed", shown_name(profile.name),
                                 profile.runs, profile.failed_runs, profile.killed_runs);
  if (profile.newest)
    runs +=
        fmt::format("; newest submitted {} {}", format_instant(*profile.newest), zone_name(*profile.newest));
  std::cout << wrap(runs, output_width())
            << fmt::format("\n{:.1f} maps and {:.1f} reduces a run", profile.maps_per_run,
                           profile.reduces_per_run);
  if (profile.input_per_map) {
    std::cout << ", " << format_bytes({std::llround(*profile.input_per_map)}) << " input a map";
  }
  if (profile.map_selectivity)
    std::cout << fmt::format(", map output/input {:.3g}", *profile.map_selectivity);
  if (profile.reduce_selectivity) std::cout << fmt::format(", reduce {:.3g}", *profile.reduce_selectivity);
  std::cout << "\n"
            << duration_cell(profile.overhead_ms) << " of a run with no task at work (start-up, commit)\n";
}

void show_groups(const ProfileView& view) {
  if (view.groups.size() < 2) return;
  Table table{{{"group", "group", false, false},
               number_column("runs"),
               number_column("succeeded"),
               {"newest", "newest submitted", false, false},
               {"what", "what tells it apart", false, true}},
              {}};
  for (std::size_t i = 0; i < view.groups.size(); ++i) {
    const RunGroup& group = view.groups[i];
    const bool chosen = !view.group || *view.group == i;
    table.rows.push_back({fmt::format("{}{}", group.number, chosen ? " *" : ""),
                          count_cell(static_cast<std::int64_t>(group.runs.size())),
                          count_cell(group.succeeded),
                          std::string(group.newest ? format_instant(*group.newest) : "-"), group.text()});
  }
  write_table(std::cout, table);
  const char* const shown =
      view.group ? "shown is the one marked *; --group K shows another, --group all takes all together"
                 : "shown are all together";
  std::cout << wrap(shown, output_width()) << "\n\n";
}

std::string size_text(const SlotsRow& row) {
  if (row.least_input) {
    const std::string least = format_bytes(*row.least_input);
    const std::string most = format_bytes(*row.most_input);
    return least == most ? least : least + "–" + most;
  }
  return row.least_maps == row.most_maps ? fmt::format("{} maps", row.least_maps)
                                         : fmt::format("{}–{} maps", row.least_maps, row.most_maps);
}

// [CLOUD tables 3.1 and 3.2]
void show_by_slots(const std::vector<SlotsRow>& rows) {
  if (rows.size() < 2) return;
  Table table{{{"size", "size", false, true}, number_column("slots"), number_column("runs")}, {}};
  for (const char* title :
       {"map min", "avg", "max", "shuffle min", "avg", "max", "reduce min", "avg", "max"}) {
    table.columns.push_back(number_column(title));
  }
  for (const SlotsRow& row : rows) {
    std::vector<Cell> cells = {size_text(row),
                               fmt::format("{}+{}", row.slots.map_slots, row.slots.reduce_slots),
                               count_cell(row.runs)};
    for (const MinAvgMax* phase : {&row.map, &row.shuffle, &row.reduce}) {
      for (const double value : {phase->min_ms, phase->avg_ms, phase->max_ms}) {
        cells.emplace_back(phase->tasks == 0 ? "-" : fmt::format("{:.1f}", value / 1000));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  std::cout << "\nseconds by size and slots\n";
  write_table(std::cout, table);
}

}  // namespace

std::string duration_cell(double milliseconds) {
  return format_duration(ms(std::llround(milliseconds)));
}

Column number_column(const char* title) {
  return {title, title, true, false};
}

void show_findings(const std::vector<ProfileFinding>& findings) {
  if (findings.empty()) return;
  Table table{{{"severity", "severity", false, false},
               {"code", "finding", false, false},
               number_column("value"),
               number_column("from"),
               {"text", "", false, true}},
              {}};
  for (const ProfileFinding& finding : findings) {
    table.rows.push_back({to_string(finding.severity), finding.code, fmt::format("{:.3g}", finding.value),
                          fmt::format("{:.3g}", finding.threshold), std::string()});
  }
  // The sentences are longer than a cell, so they follow the table, numbered by row.
  table.columns.pop_back();
  for (auto& row : table.rows) row.pop_back();
  std::cout << '\n';
  write_table(std::cout, table);
  for (const ProfileFinding& finding : findings) {
    std::cout << fmt::format("{}: {}", finding.code, finding.text);
    if (!finding.advice.empty()) std::cout << "\n    → " << finding.advice;
    std::cout << '\n';
  }
}

void show_fits(const std::vector<PhaseFit>& fits) {
  Table table{{{"phase", "phase", false, false},
               number_column("runs"),
               number_column("at 0"),
               {"limits", "95 % limits", true, false},
               number_column("per GiB"),
               {"slope limits", "95 % limits", true, false},
               number_column("R²"),
               number_column("residual"),
               number_column("next ±")},
              {}};
  for (const PhaseFit& fitted : fits) {
    std::vector<Cell> row = {fitted.phase, count_cell(static_cast<std::int64_t>(fitted.points.size()))};
    if (fitted.line) {
      const LinearFit& line = *fitted.line;
      const auto range = [&](double low, double high) {
        const double unit = fitted.phase == "maps" ? 1 : 1000;
        const std::string from = fmt::format("{:.1f}", low / unit), to = fmt::format("{:.1f}", high / unit);
        return from == to ? std::string("-") : from + " … " + to;
      };
      row.emplace_back(with_unit(fitted, line.intercept));
      row.emplace_back(range(line.intercept_low, line.intercept_high));
      row.emplace_back(with_unit(fitted, line.slope * gib));
      row.emplace_back(range(line.slope_low * gib, line.slope_high * gib));
      row.emplace_back(fmt::format("{:.3f}", line.r2));
      row.emplace_back(with_unit(fitted, line.deviation));
      row.emplace_back(with_unit(fitted, line.prediction_margin(line.mean_x)));
    } else {
      for (int i = 0; i < 7; ++i) row.emplace_back("-");
    }
    table.rows.push_back(std::move(row));
  }
  std::cout << "\nby input"
            << (fits.back().x_name == "input_bytes" ? "" : " (shuffle and reduce: of one reduce)")
            << "; next ± is where 95 % of further runs lie at the mean size\n";
  write_table(std::cout, table);
  for (const PhaseFit& fitted : fits) {
    for (const std::string& flag : fitted.flags) std::cout << fitted.phase << ": " << flag << '\n';
  }
}

void show_profile(const ProfileView& view, bool fits) {
  show_groups(view);
  show_head(view.profile);
  if (view.found.names.size() > 1)
    std::cout << fmt::format("{} names taken together\n", view.found.names.size());
  if (view.since_change) {
    std::cout << fmt::format(
        "only runs since {}, when the job changed; --before-change takes the older ones too\n",
        view.changes.back().run);
  }
  std::cout << '\n';
  list_phases(view.profile, {});
  std::cout << '\n';
  show_attempts(view.profile);
  std::cout << '\n';
  show_stability(view.stability);
  show_by_slots(view.by_slots);
  if (fits) show_fits(view.fits);
  show_findings(view.findings);
}

}  // namespace wavewright::app
