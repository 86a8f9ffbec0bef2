#include "wavewright/energy/meters/plug_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/error.h"
#include "wavewright/core/number_table.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/spec.h"
#include "wavewright/core/when.h"

namespace wavewright {

namespace {

// Up to 11 digits are seconds: the year 5138.
std::optional<Time> time_of_number(const std::string& text) {
  const std::optional<double> number = finite_number(text);
  constexpr double first_milliseconds = 1e11, second = 1000;
  if (!number || *number < 0 || *number > static_cast<double>(to_ms(latest_reading))) return std::nullopt;
  return at_ms(std::llround(*number < first_milliseconds ? *number * second : *number));
}

Time time_in(const std::string& text, const Position& where) {
  if (const std::optional<Time> time = time_of_number(text)) return *time;
  try {
    // Words such as `now` have no meaning in a file.
    if (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
        text.find('-') != std::string::npos)
      return parse_when(text, at_ms(0));
  } catch (const UsageError&) {
    // Said below, with the line.
  }
  throw InputError(where, fmt::format("'{}' is no time", shortened(text)),
                   "write seconds or ms since 1970, or 2026-11-20 06:00:00");
}

// µJ or mW.
std::int64_t value_in(const std::string& text, double scale, const char* unit, const Position& where) {
  const std::optional<double> number = finite_number(text);
  constexpr double most = 9e18;
  if (!number || *number < 0 || *number * scale > most) {
    throw InputError(where, fmt::format("'{}' is no number of {}", shortened(text), unit),
                     "write a number from 0; leave the field empty where nothing was measured");
  }
  return std::llround(*number * scale);
}

SourceSeries& series_of(std::vector<SourceSeries>& all, const std::string& node, MeterUnit unit) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.node == node; });
  if (found != all.end()) return *found;
  all.push_back({node, {"plug/node", unit, 0}, {}});
  return all.back();
}

bool has_column(std::string_view heading, std::string_view name) {
  for (std::size_t from = 0; from <= heading.size();) {
    const std::size_t comma = std::min(heading.find(',', from), heading.size());
    std::string_view field = heading.substr(from, comma - from);
    constexpr std::string_view around = " \t\r\"";
    field.remove_prefix(std::min(field.find_first_not_of(around), field.size()));
    field = field.substr(0, field.find_last_not_of(around) + 1);
    if (field == name) return true;
    from = comma + 1;
  }
  return false;
}

void refuse_two_units(std::string_view text, const std::string& source) {
  const std::string_view heading = heading_line(text);
  if (!has_column(heading, "watts") || !has_column(heading, "joules")) return;
  const std::string_view before = text.substr(0, static_cast<std::size_t>(heading.data() - text.data()));
  throw InputError({source, 1 + std::count(before.begin(), before.end(), '\n')}, "both watts and joules",
                   "leave one of the columns out, or give each a file of its own");
}

}  // namespace

MeterUnit unit_of_plug_file(std::string_view text) {
  return has_column(heading_line(text), "joules") ? MeterUnit::energy : MeterUnit::power;
}

std::vector<SourceSeries> parse_plug_file(std::string_view text, const std::string& source,
                                          const std::string& node) {
  text = without_byte_order_mark(text);
  refuse_two_units(text, source);
  std::vector<SourceSeries> all;
  std::set<std::string> begin_anew;  // nodes, after headings
  const MeterUnit unit = unit_of_plug_file(text);
  const bool power = unit == MeterUnit::power;
  const std::string column = power ? "watts" : "joules";
  for (const TableRow& row : parse_table(text, source, {{"time"}, {column}, {"node", false}})) {
    // Files that were joined have headings in between.
    if (without_byte_order_mark(row.fields[0]) == "time" && row.fields[1] == column) {
      for (const SourceSeries& each : all) begin_anew.insert(each.node);
      continue;
    }
    if (row.fields[1].empty()) continue;
    const Position where{source, row.line};
    const std::int64_t value = value_in(row.fields[1], power ? 1e3 : 1e6, column.c_str(), where);
    SourceSeries& series = series_of(all, row.fields[2].empty() ? node : row.fields[2], unit);
    series.readings.push_back(
        {time_in(row.fields[0], where), value, begin_anew.erase(series.node) > 0 ? "file" : ""});
  }
  return all;
}

}  // namespace wavewright
