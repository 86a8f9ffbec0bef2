#include "apps/commands/sweep_summary.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "apps/interval_text.h"
#include "apps/table.h"
#include "wavewright/core/or_null.h"
#include "wavewright/report/documents/interval.h"
#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

SweepSummary summary_of(const SweepCell& at, const SweepAxes& axes, const SweepResults& results) {
  SweepSummary summary;
  summary.cell = at;
  std::vector<double> makespans, completions, differences, energies, costs;
  std::vector<std::vector<double>> metrics(std::size(run_metrics));
  Count late = 0;
  for (const std::uint64_t seed : axes.seeds) {
    const auto found = results.rows().find({at.workload, at.cluster, at.policy, seed});
    if (found == results.rows().end()) continue;
    const SweepRow& row = found->second;
    makespans.push_back(static_cast<double>(to_ms(row.makespan)));
    summary.counts += row.counts;
    late += row.late;
    if (row.energy_j) energies.push_back(*row.energy_j);
    if (row.cost_usd) costs.push_back(*row.cost_usd);
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      if (const auto& figure = row.*run_metrics[i].figure) metrics[i].push_back(*figure);
    }
    if (!row.mean_completion_ms) continue;
    completions.push_back(*row.mean_completion_ms);
    const auto first = results.rows().find({at.workload, at.cluster, 0, seed});
    if (first == results.rows().end() || first->second.mean_completion_ms.value_or(0) <= 0) continue;
    differences.push_back(100 * (*row.mean_completion_ms / *first->second.mean_completion_ms - 1));
  }
  summary.runs = makespans.size();
  if (!energies.empty()) summary.energy_j = mean_interval(energies).mean;
  if (!costs.empty()) summary.cost_usd = mean_interval(costs).mean;
  summary.late = summary.per_run(late);
  summary.makespan = mean_interval(makespans);
  if (!completions.empty()) summary.completion = mean_interval(completions);
  if (!differences.empty()) summary.difference = mean_interval(differences);
  for (const std::vector<double>& each : metrics)
    summary.metrics.push_back(each.empty() ? std::nullopt : std::optional(mean_interval(each)));
  return summary;
}

Json interval_json(const std::optional<MeanInterval>& interval) {
  return interval ? interval_json(*interval) : Json(nullptr);
}

Cell duration_cell(const std::optional<MeanInterval>& interval) {
  return interval ? Cell(interval_text(*interval), interval->mean) : Cell("-", Json(nullptr));
}

Cell difference_cell(const SweepSummary& summary) {
  if (summary.cell.policy == 0 || !summary.difference) return {"-", Json(nullptr)};
  return {percent_change_text(*summary.difference), summary.difference->mean};
}

Cell figure_cell(const std::optional<double>& figure, std::string (*text)(double)) {
  return figure ? Cell(text(*figure), *figure) : Cell("-", Json(nullptr));
}

Cell per_run_cell(double count) {
  return {fmt::format("{:.1f}", count), count};
}

std::vector<Column> cell_columns() {
  return {{"workload", "workload", false, true},
          {"cluster", "cluster", false, true},
          {"policy", "policy", false, true}};
}

std::vector<Cell> cell_names(const SweepFile& file, const SweepCell& cell) {
  return {file.workloads[cell.workload], file.clusters[cell.cluster], file.policies[cell.policy]};
}

// A column of counts per run, which appears if one of them is not 0.
struct Incidents {
  const char* name;
  const char* title;
  Count RunCounts::* count;
};
constexpr Incidents incidents[] = {{"failed", "failed jobs", &RunCounts::failed},
                                   {"rejected", "rejected jobs", &RunCounts::rejected},
                                   {"failed_attempts", "failed attempts", &RunCounts::failed_attempts},
                                   {"lost_attempts", "lost attempts", &RunCounts::lost_attempts},
                                   {"killed_attempts", "killed attempts", &RunCounts::killed_attempts},
                                   {"second_attempts", "second attempts", &RunCounts::second_attempts}};

// No table where every job is done at the first attempt of each task.
void print_incidents(const SweepFile& file, const std::vector<SweepSummary>& summaries) {
  RunCounts all;
  for (const SweepSummary& each : summaries) all += each.counts;
  Table table{cell_columns(), {}};
  for (const SweepSummary& each : summaries) table.rows.push_back(cell_names(file, each.cell));
  for (const Incidents& incident : incidents) {
    if (all.*incident.count == 0) continue;
    table.columns.push_back({incident.name, incident.title, true, false});
    for (std::size_t i = 0; i < summaries.size(); ++i)
      table.rows[i].push_back(per_run_cell(summaries[i].per_run(summaries[i].counts.*incident.count)));
  }
  if (table.columns.size() == cell_columns().size()) return;
  const bool jobs = all.failed + all.rejected > 0;
  std::cout << fmt::format("\n{}per run:\n",
                           jobs ? "mean completion is of the jobs done; jobs and attempts " : "attempts ");
  write_table(std::cout, table);
}

// A ratio or a time, with half its 95 % interval.
Cell metric_cell(const std::optional<MeanInterval>& metric) {
  if (!metric) return {"-", Json(nullptr)};
  const std::string half = std::isfinite(metric->half) && metric->half > 0
                               ? fmt::format(" ± {:.2g}", metric->half)
                               : std::string();
  return {fmt::format("{:.4g}{}", metric->mean, half), metric->mean};
}

// Locality and admission: no table where no run has any of it.
void print_metrics(const SweepFile& file, const std::vector<SweepSummary>& summaries) {
  Table table{cell_columns(), {}};
  for (const SweepSummary& each : summaries) table.rows.push_back(cell_names(file, each.cell));
  for (std::size_t i = 0; i < std::size(run_metrics); ++i) {
    if (std::none_of(summaries.begin(), summaries.end(),
                     [&](const SweepSummary& each) { return each.metrics[i].has_value(); }))
      continue;
    table.columns.push_back({run_metrics[i].name, run_metrics[i].title, true, false});
    for (std::size_t row = 0; row < summaries.size(); ++row)
      table.rows[row].push_back(metric_cell(summaries[row].metrics[i]));
  }
  if (table.columns.size() == cell_columns().size()) return;
  std::cout << "\nlocality of maps, and admission of jobs, means of the runs:\n";
  write_table(std::cout, table);
}

}  // namespace

std::vector<SweepSummary> summaries_of(const SweepAxes& axes, const SweepResults& results) {
  std::vector<SweepSummary> summaries;
  for (SweepCell cell; cell.workload < axes.workloads.size(); ++cell.workload) {
    for (cell.cluster = 0; cell.cluster < axes.clusters.size(); ++cell.cluster) {
      for (cell.policy = 0; cell.policy < axes.policies.size(); ++cell.policy)
        summaries.push_back(summary_of(cell, axes, results));
    }
  }
  return summaries;
}

void print_summary(const SweepFile& file, const std::vector<SweepSummary>& summaries) {
  Table table{cell_columns(), {}};
  table.columns.insert(table.columns.end(), {{"runs", "runs", true, false},
                                             {"makespan_ms", "makespan", true, false},
                                             {"mean_completion_ms", "mean completion", true, false},
                                             {"difference_percent", "to the first", true, false},
                                             {"late", "late", true, false}});
  const auto any = [&](std::optional<double> SweepSummary::* part) {
    return std::any_of(summaries.begin(), summaries.end(),
                       [&](const SweepSummary& each) { return (each.*part).has_value(); });
  };
  const bool energy = any(&SweepSummary::energy_j), cost = any(&SweepSummary::cost_usd);
  if (energy) table.columns.push_back({"energy_j", "energy", true, false});
  if (cost) table.columns.push_back({"cost_usd", "cost", true, false});
  for (const SweepSummary& each : summaries) {
    table.rows.push_back(cell_names(file, each.cell));
    for (Cell& cell :
         std::vector<Cell>{count_cell(static_cast<std::int64_t>(each.runs)), duration_cell(each.makespan),
                           duration_cell(each.completion), difference_cell(each), per_run_cell(each.late)})
      table.rows.back().push_back(std::move(cell));
    if (energy) table.rows.back().push_back(figure_cell(each.energy_j, report::energy_text));
    if (cost) table.rows.back().push_back(figure_cell(each.cost_usd, report::money_text));
  }
  write_table(std::cout, table);
  print_incidents(file, summaries);
  print_metrics(file, summaries);
}

Json summary_json(const SweepFile& file, const SweepResults& results,
                  const std::vector<SweepSummary>& summaries, bool partial) {
  Json rows = Json::array(), means = Json::array();
  for (const auto& [cell, row] : results.rows()) rows.push_back(results.to_json(row));
  for (const SweepSummary& each : summaries) {
    Json mean = {{"workload", file.workloads[each.cell.workload]},
                 {"cluster", file.clusters[each.cell.cluster]},
                 {"policy", file.policies[each.cell.policy]},
                 {"runs", each.runs},
                 {"makespan_ms", interval_json(each.makespan)},
                 {"mean_completion_ms", interval_json(each.completion)},
                 {"difference_percent", interval_json(each.difference)},
                 {"late", each.late},
                 {"energy_j", or_null(each.energy_j)},
                 {"cost_usd", or_null(each.cost_usd)}};
    for (const Incidents& column : incidents) mean[column.name] = each.per_run(each.counts.*column.count);
    for (std::size_t i = 0; i < each.metrics.size(); ++i)
      mean[run_metrics[i].name] = interval_json(each.metrics[i]);
    means.push_back(std::move(mean));
  }
  return {{"rows", std::move(rows)}, {"summary", std::move(means)}, {"partial", partial}};
}

}  // namespace wavewright::app
