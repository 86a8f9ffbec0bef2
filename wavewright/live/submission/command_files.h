// Files of this machine without which a command fails at its start: the jar of `hadoop jar` and the jar or
// script of `spark-submit`, what `-files`, `-libjars`, `-archives`, `--jars`, `--py-files`, `--files`,
// `--archives` and `--properties-file` list, `-file` of streaming, `-f` of Hive. Files elsewhere (`hdfs:`)
// and files of other programs are not known.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wavewright {

struct MissingFile {
  std::string path;  // as the command names it
  bool is_jar = false;
  bool is_there = false;  // but cannot be read by this account
};

// The first of those files that is not there, is a folder where a file is needed, or cannot be read. Paths
// are relative to `folder`, in which the command will run. O(bytes of the command), and a look at each file.
[[nodiscard]] std::optional<MissingFile> missing_file(const std::vector<std::string>& command,
                                                      const std::filesystem::path& folder);

}  // namespace wavewright
