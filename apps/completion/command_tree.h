// Commands and their options as plain values, read from the definitions that --help shows. Man pages and the
// shells' completion are written from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace wavewright::app {

enum class ValueKind : std::uint8_t { none, words, file, folder, other };

struct OptionEntry {
  std::vector<std::string> names;  // `-o`, `--output`; the one name of a positional argument
  std::string type;                // FILE, N, …; empty = a switch
  std::string description;
  std::string group;  // heading in the help
  std::string rules;  // what it needs, excludes, and its default
  ValueKind kind = ValueKind::none;
  std::vector<std::string> words;  // of kind `words`
  bool required = false;
  int values = 0;  // at most; many = expected_max_vector_size
};

struct CommandEntry {
  std::vector<std::string> path;  // {"workload", "gen"}; empty = the command itself
  std::string description;
  std::string footer;  // its examples
  std::vector<OptionEntry> options, positionals;
  std::vector<CommandEntry> commands;

  [[nodiscard]] std::string joined(const char* separator) const;  // "workload gen"
};

// Hidden commands and options are left out.
[[nodiscard]] CommandEntry command_tree(const CLI::App& root);

// The tree as a list, a command before those below it.
[[nodiscard]] std::vector<const CommandEntry*> all_commands(const CommandEntry& root);

// Its part up to the first line's end, colon or semicolon.
[[nodiscard]] std::string short_description(const std::string& description);

}  // namespace wavewright::app
