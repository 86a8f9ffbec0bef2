// What ends a wait at Ctrl-C.
#pragma once

#include <atomic>
#include <exception>

namespace wavewright {

// Not an Error: neither the input nor the outside is at fault, so no diagnostic is made of it.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// Set from a signal handler or another thread; null = never. Whoever waits looks at it every 0.1 s.
using InterruptFlag = const std::atomic<bool>*;
inline constexpr int interrupt_poll_ms = 100;

inline void throw_if(InterruptFlag interrupted) {
  if (interrupted != nullptr && *interrupted) throw Interrupted();
}

}  // namespace wavewright
