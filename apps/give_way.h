// Who gets a processor first in a daemon: the driver of its batch (wavewright/core/thread_precedence.h), then
// the requests of its API, then long work: forecasts, and plans that are tried.
#pragma once

#include <future>

#include "wavewright/core/thread_precedence.h"

namespace wavewright::app {

// So much higher is the nice value of a thread that gives way.
inline constexpr int requests_give_way = 5, long_work_gives_way = 10;

// The calling thread gives way from now on, and so do those that it starts. It cannot be undone.
inline void give_way(int by = long_work_gives_way) {
  (void)set_nice_value(nice_value() + by);
}

// Does the work in a thread that gives way, and waits for it. Throws what the work throws.
template <class Work>
auto giving_way(const Work& work) {
  return std::async(std::launch::async,
                    [&work] {
                      give_way();
                      return work();
                    })
      .get();
}

}  // namespace wavewright::app
