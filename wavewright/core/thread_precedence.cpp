#include "wavewright/core/thread_precedence.h"

#include <sys/resource.h>

namespace wavewright {

int nice_value() {
  return ::getpriority(PRIO_PROCESS, 0);  // on Linux, of the thread
}

bool set_nice_value(int value) {
  return ::setpriority(PRIO_PROCESS, 0, value) == 0;
}

void ThreadPrecedence::take() {
  if (taken_ || refused_) return;
  taken_ = set_nice_value(otherwise_ - lowers_by);
  refused_ = !taken_;
}

void ThreadPrecedence::give_back() {
  if (!taken_) return;
  taken_ = !set_nice_value(otherwise_);
}

}  // namespace wavewright
