// All processors that the container was given.
#pragma once

#include <functional>

namespace adaptive {

// Processors of the affinity mask, as far as the control group's quota (cpu.max) goes; at least 1.
[[nodiscard]] int given_processors();

// Calls `part(from, to)` for equal parts of [0, count), each in a thread; returns when all are done.
void share_out(int threads, int count, const std::function<void(int, int)>& part);

}  // namespace adaptive
