#include "apps/completion/command_tree.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "apps/choices.h"

namespace wavewright::app {

namespace {

ValueKind kind_of(const CLI::Option& option, const OptionEntry& entry) {
  if (entry.type.empty()) return ValueKind::none;
  if (!entry.words.empty()) return ValueKind::words;
  if (entry.type.find("DIR") != std::string::npos) return ValueKind::folder;
  if (entry.type.find("FILE") != std::string::npos || entry.type == "PATH") return ValueKind::file;
  // CLI11 uses TEXT if the definition names no type; all such positional arguments are files.
  if (option.get_positional() && entry.type == "TEXT") return ValueKind::file;
  return ValueKind::other;
}

// CLI11 sorts them by address, which changes from run to run.
std::string listed(const char* what, const std::set<CLI::Option*>& options) {
  if (options.empty()) return "";
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::sort(names.begin(), names.end());
  return fmt::format("{} {}.", what, fmt::join(names, ", "));
}

std::string rules_of(const CLI::Option& option) {
  std::vector<std::string> rules{
      option.get_required() ? "Required." : "",
      option.get_default_str().empty() ? "" : "Default: " + option.get_default_str() + ".",
      listed("Needs", option.get_needs()), listed("Not with", option.get_excludes())};
  std::erase(rules, "");
  return fmt::format("{}", fmt::join(rules, " "));
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (option.get_positional()) entry.names = {option.get_name(true)};
  entry.values = option.get_items_expected_max();
  if (entry.values > 0) entry.type = option.get_type_name();
  entry.description = option.get_description();
  entry.group = option.get_group();
  entry.rules = rules_of(option);
  entry.words = offered(option);
  entry.kind = kind_of(option, entry);
  entry.required = option.get_required();
  return entry;
}

CommandEntry entry_of(const CLI::App& app, const std::vector<std::string>& path) {
  CommandEntry entry{path, app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? entry.positionals : entry.options).push_back(entry_of(*option));
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_group().empty()) continue;
    std::vector<std::string> below = path;
    below.push_back(sub->get_name());
    entry.commands.push_back(entry_of(*sub, below));
  }
  return entry;
}

void append(const CommandEntry& entry, std::vector<const CommandEntry*>& all) {
  all.push_back(&entry);
  for (const CommandEntry& below : entry.commands) append(below, all);
}

}  // namespace

std::string CommandEntry::joined(const char* separator) const {
  return fmt::format("{}", fmt::join(path, separator));
}

CommandEntry command_tree(const CLI::App& root) {
  return entry_of(root, {});
}

std::vector<const CommandEntry*> all_commands(const CommandEntry& root) {
  std::vector<const CommandEntry*> all;
  append(root, all);
  return all;
}

std::string short_description(const std::string& description) {
  std::string line = description.substr(0, description.find_first_of("\n;"));
  while (line.ends_with(':') || line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace wavewright::app
