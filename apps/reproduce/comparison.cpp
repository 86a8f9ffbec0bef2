#include "apps/reproduce/comparison.h"

#include <cmath>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

bool compares_numbers(const EntryRow& row, const Measured& ours) {
  return (row.paper.is_number() || row.paper.is_array()) && ours.value.is_number();
}

Interval printed_range(const Json& paper) {
  if (paper.is_array()) return {paper[0].get<double>(), paper[1].get<double>()};
  return {paper.get<double>(), paper.get<double>()};
}

// From the nearest end of the paper's range.
double difference_to(const Json& paper, double ours) {
  const Interval printed = printed_range(paper);
  if (ours < printed.low) return ours - printed.low;
  return ours > printed.high ? ours - printed.high : 0;
}

// Replaces `{KEY}` by the measurement.
std::string filled(const Entry& entry, const std::string& text, const Measurements& measured) {
  std::string result;
  std::size_t from = 0;
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', from)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    const std::string key = text.substr(open + 1, close - open - 1);
    const auto found = measured.find(key);
    if (found == measured.end()) {
      std::vector<std::string> keys;
      for (const auto& [each, value] : measured) keys.push_back(each);
      throw InputError({"reproduce/" + entry.id + ".json"}, "a text names no measurement: '" + key + "'",
                       suggestion(key, keys));
    }
    result += text.substr(from, open - from) + text_of(found->second.value);
    from = close + 1;
  }
  return result + text.substr(from);
}

Json result_row(const Entry& entry, const EntryRow& row, const Measurements& measured) {
  const Measured& ours = measured.at(row.key);
  Json json = {
      {"key", row.key}, {"label", row.label}, {"unit", row.unit}, {"paper", row.paper}, {"ours", ours.value}};
  if (ours.interval) json["interval"] = {ours.interval->low, ours.interval->high};
  if (!ours.samples.empty()) json["replications"] = ours.samples.size();
  json["verdict"] = verdict_on(entry, row, ours);
  if (compares_numbers(row, ours) && row.not_compared.empty()) {
    json["difference"] = difference_to(row.paper, ours.value.get<double>());
    json["tolerance"] = tolerance_of(entry, row);
    if (row.tolerance) json["own_tolerance"] = true;
  }
  for (const auto& [name, text] :
       {std::pair("reading", &row.reading), std::pair("derived", &row.derived),
        std::pair("not_compared", &row.not_compared), std::pair("assumption", &row.assumption)}) {
    if (!text->empty()) json[name] = filled(entry, *text, measured);
  }
  if (!ours.note.empty()) json["note"] = ours.note;
  return json;
}

Json effects_json(const Effects& effects) {
  Json rows = Json::array();
  for (const Effect& each : effects.rows) {
    Json row = {{"key", each.key},
                {"label", each.label},
                {"unit", each.unit},
                {"ours", each.ours},
                {"instead", each.instead}};
    if (each.change) {
      row["change"] = each.change->value;
      if (each.change->interval) row["interval"] = {each.change->interval->low, each.change->interval->high};
      if (!each.change->samples.empty()) row["replications"] = each.change->samples.size();
    }
    rows.push_back(std::move(row));
  }
  return {{"text", effects.text}, {"instead", effects.instead}, {"effects", rows}};
}

}  // namespace

double tolerance_of(const Entry& entry, const EntryRow& row) {
  if (row.tolerance) return *row.tolerance;
  if (!entry.tolerance) return 0;
  const Interval printed = printed_range(row.paper);
  const double value = std::max(std::abs(printed.low), std::abs(printed.high));
  return std::max(entry.tolerance->share * value, entry.tolerance->least);
}

Json verdict_on(const Entry& entry, const EntryRow& row, const Measured& ours) {
  if (row.paper.is_null()) return {};
  if (!row.not_compared.empty()) return "not compared";
  if (!compares_numbers(row, ours)) return row.paper == ours.value ? "agrees" : "differs";
  const double value = ours.value.get<double>();
  const bool exact = ours.samples.empty();
  if (!exact && !row.tolerance && !entry.tolerance) {
    throw InputError({"reproduce/" + entry.id + ".json"}, "row '" + row.key + "' has no tolerance",
                     "state one: means of runs never equal a printed value");
  }
  const double rounding = 1e-9 * std::max(1.0, std::abs(value));
  const auto where = exact ? std::optional(Interval{value, value}) : ours.where();
  switch (equivalence(where, printed_range(row.paper), tolerance_of(entry, row) + rounding)) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    case Verdict::borderline:
      return "borderline";
    case Verdict::cannot_tell:
      break;
  }
  return "cannot tell";
}

Json result_of(const Entry& entry, const Measurements& measured, const std::vector<Effects>& effects,
               std::uint64_t seed) {
  Json rows = Json::array();
  Json counts = {{"agrees", 0}, {"differs", 0}, {"borderline", 0}, {"cannot tell", 0}, {"not compared", 0}};
  for (const EntryRow& row : entry.rows) {
    rows.push_back(result_row(entry, row, measured));
    if (const Json& verdict = rows.back()["verdict"]; !verdict.is_null()) {
      Json& count = counts[verdict.get<std::string>()];
      count = count.get<int>() + 1;
    }
  }
  Json assumptions = Json::array();
  for (const Effects& each : effects) assumptions.push_back(effects_json(each));
  Json result = {{"id", entry.id},
                 {"title", entry.title},
                 {"paper", entry.paper},
                 {"source", entry.source},
                 {"seed", seed},
                 {"rows", rows},
                 {"verdicts", counts},
                 {"assumptions", assumptions},
                 {"explanation", filled(entry, entry.explanation, measured)}};
  if (entry.tolerance)
    result["tolerance"] = {{"share", entry.tolerance->share}, {"least", entry.tolerance->least}};
  return result;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return text_of(value[0]) + " to " + text_of(value[1]);
  const auto number = value.get<double>();
  const bool whole = number == std::round(number) && std::abs(number) < 1e15;
  const bool large = std::abs(number) >= 10'000 && std::abs(number) < 1e7;
  return whole || large ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

}  // namespace wavewright::app
