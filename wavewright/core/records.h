// Writes rows of numbers and texts as CSV (RFC 4180) or JSON Lines, by the ending of the file's name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace wavewright {

using Field = std::variant<std::int64_t, double, std::string>;

// Throws UsageError if the name ends in neither `.csv` nor `.jsonl`.
void check_records_name(const std::filesystem::path& path);

// Each row needs one field per column. Throws UsageError for any other ending than `.csv` or `.jsonl`,
// ExternalError if the file cannot be written.
void write_records(const std::filesystem::path& path, const std::vector<std::string>& columns,
                   const std::vector<std::vector<Field>>& rows);

}  // namespace wavewright
