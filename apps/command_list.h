// The commands of the command line.
#pragma once

#include <span>
#include <string_view>

#include <CLI/App.hpp>

#include "apps/context.h"

namespace wavewright::app {

// Declares the commands that a line of these words may mean, in the order of the help: those of which a word
// is the name; all if there is none, or if a word asks for help or for a description of all. To declare all
// takes 2 ms, as long as a small command.
void add_commands(CLI::App& root, Context& context, std::span<const std::string_view> words);

}  // namespace wavewright::app
