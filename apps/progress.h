// A progress line on a terminal; nothing elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "apps/context.h"

namespace wavewright::app {

// Writes to standard error, at most ten times a second, if that is a terminal, without -q, and TERM can move
// the cursor. The line is removed with the object.
class Progress {
 public:
  explicit Progress(const Context& context);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;

  void show(const std::string& text);
  // False if show() does nothing: then its text need not be made.
  [[nodiscard]] bool enabled() const { return enabled_; }

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace wavewright::app
