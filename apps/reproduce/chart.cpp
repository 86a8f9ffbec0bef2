#include "apps/reproduce/chart.h"

#include <algorithm>

#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

ChartLine line_of(const Entry& entry, const Json& json, const Measurements& measured) {
  ChartLine line{json.at("name"), {}, {}};
  for (const auto& [text, key_json] : json.at("points").items()) {
    const auto key = key_json.get<std::string>();
    const double x = std::stod(text);
    const auto found = measured.find(key);
    if (found == measured.end() || !found->second.value.is_number()) {
      throw InputError({"reproduce/" + entry.id + ".json"}, "a chart cannot show '" + key + "'",
                       "name a measurement that is a number");
    }
    LinePoint point{x, found->second.value.get<double>()};
    if (const auto& interval = found->second.interval) point.interval = {interval->low, interval->high};
    line.points.push_back(point);
    const auto row = std::find_if(entry.rows.begin(), entry.rows.end(),
                                  [&](const EntryRow& each) { return each.key == key; });
    if (row != entry.rows.end() && row->paper.is_number() && row->printed() && row->not_compared.empty())
      line.printed.push_back({x, row->paper.get<double>()});
  }
  for (auto* points : {&line.points, &line.printed}) {
    std::sort(points->begin(), points->end(),
              [](const LinePoint& a, const LinePoint& b) { return a.x < b.x; });
  }
  return line;
}

}  // namespace

std::vector<LineChart> charts_of(const Entry& entry, const Measurements& measured) {
  std::vector<LineChart> charts;
  try {
    for (const Json& json : entry.charts) {
      LineChart chart{json.at("title"), json.at("across"), json.at("up"), {}};
      for (const Json& line : json.at("lines")) chart.lines.push_back(line_of(entry, line, measured));
      charts.push_back(std::move(chart));
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
