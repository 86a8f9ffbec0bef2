// Asks another program a question that it answers within moments.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

struct ProgramAnswer {
  int status = 0;     // exit status; 128 and the number of the signal that ended it
  std::string text;   // the first 64 KiB of its output, standard error among it
  bool late = false;  // it was killed at the limit

  [[nodiscard]] bool good() const { return status == 0 && !late; }
};

// Runs the program without a shell and without input. At the limit it is killed with all that it started.
// Throws ExternalError if it cannot be started.
[[nodiscard]] ProgramAnswer ask_program(const std::vector<std::string>& command, Duration limit);

}  // namespace wavewright
