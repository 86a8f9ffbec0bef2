#include "wavewright/streaming/unit.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view result_begins = "{\"result\":", failure_begins = "{\"failed\":";

bool is_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

void check(std::string_view id, std::string_view text) {
  if (!is_id(id) || text.find_first_of("\n\r") != std::string_view::npos)
    throw InternalError("a unit that cannot stand in a line: " + std::string(id));
}

}  // namespace

std::string line_of(const Unit& unit) {
  check(unit.id, unit.work);
  return "{\"unit\":\"" + unit.id + "\",\"work\":" + unit.work + "}";
}

std::string line_of(const UnitResult& result) {
  check(result.id, result.text);
  std::string line = result.id + '\t';
  if (!result.failed()) return line.append(result_begins).append(result.text).append("}");
  const Json failure = {{"status", result.status}, {"error", result.error}};
  return line.append(failure_begins)
      .append(failure.dump(-1, ' ', false, Json::error_handler_t::replace))
      .append("}");
}

Unit parse_unit(std::string_view line, const std::string& source) {
  try {
    const Json document = Json::parse(line);
    Unit unit{document.at("unit").get<std::string>(), document.at("work").dump()};
    if (is_id(unit.id)) return unit;
  } catch (const Json::exception&) {  // refused below
  }
  throw InputError({source}, "no unit of work: " + std::string(line.substr(0, 100)));
}

UnitResult parse_unit_result(std::string_view line, const std::string& source) {
  const std::size_t tab = line.find('\t');
  if (tab != std::string_view::npos && is_id(line.substr(0, tab)) && line.ends_with('}')) {
    UnitResult result{std::string(line.substr(0, tab))};
    const std::string_view told = line.substr(tab + 1);
    if (told.starts_with(result_begins)) {
      result.text = told.substr(result_begins.size(), told.size() - result_begins.size() - 1);
      return result;
    }
    try {
      const Json failure = Json::parse(told).at("failed");
      result.status = failure.at("status").get<int>();
      result.error = failure.at("error").get<std::string>();
      if (result.failed()) return result;
    } catch (const Json::exception&) {  // refused below
    }
  }
  throw InputError({source}, "no result of a unit: " + std::string(line.substr(0, 100)),
                   "remove the run's folder in HDFS, and run it again");
}

}  // namespace wavewright
