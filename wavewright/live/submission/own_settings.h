// Settings that Wavewright makes for each job, where a command makes them itself. A program takes one value,
// mostly the last, whoever wrote it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/live/submission/command_words.h"

namespace wavewright {

// How the command itself sets `key`: by that name, by one that Hadoop has deprecated and still reads, by an
// option of spark-submit that comes before it (`--queue`), or by `set` in the script that Hive or Pig gets in
// an argument. The name is as it stands in the command. Absent = it does not. O(bytes of the command).
[[nodiscard]] std::optional<CommandOption> own_setting(const std::vector<std::string>& command,
                                                       std::string_view key);

struct SettingInFile {
  std::string file, name;
};

// The first of `keys` that a file makes, which the command names: of `-conf` or of `--properties-file`, or a
// script of Hive or Pig. Paths are relative to `folder`. A file elsewhere, one that cannot be read, and one
// of more than a MiB are passed over. O(bytes of the files · keys).
[[nodiscard]] std::optional<SettingInFile> own_setting_in_files(const std::vector<std::string>& command,
                                                                const std::vector<std::string>& keys,
                                                                const std::filesystem::path& folder);

// The steps of own_setting_in_files on a file's text: does it set that name? `site`: Hadoop's XML;
// `properties`: Java's; `script`: Hive's and Pig's `set`, but not in a line that begins with
// two dashes.
[[nodiscard]] bool sets_in_site(std::string_view text, std::string_view name);
[[nodiscard]] bool sets_in_properties(std::string_view text, std::string_view name);
[[nodiscard]] bool sets_in_script(std::string_view text, std::string_view name);

}  // namespace wavewright
