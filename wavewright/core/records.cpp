#include "wavewright/core/records.h"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/csv.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright {

namespace {

std::string csv_text(const Field& field) {
  if (const auto* text = std::get_if<std::string>(&field)) return csv_field(*text);
  if (const auto* number = std::get_if<double>(&field)) return fmt::format("{:.10g}", *number);
  return fmt::format("{}", std::get<std::int64_t>(field));
}

std::string json_text(const Field& field) {
  if (const auto* text = std::get_if<std::string>(&field))
    return nlohmann::json(*text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return csv_text(field);
}

void write_csv(std::ostream& out, const std::vector<std::string>& columns,
               const std::vector<std::vector<Field>>& rows) {
  for (std::size_t i = 0; i < columns.size(); ++i) out << (i > 0 ? "," : "") << columns[i];
  out << '\n';
  for (const std::vector<Field>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out << (i > 0 ? "," : "") << csv_text(row[i]);
    out << '\n';
  }
}

void write_jsonl(std::ostream& out, const std::vector<std::string>& columns,
                 const std::vector<std::vector<Field>>& rows) {
  for (const std::vector<Field>& row : rows) {
    out << '{';
    for (std::size_t i = 0; i < row.size(); ++i)
      out << (i > 0 ? "," : "") << '"' << columns[i] << "\":" << json_text(row[i]);
    out << "}\n";
  }
}

}  // namespace

void check_records_name(const std::filesystem::path& path) {
  if (path.extension() == ".csv" || path.extension() == ".jsonl") return;
  throw UsageError("'" + path.string() + "' is neither CSV nor JSON Lines", "name the file .csv or .jsonl");
}

void write_records(const std::filesystem::path& path, const std::vector<std::string>& columns,
                   const std::vector<std::vector<Field>>& rows) {
  check_records_name(path);
  write_file(path, [&](std::ostream& out) {
    if (path.extension() == ".csv") {
      write_csv(out, columns, rows);
    } else {
      write_jsonl(out, columns, rows);
    }
  });
}

}  // namespace wavewright
