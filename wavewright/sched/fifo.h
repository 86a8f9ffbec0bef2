// First in, first out: Hadoop's first scheduler. Jobs in order of submission, then of the file.
#pragma once

#include <memory>

#include "wavewright/sched/policy.h"

namespace wavewright {

[[nodiscard]] std::unique_ptr<Allocator> make_fifo();

}  // namespace wavewright
