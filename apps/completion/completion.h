// Completion scripts for shells, each self-contained: commands, options, and the words, files or folders that
// an option takes.
#pragma once

#include <string>

#include "apps/completion/command_tree.h"

namespace wavewright::app {

[[nodiscard]] std::string bash_completion(const CommandEntry& root);
[[nodiscard]] std::string zsh_completion(const CommandEntry& root);
[[nodiscard]] std::string fish_completion(const CommandEntry& root);

}  // namespace wavewright::app
