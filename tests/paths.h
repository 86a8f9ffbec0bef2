// Where the repository and the built command are. Only paths.cpp is compiled with these paths, so that the
// compiler cache serves every clone.
#pragma once

#include <string>

namespace wavewright {

[[nodiscard]] std::string source_dir();
[[nodiscard]] std::string command_path();

}  // namespace wavewright
