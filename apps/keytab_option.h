// The option --keytab of commands that ask servers.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace wavewright::app {

// Declares --keytab, which is for `use_keytab` (core/keytab.h).
void declare_keytab(CLI::App& command, std::string& keytab);

}  // namespace wavewright::app
