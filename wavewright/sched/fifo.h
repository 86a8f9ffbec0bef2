// First in, first out: Hadoop's first scheduler. Jobs in order of submission, then of the file.
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

[[nodiscard]] std::unique_ptr<Allocator> make_fifo();
[[nodiscard]] PolicyEntry fifo_entry();

}  // namespace wavewright
