// Says where a value comes from that an error names by its flag.
#pragma once

#include <string>

#include <CLI/App.hpp>

namespace wavewright::app {

// Marks an option whose value came from a setting, at this place: a variable, or a file and its line.
void note_place(CLI::Option* option, const std::string& place);

// An error's line, with the places of those marked options of the chosen command of which it tells, by the
// flag, by the value or as map or reduce slots: `…may use no map slot; --map-slots comes from
// WAVEWRIGHT_MAP_SLOTS`.
[[nodiscard]] std::string with_places(std::string line, const CLI::App& root);

}  // namespace wavewright::app
