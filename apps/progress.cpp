#include "apps/progress.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace wavewright::app {

namespace {

bool can_animate() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb" &&
         std::getenv("NO_COLOR") == nullptr;
}

}  // namespace

Progress::Progress(const Context& context) : enabled_(context.verbosity >= 0 && can_animate()) {}

Progress::~Progress() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
}

void Progress::show(const std::string& text) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  std::cerr << '\r' << text << "\x1b[K" << std::flush;
}

}  // namespace wavewright::app
