#include <fmt/ranges.h>

#include "apps/completion/completion.h"

namespace wavewright::app {

namespace {

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// Flags of `complete` for an option's value or a positional argument.
std::string value_of(const OptionEntry& option) {
  switch (option.kind) {
    case ValueKind::words:
      return " -x -a " + fish_quoted(fmt::format("{}", fmt::join(option.words, " ")));
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::other:
      return " -x";
    case ValueKind::none:
      break;
  }
  return "";
}

std::string option_line(const OptionEntry& option, const std::string& condition) {
  std::string line = "complete -c wavewright" + condition;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return line + value_of(option) + " -d " + fish_quoted(short_description(option.description)) + "\n";
}

std::string lines_of(const CommandEntry& command) {
  const bool is_root = command.path.empty();
  const std::string here = " -n " + fish_quoted("__wavewright_at " + command.joined(" "));
  std::string lines;
  for (const CommandEntry& below : command.commands) {
    lines += fmt::format("complete -c wavewright{} -f -a {} -d {}\n", here, below.path.back(),
                         fish_quoted(short_description(below.description)));
  }
  if (!command.positionals.empty()) {
    const OptionEntry& argument = command.positionals.front();
    if (argument.kind == ValueKind::file) lines += "complete -c wavewright" + here + " -F\n";
    if (argument.kind == ValueKind::words)
      lines += fmt::format("complete -c wavewright{}{}\n", here, value_of(argument));
  }
  for (const OptionEntry& option : command.options) lines += option_line(option, is_root ? "" : here);
  return lines;
}

// A word is a command only below its parent command, and not as an option's value.
constexpr const char* head =
    R"fish(# Completion of wavewright in fish, written by `wavewright completion fish`.

function __wavewright_at
    set -l path
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word $__wavewright_valued
            set skip 1
        else if contains -- (string join ' ' $path $word) $__wavewright_commands
            set path $path $word
        end
    end
    test "$path" = "$argv"
end

complete -c wavewright -f
)fish";

}  // namespace

std::string fish_completion(const CommandEntry& root) {
  std::vector<std::string> commands;
  std::vector<std::string> valued;
  std::string lines;
  for (const CommandEntry* command : all_commands(root)) {
    if (!command->path.empty()) commands.push_back(fish_quoted(command->joined(" ")));
    for (const OptionEntry& option : command->options) {
      if (option.kind == ValueKind::none) continue;
      for (const std::string& name : option.names) {
        if (std::find(valued.begin(), valued.end(), name) == valued.end()) valued.push_back(name);
      }
    }
    lines += lines_of(*command);
  }
  return fmt::format("{}set -g __wavewright_commands {}\nset -g __wavewright_valued {}\n{}", head,
                     fmt::join(commands, " "), fmt::join(valued, " "), lines);
}

}  // namespace wavewright::app
