// Paths in commands of Hadoop's programs, which may lie on this machine or in any file system that Hadoop
// knows.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

// The path on this machine: of a path without a scheme or of a `file:` URL. Absent for other schemes
// (`hdfs:`, `s3a:`, `local:`) and for an empty text. O(text).
[[nodiscard]] std::optional<std::string> local_path(std::string_view text);

// Likewise of each entry of a list with commas. The name behind `#` is left out. Entries are passed over
// whose file cannot be told: those with a pattern (`lib/*.jar`) or with an escape of a URL (`%20`).
[[nodiscard]] std::vector<std::string> local_paths(std::string_view list);

}  // namespace wavewright
