// Memory that this process may still take.
#pragma once

#include <cstdint>

namespace wavewright {

// Bytes: what the machine has available, at most what the control group (v2) and the limit on address space
// leave. Where the machine does not tell, as large as any machine's memory. Reads three small files.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace wavewright
