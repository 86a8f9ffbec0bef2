// Self-contained completion scripts for shells: commands, options, and an option's words, files or folders.
#pragma once

#include <string>

#include "apps/completion/command_tree.h"

namespace wavewright::app {

[[nodiscard]] std::string bash_completion(const CommandEntry& root);
[[nodiscard]] std::string zsh_completion(const CommandEntry& root);
[[nodiscard]] std::string fish_completion(const CommandEntry& root);

}  // namespace wavewright::app
