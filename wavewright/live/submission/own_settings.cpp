#include "wavewright/live/submission/own_settings.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include "wavewright/live/submission/local_path.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

// Source: Hadoop 3's DeprecatedProperties. Other settings of ours have no deprecated name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> deprecated = {
    {{"mapreduce.job.queuename", "mapred.job.queue.name"},
     {"mapreduce.job.priority", "mapred.job.priority"},
     {"mapreduce.job.reduce.slowstart.completedmaps", "mapred.reduce.slowstart.completed.maps"}}};

std::string_view deprecated_name(std::string_view key) {
  const auto* const found =
      std::find_if(deprecated.begin(), deprecated.end(), [&](const auto& each) { return each.first == key; });
  return found == deprecated.end() ? std::string_view() : found->second;
}

constexpr std::string_view blanks = " \t\r\n\f";

std::string without_comments(std::string_view text) {
  std::string rest;
  for (;;) {
    const std::size_t begin = text.find("<!--");
    rest += text.substr(0, begin);
    if (begin == std::string_view::npos) return rest;
    const std::size_t end = text.find("-->", begin);
    if (end == std::string_view::npos) return rest;
    text.remove_prefix(end + 3);
  }
}

// The text of a regular file, which alone can be read without waiting.
std::optional<std::string> text_of_settings(const fs::path& path) {
  constexpr std::uintmax_t most = std::uintmax_t{1} << 20;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > most || error) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool is_script_program(std::string_view program) {
  return program == "hive" || program == "beeline" || program == "pig";
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-';
}

// Is the last word of the text `set`, in large or small letters? A quote may stand behind it.
bool ends_with_set(std::string_view text) {
  while (text.ends_with('\'') || text.ends_with('"')) text.remove_suffix(1);
  const std::size_t last = text.find_last_not_of(" \t\r\n\f");
  if (last == std::string_view::npos || last + 1 == text.size() || last < 2) return false;
  const std::string_view word = text.substr(last - 2, 3);
  const bool alone = last == 2 || !is_name_character(text[last - 3]);
  return alone && (word[0] | 0x20) == 's' && (word[1] | 0x20) == 'e' && (word[2] | 0x20) == 't';
}

// Hive and Pig skip lines that begin with two dashes.
bool is_in_comment(std::string_view text, std::size_t at) {
  const std::size_t break_before = text.substr(0, at).find_last_of("\r\n");
  std::string_view line = text.substr(break_before == std::string_view::npos ? 0 : break_before + 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("--");
}

}  // namespace

bool sets_in_script(std::string_view text, std::string_view name) {
  constexpr std::string_view prefix = "hiveconf:";
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((end < text.size() && is_name_character(text[end])) || is_in_comment(text, at)) continue;
    std::string_view before = text.substr(0, at);
    if (before.ends_with(prefix)) before.remove_suffix(prefix.size());
    if (ends_with_set(before)) return true;
  }
  return false;
}

std::optional<CommandOption> own_setting(const std::vector<std::string>& command, std::string_view key) {
  const std::string_view other = deprecated_name(key);
  for (const std::string& argument : command) {
    const CommandOption setting = setting_in(argument);
    if (setting.name == key || (!other.empty() && setting.name == other)) return setting;
  }
  for (std::size_t i = 1; i + 1 < command.size() && is_script_program(program_of(command)); ++i) {
    if (command[i] != "-e" && command[i] != "-execute") continue;
    for (const std::string_view name : {key, other}) {
      if (!name.empty() && sets_in_script(command[i + 1], name)) return CommandOption{name, {}};
    }
  }
  if (key != "spark.yarn.queue" || program_of(command) != "spark-submit") return std::nullopt;
  for (const CommandOption& option : spark_words(command).options) {
    if (option.name == "--queue") return option;
  }
  return std::nullopt;
}

bool sets_in_site(std::string_view text, std::string_view name) {
  const std::string told = without_comments(text);
  for (std::size_t at = told.find(name); at != std::string::npos; at = told.find(name, at + 1)) {
    // An element's whole text or an attribute's whole value.
    const std::size_t before = at == 0 ? std::string::npos : told.find_last_not_of(blanks, at - 1);
    const std::size_t after = told.find_first_not_of(blanks, at + name.size());
    if (before == std::string::npos || after == std::string::npos) continue;
    const char open = told[before], close = told[after];
    if ((open == '>' && close == '<') || ((open == '"' || open == '\'') && close == open)) return true;
  }
  return false;
}

bool sets_in_properties(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    if (line.empty() || line.find_first_of(" \t\f=:") == 0) return true;
  }
  return false;
}

std::optional<SettingInFile> own_setting_in_files(const std::vector<std::string>& command,
                                                  const std::vector<std::string>& keys,
                                                  const fs::path& folder) {
  using Sets = bool (*)(std::string_view text, std::string_view name);
  std::vector<std::pair<std::string, Sets>> files;
  for (const CommandOption& option : generic_options(command)) {
    if (const auto path = local_path(option.value); path && option.name == "conf")
      files.emplace_back(*path, sets_in_site);
  }
  if (program_of(command) == "spark-submit") {
    for (const CommandOption& option : spark_words(command).options) {
      if (option.name == "--properties-file") files.emplace_back(option.value, sets_in_properties);
    }
  }
  for (std::size_t i = 1; i + 1 < command.size() && is_script_program(program_of(command)); ++i) {
    if (command[i] != "-f" && command[i] != "-file" && command[i] != "-i") continue;
    if (const auto path = local_path(command[i + 1])) files.emplace_back(*path, sets_in_script);
  }
  for (const auto& [file, sets] : files) {
    const std::optional<std::string> text = text_of_settings(folder / file);
    if (!text) continue;
    for (const std::string& key : keys) {
      for (const std::string_view name : {std::string_view(key), deprecated_name(key)}) {
        if (!name.empty() && sets(*text, name)) return SettingInFile{file, std::string(name)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace wavewright
