#include "tests/paths.h"

namespace wavewright::testing {

std::string source_dir() {
  return WAVEWRIGHT_SOURCE_DIR;
}

std::string command_path() {
  return WAVEWRIGHT_COMMAND;
}

}  // namespace wavewright::testing
