// Gives options that were left out the value of a setting.
#pragma once

#include <CLI/App.hpp>

#include "apps/settings/settings.h"

namespace wavewright::app {

// Marks the option: where the command line leaves it out, the setting of this name stands in.
CLI::Option* from_setting(CLI::Option* option, const char* name);

// The setting that the option is marked with; empty if none.
[[nodiscard]] std::string setting_of(const CLI::Option& option);

// Marks an option that asks for a pool or brings one (`--deadline`, `--plan`): where it is given, no setting
// of the pool stands in.
CLI::Option* without_pool_settings(CLI::Option* option);

// Marks an option with which the setting `name` has no meaning: where it is given, that setting does not
// stand in.
CLI::Option* without_setting(CLI::Option* option, const char* name);

// Fills the marked options of the chosen command. An option stays empty if one that excludes it was given,
// and a setting of the pool (cluster, slots) does if the command line gives the pool in the other form or
// asks for one. To be called when the command line is parsed and the command has not run.
void fill_from_settings(const CLI::App& chosen, const Settings& settings);

}  // namespace wavewright::app
