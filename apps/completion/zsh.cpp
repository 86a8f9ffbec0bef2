#include <fmt/ranges.h>

#include "apps/completion/completion.h"

namespace wavewright::app {

namespace {

// Escapes brackets and colons for _arguments, and quotes for the shell.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action_of(const OptionEntry& option) {
  switch (option.kind) {
    case ValueKind::words:
      return fmt::format("({})", fmt::join(option.words, " "));
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::other:
    case ValueKind::none:
      break;
  }
  return " ";
}

// One line of _arguments per name: `'--out=[write the plan]:FILE:_files'`.
std::string lines_of(const OptionEntry& option) {
  std::string lines;
  for (const std::string& name : option.names) {
    std::string value;
    for (int i = 0; option.kind != ValueKind::none && i < (option.values == 2 ? 2 : 1); ++i)
      value += fmt::format(":{}:{}", escaped(option.type), action_of(option));
    const char* const joint = value.empty() ? "" : name.starts_with("--") ? "=" : "+";
    lines += fmt::format("    '*{}{}[{}]{}'\n", name, joint, escaped(short_description(option.description)),
                         value);
  }
  return lines;
}

std::string function_name(const CommandEntry& command) {
  return command.path.empty() ? "_wavewright" : "_wavewright_" + command.joined("_");
}

std::string zsh_options_of(const CommandEntry& command) {
  std::string lines;
  for (const OptionEntry& option : command.options) lines += lines_of(option);
  return lines;
}

// A command's last positional argument stands for all further ones.
std::string arguments_of(const CommandEntry& command) {
  if (command.positionals.empty()) return "";
  const OptionEntry& last = command.positionals.back();
  return fmt::format("    '*:{}:{}'\n", escaped(last.names.front()), action_of(last));
}

// `words` loses the command's name before that command's function reads it.
std::string choice_of_command(const CommandEntry& command) {
  std::string names;
  std::string calls;
  for (const CommandEntry& below : command.commands) {
    names += fmt::format("      '{}:{}'\n", below.path.back(), escaped(short_description(below.description)));
    calls += fmt::format("        {}) {} ;;\n", below.path.back(), function_name(below));
  }
  return fmt::format(
      "  case $state in\n    command) local -a commands=(\n{}      )\n      _describe command commands ;;\n"
      "    argument)\n      case $line[1] in\n{}      esac ;;\n  esac\n",
      names, calls);
}

std::string function_of(const CommandEntry& command) {
  const bool chooses = !command.commands.empty();
  return fmt::format(
      "{}() {{\n  local curcontext=$curcontext context state state_descr line\n  typeset -A opt_args\n"
      "  local -a options=($_wavewright_global\n{}{}  )\n"
      "  _arguments -C -s $options\n{}}}\n\n",
      function_name(command), command.path.empty() ? "" : zsh_options_of(command),
      chooses ? "    '1:command:->command'\n    '*::argument:->argument'\n" : arguments_of(command),
      chooses ? choice_of_command(command) : "");
}

}  // namespace

std::string zsh_completion(const CommandEntry& root) {
  std::string text =
      "#compdef wavewright\n# Completion of wavewright in zsh, written by `wavewright completion zsh`.\n\n"
      "typeset -ga _wavewright_global=(\n" +
      zsh_options_of(root) + ")\n\n";
  for (const CommandEntry* command : all_commands(root)) text += function_of(*command);
  // Called by name from the folder of completions, or sourced as a file.
  return text +
         "if [ \"$funcstack[1]\" = _wavewright ]; then _wavewright \"$@\"; else compdef _wavewright "
         "wavewright; fi\n";
}

}  // namespace wavewright::app
