// Commands and options as plain values, read from the definitions that --help shows. Man pages and shell
// completion are generated from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace wavewright::app {

enum class ValueKind : std::uint8_t { none, words, file, folder, other };

struct OptionEntry {
  std::vector<std::string> names;  // `-o`, `--output`; a positional argument has one name
  std::string type;                // FILE, N, …; empty = a switch
  std::string description;
  std::string group;  // heading in the help
  std::string rules;  // what it needs and excludes, and its default
  ValueKind kind = ValueKind::none;
  std::vector<std::string> words;  // for kind `words`
  bool required = false;
  int values = 0;  // most values; expected_max_vector_size = any number
};

struct CommandEntry {
  std::vector<std::string> path;  // {"workload", "gen"}; empty = the root command
  std::string description;
  std::string footer;  // examples
  std::vector<OptionEntry> options, positionals;
  std::vector<CommandEntry> commands;

  [[nodiscard]] std::string joined(const char* separator) const;  // "workload gen"
};

// Leaves out hidden commands and options.
[[nodiscard]] CommandEntry command_tree(const CLI::App& root);

// The tree as a list; a command precedes its subcommands.
[[nodiscard]] std::vector<const CommandEntry*> all_commands(const CommandEntry& root);

// The part up to the first line end, colon or semicolon.
[[nodiscard]] std::string short_description(const std::string& description);

}  // namespace wavewright::app
