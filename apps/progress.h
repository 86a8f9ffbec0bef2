// One line on a terminal that says how far long work has come; nothing anywhere else.
#pragma once

#include <chrono>
#include <string>

#include "apps/context.h"

namespace wavewright::app {

// Writes to standard error, only where that is a terminal, without -q and with a TERM that can move the
// cursor; at most ten times a second. The line is gone when the object is.
class Progress {
 public:
  explicit Progress(const Context& context);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;

  void show(const std::string& text);

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace wavewright::app
