// First in, first out: Hadoop's first scheduler. Jobs run in order of arrival, which for a job with
// `after` is when its last predecessor has ended; ties by order in the file.
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

[[nodiscard]] std::unique_ptr<Allocator> make_fifo();
[[nodiscard]] PolicyEntry fifo_entry();

}  // namespace wavewright
