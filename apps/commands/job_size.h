// Flags for a job's size, shared by `predict` and `slots`.
#pragma once

#include <string>

#include "apps/context.h"
#include "wavewright/predict/scaling.h"

namespace wavewright::app {

struct JobSizeFlags {
  std::string input_bytes;
  std::string maps;
  std::string reduces;

  void declare(CLI::App& command);
  [[nodiscard]] bool given() const { return !(input_bytes + maps + reduces).empty(); }
  // Throws UsageError.
  [[nodiscard]] RunSize size() const;
};

// A whole number of at least `least`. Throws UsageError with the flag otherwise.
[[nodiscard]] Count parse_count(const std::string& text, const std::string& flag, Count least);

}  // namespace wavewright::app
