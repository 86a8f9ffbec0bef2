#include "wavewright/energy/fit/curve_fit.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/energy/fit/busy_time.h"

namespace wavewright {

namespace {

// A bin of a node, and how long how many tasks ran in it.
struct LeveledBin {
  EnergySpan span;
  std::size_t node = 0;
  std::vector<std::int64_t> levels;
};

std::vector<std::pair<Time, Time>> all_tasks(const NodeTasks* tasks) {
  std::vector<std::pair<Time, Time>> all;
  if (tasks == nullptr) return all;
  for (const TaskInterval& each : tasks->tasks) all.emplace_back(each.start, each.end);
  all.insert(all.end(), tasks->masters.begin(), tasks->masters.end());
  return all;
}

std::vector<LeveledBin> leveled(std::span<const MeasuredNode> nodes, Duration least) {
  std::vector<LeveledBin> bins;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const BusyTime busy(all_tasks(nodes[node].tasks));
    for (const EnergySpan& span : joined_spans(nodes[node].energy->spans, least))
      bins.push_back({span, node, busy.levels_within(span.from, span.to)});
  }
  return bins;
}

// So many levels, from 0 on, were each seen for long enough.
std::size_t levels_seen(const std::vector<LeveledBin>& bins, Duration bin) {
  std::vector<std::int64_t> all;
  for (const LeveledBin& each : bins) {
    all.resize(std::max(all.size(), each.levels.size()));
    for (std::size_t n = 0; n < each.levels.size(); ++n) all[n] += each.levels[n];
  }
  const auto rare = std::find_if(all.begin(), all.end(), [&](auto time) { return time < 2 * to_ms(bin); });
  return static_cast<std::size_t>(rare - all.begin());
}

RegressionRow row_of(const LeveledBin& bin, std::size_t levels) {
  const auto length = static_cast<double>(to_ms(bin.span.to - bin.span.from));
  RegressionRow row{std::vector<double>(levels), static_cast<double>(bin.span.energy) / length / 1000, length,
                    bin.node};
  for (std::size_t n = 0; n < bin.levels.size(); ++n) row.x[n] = static_cast<double>(bin.levels[n]) / length;
  return row;
}

}  // namespace

PowerCurve fit_curve(const std::string& name, std::span<const MeasuredNode> nodes, Duration bin) {
  const std::vector<LeveledBin> bins = leveled(nodes, bin);
  const std::size_t levels = levels_seen(bins, bin);
  constexpr const char* remedy = "record some minutes with no task, and some with each number of tasks";
  if (levels < 2) {
    throw Infeasible(fmt::format("class {}: {} for long enough to fit a curve", name,
                                 levels == 0 ? "no node was idle" : "no task ran alone"),
                     remedy);
  }
  PowerCurve curve;
  std::vector<RegressionRow> rows;
  for (const LeveledBin& each : bins) {
    if (each.levels.size() > levels) continue;
    rows.push_back(row_of(each, levels));
    curve.covered += each.span.to - each.span.from;
  }
  const std::optional<Regression> fit = fit_not_negative(rows);
  if (!fit) {
    throw Infeasible(
        fmt::format("class {}: the powers with 0 to {} tasks cannot be told apart", name, levels - 1),
        remedy);
  }
  curve.fit = *fit;
  curve.bins = rows.size();
  curve.watts = fit->coefficients;
  if (rows.size() < bins.size()) {
    curve.remarks.push_back(fmt::format("class {}: {} bins with more than {} tasks are left out", name,
                                        bins.size() - rows.size(), levels - 1));
  }
  const double idle = curve.watts.front().value;
  for (std::size_t n = 1; n < levels; ++n) {
    FittedValue& of = curve.watts[n];
    if (of.value >= idle) continue;
    curve.remarks.push_back(
        fmt::format("class {}: with {} tasks it drew less than idle, taken as idle", name, n));
    of.value = idle;
    of.high = std::max(of.high, idle);
  }
  return curve;
}

}  // namespace wavewright
