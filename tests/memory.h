// The memory that a test's process has taken.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace wavewright {

inline std::int64_t peak_kb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// AddressSanitizer keeps up to 256 MiB of freed memory, to find uses of it.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr std::int64_t kept_kb = std::int64_t{256} << 10;
#else
inline constexpr std::int64_t kept_kb = 0;
#endif

}  // namespace wavewright
