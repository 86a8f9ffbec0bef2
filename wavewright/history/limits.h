// Numbers that no history of a job exceeds: above them it is damaged.
#pragma once

#include <cstdint>

#include "wavewright/core/quantity.h"

namespace wavewright {

inline constexpr Count most_tasks_of_a_run = 100'000'000;  // maps, or reduces
inline constexpr std::int64_t most_bytes_of_a_run = std::int64_t{1}
                                                    << 60;  // read, or written, by all its tasks

}  // namespace wavewright
