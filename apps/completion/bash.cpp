#include <fmt/ranges.h>

#include "apps/completion/completion.h"

namespace wavewright::app {

namespace {

// REPLY of the functions of `script` for one kind of value.
std::string reply(const OptionEntry& option) {
  switch (option.kind) {
    case ValueKind::words:
      return fmt::format("words {}", fmt::join(option.words, " "));
    case ValueKind::file:
      return "files";
    case ValueKind::folder:
      return "folders";
    case ValueKind::other:
      return "other";
    case ValueKind::none:
      break;
  }
  return "";
}

std::string with_parts(std::string text, const std::vector<std::pair<std::string, std::string>>& parts) {
  for (const auto& [mark, part] : parts) text.replace(text.find(mark), mark.size(), part);
  return text;
}

std::string quoted(const std::string& text) {
  return "'" + text + "'";  // names and offered words have no quotes
}

std::string commands_of(const CommandEntry& command) {
  std::vector<std::string> names;
  names.reserve(command.commands.size());
  for (const CommandEntry& below : command.commands) names.push_back(below.path.back());
  return fmt::format("    {}) REPLY={} ;;\n", quoted(command.joined(" ")),
                     quoted(fmt::format("{}", fmt::join(names, " "))));
}

std::string options_of(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("    {}) REPLY={} ;;\n", quoted(command.joined(" ")),
                     quoted(fmt::format("{}", fmt::join(names, " "))));
}

// The value of each option and of the positional arguments; the last kind holds for all further arguments.
std::string values_of(const CommandEntry& command) {
  std::string cases;
  for (const OptionEntry& option : command.options) {
    if (option.kind == ValueKind::none) continue;
    std::vector<std::string> patterns;
    patterns.reserve(option.names.size());
    for (const std::string& name : option.names) patterns.push_back(quoted(command.joined(" ") + " " + name));
    cases += fmt::format("    {}) REPLY={} ;;\n", fmt::join(patterns, "|"), quoted(reply(option)));
  }
  if (!command.positionals.empty()) {
    cases += fmt::format("    {}) REPLY={} ;;\n", quoted(command.joined(" ") + " argument"),
                         quoted(reply(command.positionals.front())));
  }
  return cases;
}

constexpr const char* script =
    R"bash(# Completion of wavewright in bash, written by `wavewright completion bash`.

_wavewright_commands() {
  case $1 in
@commands@    *) REPLY= ;;
  esac
}

_wavewright_options() {
  case $1 in
@options@    *) REPLY= ;;
  esac
}

# _wavewright_value COMMAND OPTION: `words …`, files, folders, other; nothing where the option takes no value.
_wavewright_value() {
  case "$1 $2" in
@values@    *) REPLY= ;;
  esac
  [ -n "$REPLY" ] || [ -z "$1" ] || _wavewright_value '' "$2"
}

_wavewright_offer() { # PREFIX CURRENT WORD…
  local prefix=$1 current=$2 word
  shift 2
  for word; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$prefix$word")
  done
}

_wavewright_complete_value() { # PREFIX CURRENT KIND WORD…
  local prefix=$1 current=$2 kind=$3 path
  shift 3
  case $kind in
    words) _wavewright_offer "$prefix" "$current" "$@" ;;
    files | folders)
      compopt -o filenames 2>/dev/null
      local action=-f
      [ "$kind" = files ] || action=-d
      while IFS= read -r path; do COMPREPLY+=("$prefix$path"); done < <(compgen $action -- "$current") ;;
  esac
}

_wavewright() {
  local REPLY command= word option= i current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  # The command so far, and the option whose value comes next.
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [ "$word" = = ]; then continue; fi
    if [ -n "$option" ]; then option=; continue; fi
    if [[ $word == -* ]]; then
      [[ $word == *=* ]] && continue
      _wavewright_value "$command" "$word"
      [ -z "$REPLY" ] || option=$word
      continue
    fi
    _wavewright_commands "$command"
    [[ " $REPLY " != *" $word "* ]] || command=${command:+$command }$word
  done
  [ "$current" != = ] || current=
  if [ -z "$option" ] && [[ $current == --*=* ]]; then  # where = breaks no words
    _wavewright_value "$command" "${current%%=*}"
    _wavewright_complete_value "${current%%=*}=" "${current#*=}" $REPLY
  elif [ -n "$option" ]; then
    _wavewright_value "$command" "$option"
    _wavewright_complete_value '' "$current" $REPLY
  elif [[ $current == -* ]]; then
    _wavewright_options "$command"
    _wavewright_offer '' "$current" $REPLY
    [ -z "$command" ] || { _wavewright_options ''; _wavewright_offer '' "$current" $REPLY; }
  else
    _wavewright_commands "$command"
    if [ -n "$REPLY" ]; then
      _wavewright_offer '' "$current" $REPLY
    else
      _wavewright_value "$command" argument
      _wavewright_complete_value '' "$current" $REPLY
    fi
  fi
}

complete -F _wavewright wavewright
)bash";

}  // namespace

std::string bash_completion(const CommandEntry& root) {
  std::string commands, options, values;
  for (const CommandEntry* command : all_commands(root)) {
    if (!command->commands.empty()) commands += commands_of(*command);
    options += options_of(*command);
    values += values_of(*command);
  }
  return with_parts(script, {{"@commands@", commands}, {"@options@", options}, {"@values@", values}});
}

}  // namespace wavewright::app
