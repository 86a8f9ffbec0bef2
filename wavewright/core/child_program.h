// Runs another program to its end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wavewright/core/interrupted.h"

namespace wavewright {

struct ProgramEnd {
  int status = 0;          // exit status; 128 and the number of the signal that ended it
  std::string complaints;  // the last 64 KiB of its standard error

  [[nodiscard]] bool good() const { return status == 0; }
};

// Runs a program and its arguments, without a shell and without input. Standard output goes to the file
// `output`; empty = nowhere. Throws ExternalError if it cannot be started or `output` not be written;
// Interrupted, after the program was told to end.
[[nodiscard]] ProgramEnd run_program(const std::vector<std::string>& command,
                                     const std::filesystem::path& output, InterruptFlag interrupted);

}  // namespace wavewright
