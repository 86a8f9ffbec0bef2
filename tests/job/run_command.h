// Runs the command under test and takes what it says.
#pragma once

#include <sys/wait.h>
#include "tests/paths.h"

#include <array>
#include <cstdio>
#include <string>

namespace wavewright {

struct CommandResult {
  int status = -1;
  std::string out;  // standard output, or both streams where the arguments end in `2>&1`
};

inline CommandResult run_command(const std::string& arguments) {
  CommandResult result;
  FILE* const pipe = ::popen((wavewright::command_path() + " " + arguments).c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> chunk{};
  for (std::size_t got = 0; (got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    result.out.append(chunk.data(), got);
  }
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace wavewright
