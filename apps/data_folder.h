// Folder of the data files that belong to the command, such as the papers' numbers of `reproduce`.
#pragma once

#include <filesystem>

namespace wavewright::app {

// $WAVEWRIGHT_DATA; else the installed one, found from where the command lies, so that an installation may be
// moved; else the one of the build folder, which points to the sources.
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace wavewright::app
