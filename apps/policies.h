// The command's policies: the library's, and those of given shared objects.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "wavewright/sched/registry.h"

namespace wavewright::app {

// Add policies here that use predict/ or plan/.
[[nodiscard]] PolicyRegistry command_policies();

// `policy: fifo plan(FILE) …`
[[nodiscard]] std::string policy_help();

class PolicyLibraries {
 public:
  void declare(CLI::App& command);
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  // Loads them. Throws as load_policies does.
  [[nodiscard]] PolicyRegistry registry() const;

 private:
  std::vector<std::string> files_;
};

}  // namespace wavewright::app
