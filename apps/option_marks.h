// Marks on options of the command line. CLI11 lets an option carry nothing but validators, so a mark is the
// name of a validator that accepts everything and adds nothing to the help.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <CLI/App.hpp>

namespace wavewright::app {

CLI::Option* add_mark(CLI::Option* option, const std::string& mark);

// The rest of the option's first mark that begins with `start`; nothing if it has no such mark.
[[nodiscard]] std::optional<std::string> after_mark(const CLI::Option& option, std::string_view start);

}  // namespace wavewright::app
