// The folder of the command's data files, such as the papers' numbers of `reproduce`.
#pragma once

#include <filesystem>

namespace wavewright::app {

// $WAVEWRIGHT_DATA; else the installed folder, relative to the command, so that an installation can be moved;
// else the one of the build folder, which refers to the sources.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace wavewright::app
