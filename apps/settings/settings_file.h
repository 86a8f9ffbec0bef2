// A file of settings: TOML, one `name = value` a line.
//
//   store = "postgresql://wavewright@db/runs"
//   cluster = "cluster.toml"        # beside this file
//   map_slots = 40
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "apps/settings/setting.h"

namespace wavewright::app {

struct FileSetting {
  std::string value;  // a path is absolute or as the file's folder makes it
  std::int64_t line = 0;
};

// By name. Throws InputError with file and line for what is not TOML, an unknown name or an unusable value.
[[nodiscard]] std::map<std::string, FileSetting> read_settings_file(const std::filesystem::path& path);

// Sets or (without a value) removes one; every other line stays as it is. Makes file and folder if need be;
// only the user may read a new one, since a store's URL can hold a password. Throws InputError if the file is
// still broken then, or holds the setting in a form that cannot be replaced, ExternalError if it cannot be
// written.
void write_setting(const std::filesystem::path& path, const Setting& setting,
                   const std::optional<std::string>& value);

}  // namespace wavewright::app
