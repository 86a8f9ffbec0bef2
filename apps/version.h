// Version of the command, and the sources and compiler of its build.
#pragma once

#include <string>

namespace wavewright::app {

struct Version {
  std::string number;      // 0.1.0
  std::string commit;      // 40 hexadecimal digits, or "unknown"
  bool changed = false;    // the sources differed from that commit
  std::string build_type;  // Release, Debug, …
  std::string compiler;    // GCC 12.2.0
};

[[nodiscard]] Version version();

// One line: `wavewright 0.1.0 (commit 1b82d6e2c417, changed; Release, GCC 12.2.0)`.
[[nodiscard]] std::string version_line();

}  // namespace wavewright::app
