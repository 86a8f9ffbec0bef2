#include "wavewright/core/number_table.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/spec.h"

namespace wavewright {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

std::vector<std::string> fields_of(std::string_view line, const Position& where) {
  std::vector<std::string> fields;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    std::string_view field = trimmed(line.substr(from, comma - from));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
    }
    if (field.find('"') != std::string_view::npos) {
      throw InputError(where, fmt::format("a quote inside the field '{}'", shortened(field)),
                       "write names without quotes and commas");
    }
    fields.emplace_back(field);
    from = comma + 1;
  }
  return fields;
}

std::string names_of(const std::vector<WantedColumn>& columns) {
  std::string names;
  for (const WantedColumn& column : columns) names += (names.empty() ? "" : ",") + column.name;
  return names;
}

// For each wanted column its place in the line; none if it is absent.
std::vector<std::optional<std::size_t>> places(const std::vector<std::string>& heading, const Position& where,
                                               const std::vector<WantedColumn>& columns) {
  std::vector<std::optional<std::size_t>> found;
  for (const WantedColumn& column : columns) {
    const auto at = std::ranges::find(heading, column.name);
    if (std::ranges::count(heading, column.name) > 1) {
      throw InputError(where, fmt::format("column '{}' twice", column.name), "leave one out");
    }
    if (at == heading.end() && column.required) {
      throw InputError(where, fmt::format("no column '{}'", column.name),
                       "the first line names the columns: " + names_of(columns));
    }
    found.push_back(at == heading.end() ? std::nullopt : std::optional<std::size_t>(at - heading.begin()));
  }
  return found;
}

}  // namespace

std::string_view heading_line(std::string_view text) {
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    if (!line.empty() && line.front() != '#') return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

std::vector<TableRow> parse_table(std::string_view text, const std::string& source,
                                  const std::vector<WantedColumn>& columns) {
  text = without_byte_order_mark(text);
  std::vector<TableRow> rows;
  std::vector<std::optional<std::size_t>> at;
  std::size_t width = 0;
  std::int64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const Position where{source, number};
    const std::vector<std::string> fields = fields_of(line, where);
    if (at.empty()) {
      at = places(fields, where, columns);
      width = fields.size();
      continue;
    }
    if (fields.size() != width) {
      throw InputError(where, fmt::format("{} fields where the first line has {}", fields.size(), width),
                       "give each column a value");
    }
    TableRow row{number, {}};
    for (const auto& place : at) row.fields.push_back(place ? fields[*place] : "");
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    throw InputError({source}, "there are no lines with values",
                     "first a line with the columns: " + names_of(columns));
  }
  return rows;
}

}  // namespace wavewright
