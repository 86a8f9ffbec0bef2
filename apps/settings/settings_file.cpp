#include "apps/settings/settings_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/toml_table.h"

namespace wavewright::app {

namespace {

constexpr std::size_t largest_file = 1 << 20;
constexpr const char* page = "docs/use/settings.md";

std::string beside(const std::filesystem::path& file, const std::string& path) {
  return (file.parent_path() / path).lexically_normal().string();
}

// Resolves a relative path against the settings file's folder, not against the working folder.
std::string placed(const Setting& setting, const std::filesystem::path& file, const std::string& value) {
  constexpr std::string_view sqlite = "sqlite:";
  if (setting.kind == SettingKind::path) return beside(file, value);
  const bool in_a_file =
      setting.kind == SettingKind::store && value.starts_with(sqlite) && !value.starts_with("sqlite::");
  return in_a_file ? std::string(sqlite) + beside(file, value.substr(sqlite.size())) : value;
}

bool is_number(const Setting& setting) {
  return setting.kind == SettingKind::count || setting.kind == SettingKind::percent;
}

std::map<std::string, FileSetting> settings_in(const std::string& text, const std::filesystem::path& path) {
  const std::string source = path.string();
  const toml::table parsed = parse_toml(text, source, page);
  TomlTable table(parsed, "settings", source);
  std::map<std::string, FileSetting> found;
  for (const Setting& setting : all_settings) {
    const toml::node* const node = table.find(setting.name);
    if (node == nullptr) continue;
    std::string value;
    if (is_number(setting)) {
      std::int64_t number = 0;
      table.take(setting.name, 0, std::numeric_limits<std::int64_t>::max(), number);
      value = std::to_string(number);
    } else {
      table.take(setting.name, value);
    }
    const auto line = static_cast<std::int64_t>(node->source().begin.line);
    try {
      check_setting(setting, value);
    } catch (const UsageError& error) {
      throw InputError({source, line}, error.problem(), error.remedy());
    }
    found[setting.name] = {placed(setting, path, value), line};
  }
  table.refuse_unknown();
  return found;
}

// As it is read back: numbers have no leading zeros.
std::string canonical(const Setting& setting, const std::string& value) {
  return is_number(setting) ? std::to_string(std::stoll(value)) : value;
}

std::string as_toml(const Setting& setting, const std::string& value) {
  if (is_number(setting)) return canonical(setting, value);
  std::string quoted = "\"";
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      throw UsageError(std::string(setting.name) + " holds a control character", "leave it out");
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// True if the line begins with `name =`.
bool sets(const std::string& line, const std::string& name) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos || line.compare(start, name.size(), name) != 0) return false;
  const std::size_t after = line.find_first_not_of(" \t", start + name.size());
  return after != std::string::npos && line[after] == '=';
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::map<std::string, FileSetting> read_settings_file(const std::filesystem::path& path) {
  return settings_in(read_file(path, largest_file), path);
}

void write_setting(const std::filesystem::path& path, const Setting& setting,
                   const std::optional<std::string>& value) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  const std::string text = exists ? read_file(path, largest_file) : "";
  std::vector<std::string> lines = lines_in(text);
  const auto holds = [&](const std::string& line) { return sets(line, setting.name); };
  const auto line = std::find_if(lines.begin(), lines.end(), holds);
  if (value) {
    const std::string wanted = std::string(setting.name) + " = " + as_toml(setting, *value);
    if (line == lines.end()) {
      lines.push_back(wanted);
    } else {
      *line = wanted;
    }
  } else if (line != lines.end()) {
    lines.erase(line);
  }
  std::string changed;
  for (const std::string& each : lines) changed += each + '\n';
  const auto now = settings_in(changed, path);  // a file that would still be broken is not changed
  const auto found = now.find(setting.name);
  const bool as_wanted =
      value ? found != now.end() && found->second.value == placed(setting, path, canonical(setting, *value))
            : found == now.end();
  if (!as_wanted) {
    throw InputError({path.string()}, std::string(setting.name) + " stands there in an unusual form",
                     "change it with an editor");
  }
  if (changed == text) return;
  std::filesystem::create_directories(path.parent_path(), ignored);
  write_file(
      path, [&](std::ostream& out) { out << changed; }, exists ? FileReaders::all : FileReaders::owner);
}

}  // namespace wavewright::app
