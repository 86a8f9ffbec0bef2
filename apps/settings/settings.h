// The settings in force, and where each comes from. What stands nearer to the command wins:
//   flag > environment > project file > user file > system file
// The project file is the nearest `.wavewright.toml` in the working folder or above it, the user file
// `$XDG_CONFIG_HOME/wavewright/config.toml` (default `~/.config`), the system file
// `/etc/wavewright/config.toml` (WAVEWRIGHT_SYSTEM_CONFIG names another).
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/settings/setting.h"
#include "apps/settings/settings_file.h"

namespace wavewright::app {

enum class SettingLevel : std::uint8_t { environment, project, user, system };
inline constexpr std::size_t setting_levels = 4;

// `environment`, `project file`, …
[[nodiscard]] const char* to_word(SettingLevel level);

struct SettingValue {
  std::string value;
  SettingLevel level = SettingLevel::environment;
  std::string place;  // the variable, or `file:line`
};

class Settings {
 public:
  // Reads environment and files as `folder` sees them. Throws UsageError or InputError for an unusable value.
  // A project file that belongs to another user is not read (root's is): whoever can write to a folder above
  // would else choose the store. It is in `passed_over`.
  [[nodiscard]] static Settings load(const std::filesystem::path& folder);

  // None if it is set nowhere, or if it is a form of the pool that a nearer level gives in the other form: a
  // cluster file and slots say the same thing, unless one level has both.
  [[nodiscard]] std::optional<SettingValue> find(const std::string& name) const;

  [[nodiscard]] const std::vector<std::filesystem::path>& passed_over() const { return passed_over_; }

 private:
  std::array<std::map<std::string, SettingValue>, setting_levels> levels_;
  std::vector<std::filesystem::path> passed_over_;
};

// The nearest project file from `folder` upwards; none if there is none.
[[nodiscard]] std::optional<std::filesystem::path> project_file(const std::filesystem::path& folder);
[[nodiscard]] std::filesystem::path user_file();
[[nodiscard]] std::filesystem::path system_file();

}  // namespace wavewright::app
