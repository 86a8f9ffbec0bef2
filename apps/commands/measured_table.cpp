#include "apps/commands/measured_table.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/records.h"
#include "wavewright/core/spec.h"

namespace wavewright::app {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;

// The fields of a record; none if a quote is left open.
std::optional<std::vector<std::string>> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return quoted ? std::nullopt : std::optional(fields);
}

std::vector<std::string> heading_of(const MeasuredTable& table, const std::string& text, std::int64_t line) {
  const auto fields = fields_of(text);
  if (!fields)
    throw InputError({table.source, line}, "a quote is not closed", "write \"\" for a quote in a field");
  for (const std::string& field : *fields) {
    if (std::count(fields->begin(), fields->end(), field) > 1)
      throw InputError({table.source, line}, fmt::format("column '{}' twice", shortened(field)),
                       "leave one out");
  }
  return *fields;
}

MeasuredRow csv_row(const MeasuredTable& table, const std::string& text, std::int64_t line) {
  const auto fields = fields_of(text);
  if (!fields)
    throw InputError({table.source, line}, "a quote is not closed", "write \"\" for a quote in a field");
  if (fields->size() != table.columns.size()) {
    throw InputError({table.source, line},
                     fmt::format("{} fields under {} headings", fields->size(), table.columns.size()),
                     "give each row a field for each heading");
  }
  MeasuredRow row{line, {}};
  for (std::size_t i = 0; i < fields->size(); ++i) row.values[table.columns[i]] = (*fields)[i];
  return row;
}

MeasuredRow json_row(MeasuredTable& table, const std::string& text, std::int64_t line) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    throw InputError({table.source, line}, "not a JSON object", "write one object a line");
  MeasuredRow row{line, {}};
  for (const auto& [key, value] : json.items()) {
    if (!table.has(key)) table.columns.push_back(key);
    row.values[key] = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
  }
  return row;
}

}  // namespace

bool MeasuredTable::has(const std::string& column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

MeasuredTable read_measured_table(const std::filesystem::path& path) {
  check_records_name(path);
  MeasuredTable table{path.string(), {}, {}};
  std::istringstream lines(read_file(path, largest_file));
  const bool csv = path.extension() == ".csv";
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (++number == 1) line = without_byte_order_mark(line);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || (!csv && line.rfind("{\"wavewright_sweep\"", 0) == 0)) continue;
    if (csv && table.columns.empty()) {
      table.columns = heading_of(table, line, number);
    } else {
      table.rows.push_back(csv ? csv_row(table, line, number) : json_row(table, line, number));
    }
  }
  if (table.rows.empty())
    throw InputError({table.source}, "no rows",
                     "give one for each run: of `wavewright sweep --out`, or your own");
  return table;
}

}  // namespace wavewright::app
