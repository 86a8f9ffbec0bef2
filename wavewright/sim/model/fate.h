// Random draws for task attempts: whether one fails, and how slow it is. A draw hashes (seed, job, kind,
// task, attempt, what): it does not depend on the order of events and is the same under every policy.
#pragma once

#include <cstdint>
#include <string_view>

#include "wavewright/core/random.h"
#include "wavewright/sched/policy.h"

namespace wavewright::sim {

// A 64-bit hash of a job's name.
[[nodiscard]] inline std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// Uniform in [0, 1).
[[nodiscard]] inline double drawn(std::uint64_t seed, std::uint64_t job, Kind kind, std::uint32_t task,
                                  std::uint32_t attempt, unsigned what) {
  std::uint64_t state = seed;
  for (const std::uint64_t word :
       {job, (std::uint64_t{task} << 8) | (static_cast<std::uint64_t>(kind) << 4) | what,
        std::uint64_t{attempt}}) {
    state = SplitMix(state + word).bits();
  }
  return SplitMix(state).unit();
}

}  // namespace wavewright::sim
