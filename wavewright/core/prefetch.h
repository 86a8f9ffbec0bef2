// Loads memory into the cache before it is needed.
#pragma once

#include <cstddef>

namespace wavewright {

inline constexpr std::size_t cache_line = 64;

// Prefetches the cache lines of `bytes` bytes from `from` on. Affects speed only.
inline void prefetch(const void* from, std::size_t bytes) {
  const char* const first = static_cast<const char*>(from);
  for (std::size_t offset = 0; offset < bytes; offset += cache_line) __builtin_prefetch(first + offset);
}

}  // namespace wavewright
