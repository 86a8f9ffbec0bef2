#include "tests/paths.h"

namespace wavewright {

std::string source_dir() {
  return WAVEWRIGHT_SOURCE_DIR;
}

std::string command_path() {
  return WAVEWRIGHT_COMMAND;
}

}  // namespace wavewright
