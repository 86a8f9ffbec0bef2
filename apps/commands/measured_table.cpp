#include "apps/commands/measured_table.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/byte_order_mark.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/records.h"
#include "wavewright/core/spec.h"

namespace wavewright::app {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;

// The fields of a record. A quoted field may go on in further lines.
class Record {
 public:
  void add(std::string_view line) {
    if (quoted_) fields_.back() += '\n';
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quoted_ && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
        fields_.back() += line[++i];
      } else if (c == '"' && (quoted_ || fields_.back().empty())) {
        quoted_ = !quoted_;
      } else if (c == ',' && !quoted_) {
        fields_.emplace_back();
      } else {
        fields_.back() += c;
      }
    }
  }
  [[nodiscard]] bool whole() const { return !quoted_; }
  [[nodiscard]] std::vector<std::string> fields() && { return std::move(fields_); }

 private:
  std::vector<std::string> fields_ = {""};
  bool quoted_ = false;
};

void check_heading(const MeasuredTable& table, std::int64_t line) {
  for (const std::string& field : table.columns) {
    if (std::count(table.columns.begin(), table.columns.end(), field) > 1)
      throw InputError({table.source, line}, fmt::format("column '{}' twice", shortened(field)),
                       "leave one out");
  }
}

MeasuredRow csv_row(const MeasuredTable& table, std::vector<std::string> fields, std::int64_t line) {
  if (fields.size() != table.columns.size()) {
    throw InputError({table.source, line},
                     fmt::format("{} fields under {} headings", fields.size(), table.columns.size()),
                     "give each row a field for each heading");
  }
  MeasuredRow row{line, {}};
  for (std::size_t i = 0; i < fields.size(); ++i) row.values[table.columns[i]] = std::move(fields[i]);
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
  std::string line;
  const auto next = [&] {
    if (!std::getline(lines, line)) return false;
    if (++number == 1) line = without_byte_order_mark(line);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return true;
  };
  while (next()) {
    if (line.empty() || (!csv && line.rfind("{\"wavewright_sweep\"", 0) == 0)) continue;
    if (!csv) {
      table.rows.push_back(json_row(table, line, number));
      continue;
    }
    const std::int64_t first = number;
    Record record;
    record.add(line);
    while (!record.whole() && next()) record.add(line);
    if (!record.whole())
      throw InputError({table.source, first}, "a quote is not closed", "write \"\" for a quote in a field");
    if (table.columns.empty()) {
      table.columns = std::move(record).fields();
      check_heading(table, first);
    } else {
      table.rows.push_back(csv_row(table, std::move(record).fields(), first));
    }
  }
  if (table.rows.empty())
    throw InputError({table.source}, "no rows",
                     "give one for each run: of `wavewright sweep --out`, or your own");
  return table;
}

}  // namespace wavewright::app
