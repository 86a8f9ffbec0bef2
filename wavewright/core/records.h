// Rows of numbers and texts as a file: CSV (RFC 4180) or JSON Lines, as the name ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace wavewright {

using Field = std::variant<std::int64_t, double, std::string>;

// Throws UsageError on a name that ends in neither `.csv` nor `.jsonl`.
void check_records_name(const std::filesystem::path& path);

// Every row has a field for each column. Another ending than `.csv` and `.jsonl` is a UsageError; a file that
// cannot be written an ExternalError.
void write_records(const std::filesystem::path& path, const std::vector<std::string>& columns,
                   const std::vector<std::vector<Field>>& rows);

}  // namespace wavewright
