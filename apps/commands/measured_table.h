// A table of measured runs, as CSV (RFC 4180, with a heading) or JSON Lines: for `wavewright compare`.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "apps/context.h"

namespace wavewright::app {

// A row by column. Values are texts as they stand in the file: JSON numbers as written, null as empty.
struct MeasuredRow {
  std::int64_t line = 0;  // from 1; the first of a row that goes over several
  std::map<std::string, std::string> values;
};
struct MeasuredTable {
  std::string source;
  std::vector<std::string> columns;  // in order of first mention
  std::vector<MeasuredRow> rows;

  [[nodiscard]] bool has(const std::string& column) const;
};

// The first line of a sweep's results, which names its inputs, is passed over. Throws UsageError for another
// ending than `.csv` or `.jsonl`, InputError with file and line where a row is malformed or none is there.
[[nodiscard]] MeasuredTable read_measured_table(const std::filesystem::path& path);

}  // namespace wavewright::app
