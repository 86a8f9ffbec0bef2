// Small CSV files of numbers: measured runs, jobs with their work.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/error.h"

namespace wavewright {

struct TableRow {
  std::int64_t line = 0;            // from 1
  std::vector<std::string> fields;  // of the wanted columns, in the order wanted; empty where absent
};

struct WantedColumn {
  std::string name;
  bool required = true;
};

// The first line that is neither blank nor a comment.
[[nodiscard]] std::string_view heading_line(std::string_view text);

// Reads the columns by the names in the first line, in any order; others are ignored. Blank lines and lines
// that begin with `#` are skipped, blanks and quotes around fields dropped. Commas inside quotes are refused.
// Throws InputError with file and line for a missing or doubled column and for a line with another number of
// fields; for a file without rows. O(bytes).
[[nodiscard]] std::vector<TableRow> parse_table(std::string_view text, const std::string& source,
                                                const std::vector<WantedColumn>& columns);

}  // namespace wavewright
