// NDASA, the naive deadline-aware scheduler [CLOUD Alg. 1]: jobs are moldable. A job begins when it arrives
// and holds at most the m map and r reduce slots that it needs; idle slots first, machines for the rest. Jobs
// are served by arrival.
//
// Readings [errata]: Alg. 1 launches a task on every idle slot and rents Number_maptasks / slots of a
// machine; here a job never holds more than m slots, and ⌈(m − held) / slots of a machine⌉ machines are
// rented.
#pragma once

#include "wavewright/cloud/deadline/deadline_policy.h"

namespace wavewright {

[[nodiscard]] std::unique_ptr<Allocator> make_ndasa(const DeadlineOptions& options);

}  // namespace wavewright
