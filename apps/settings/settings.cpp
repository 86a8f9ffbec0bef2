#include "apps/settings/settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

constexpr const char* project_name = ".wavewright.toml";
constexpr std::array<std::string_view, 3> pool_settings = {"cluster", "map_slots", "reduce_slots"};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool gives_slots(const std::map<std::string, SettingValue>& level) {
  return level.contains("map_slots") || level.contains("reduce_slots");
}

bool trusted(const std::filesystem::path& file) {
  struct stat facts = {};
  return ::stat(file.c_str(), &facts) == 0 && (facts.st_uid == ::geteuid() || facts.st_uid == 0);
}

std::map<std::string, SettingValue> from_environment() {
  std::map<std::string, SettingValue> values;
  for (const Setting& setting : all_settings) {
    const std::string value = variable(setting.variable);
    if (value.empty()) continue;
    // The store's own reader tells what is wrong with its URL, as it always has.
    if (setting.kind != SettingKind::store) {
      try {
        check_setting(setting, value);
      } catch (const UsageError& error) {
        throw UsageError(std::string(setting.variable) + ": " + error.problem(), error.remedy());
      }
    }
    values[setting.name] = {value, SettingLevel::environment, setting.variable};
  }
  return values;
}

std::map<std::string, SettingValue> from_file(const std::filesystem::path& file, SettingLevel level) {
  std::map<std::string, SettingValue> values;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return values;
  for (const auto& [name, found] : read_settings_file(file)) {
    values[name] = {found.value, level, Position{file.string(), found.line, -1}.text()};
  }
  return values;
}

}  // namespace

const char* to_word(SettingLevel level) {
  switch (level) {
    case SettingLevel::environment:
      return "environment";
    case SettingLevel::project:
      return "project file";
    case SettingLevel::user:
      return "user file";
    case SettingLevel::system:
      break;
  }
  return "system file";
}

std::optional<std::filesystem::path> project_file(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (std::filesystem::path at = folder;; at = at.parent_path()) {
    if (std::filesystem::is_regular_file(at / project_name, ignored)) return at / project_name;
    if (at == at.parent_path()) return std::nullopt;
  }
}

std::filesystem::path user_file() {
  const std::string given = variable("XDG_CONFIG_HOME");
  const std::filesystem::path folder =
      given.empty() ? std::filesystem::path(variable("HOME")) / ".config" : std::filesystem::path(given);
  return folder / "wavewright" / "config.toml";
}

std::filesystem::path system_file() {
  const std::string given = variable("WAVEWRIGHT_SYSTEM_CONFIG");
  return given.empty() ? "/etc/wavewright/config.toml" : given;
}

Settings Settings::load(const std::filesystem::path& folder) {
  Settings settings;
  settings.levels_[static_cast<std::size_t>(SettingLevel::environment)] = from_environment();
  if (const auto project = project_file(folder)) {
    if (trusted(*project)) {
      settings.levels_[static_cast<std::size_t>(SettingLevel::project)] =
          from_file(*project, SettingLevel::project);
    } else {
      settings.passed_over_.push_back(*project);
    }
  }
  settings.levels_[static_cast<std::size_t>(SettingLevel::user)] = from_file(user_file(), SettingLevel::user);
  settings.levels_[static_cast<std::size_t>(SettingLevel::system)] =
      from_file(system_file(), SettingLevel::system);
  return settings;
}

std::optional<SettingValue> Settings::find(const std::string& name) const {
  const bool of_pool = std::find(pool_settings.begin(), pool_settings.end(), name) != pool_settings.end();
  for (const auto& level : levels_) {
    if (const auto found = level.find(name); found != level.end()) return found->second;
    if (of_pool && (in_slots(name) ? level.contains("cluster") : gives_slots(level))) {
      // Slots of which this level gives one number: the other may come from further away.
      if (!(in_slots(name) && gives_slots(level))) return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace wavewright::app
