#include "apps/reproduce/chart.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "wavewright/core/error.h"
#include "wavewright/report/charts/bar_chart.h"
#include "wavewright/report/charts/line_chart.h"

namespace wavewright::app {

namespace {

const Measured& shown(const Entry& entry, const std::string& key, const Measurements& measured) {
  const auto found = measured.find(key);
  if (found != measured.end() && found->second.value.is_number()) return found->second;
  throw InputError({"reproduce/" + entry.id + ".json"}, "a chart cannot show '" + key + "'",
                   "name a measurement that is a number");
}

std::optional<std::pair<double, double>> interval_of(const Measured& measured) {
  if (!measured.interval) return std::nullopt;
  return std::pair(measured.interval->low, measured.interval->high);
}

// The paper's value, if it prints one that ours is a measure of.
std::optional<double> printed_value(const Entry& entry, const std::string& key) {
  const auto row = std::find_if(entry.rows.begin(), entry.rows.end(),
                                [&](const EntryRow& each) { return each.key == key; });
  if (row == entry.rows.end() || !row->paper.is_number() || !row->printed() || !row->not_compared.empty())
    return std::nullopt;
  return row->paper.get<double>();
}

ChartLine line_of(const Entry& entry, const Json& json, const Measurements& measured) {
  ChartLine line{json.at("name"), {}, {}};
  for (const auto& [text, key_json] : json.at("points").items()) {
    const auto key = key_json.get<std::string>();
    const double x = std::stod(text);
    const Measured& found = shown(entry, key, measured);
    line.points.push_back({x, found.value.get<double>(), interval_of(found)});
    if (const auto printed = printed_value(entry, key)) line.printed.push_back({x, *printed});
  }
  for (auto* points : {&line.points, &line.printed}) {
    std::sort(points->begin(), points->end(),
              [](const LinePoint& a, const LinePoint& b) { return a.x < b.x; });
  }
  return line;
}

std::string lines_svg(const Entry& entry, const Json& json, const Measurements& measured) {
  LineChart chart{json.at("title"), json.at("across"), json.at("up"), {}};
  for (const Json& line : json.at("lines")) chart.lines.push_back(line_of(entry, line, measured));
  return line_chart_svg(chart);
}

std::string bars_svg(const Entry& entry, const Json& json, const Measurements& measured) {
  BarChart chart{json.at("title"), json.at("along"), {}};
  for (const auto& [name, bars] : json.at("bars").items()) {
    BarGroup& group = chart.groups.emplace_back(BarGroup{name, {}});
    for (const auto& [label, key] : bars.items()) {
      const Measured& found = shown(entry, key, measured);
      group.bars.push_back({label, found.value.get<double>(), interval_of(found), printed_value(entry, key)});
    }
  }
  return bar_chart_svg(chart);
}

// Empty if no assumption changes the row.
std::string tornado_svg(const Json& json, const std::vector<Effects>& effects) {
  const auto key = json.at("effects_on").get<std::string>();
  BarGroup group;
  for (const Effects& each : effects) {
    for (const Effect& row : each.rows) {
      if (row.key == key && row.change && row.change->value.is_number())
        group.bars.push_back({each.instead, row.change->value.get<double>(), interval_of(*row.change)});
    }
  }
  if (group.bars.empty()) return {};
  std::stable_sort(group.bars.begin(), group.bars.end(),
                   [](const Bar& a, const Bar& b) { return std::abs(a.value) > std::abs(b.value); });
  return bar_chart_svg({json.at("title"), json.at("along"), {std::move(group)}});
}

}  // namespace

std::vector<std::string> charts_of(const Entry& entry, const Measurements& measured,
                                   const std::vector<Effects>& effects) {
  std::vector<std::string> charts;
  try {
    for (const Json& json : entry.charts) {
      std::string chart = json.contains("bars")         ? bars_svg(entry, json, measured)
                          : json.contains("effects_on") ? tornado_svg(json, effects)
                                                        : lines_svg(entry, json, measured);
      if (!chart.empty()) charts.push_back(std::move(chart));
    }
  } catch (const Json::exception& error) {
    throw InputError({"reproduce/" + entry.id + ".json"}, std::string("charts: ") + error.what(),
                     "see docs/use/reproduce.md");
  } catch (const std::invalid_argument&) {  // from stod
    throw InputError({"reproduce/" + entry.id + ".json"}, "charts: points are named by numbers",
                     "see docs/use/reproduce.md");
  }
  return charts;
}

}  // namespace wavewright::app
