// How much a history tells of its job, to choose among several copies of it.
#pragma once

#include <compare>
#include <cstdint>

#include "wavewright/history/run.h"

namespace wavewright {

struct Fullness {
  // What is known: fields of the job, settings, counters, masters; of each task and attempt that ended, its
  // instants, volumes and places. Attempts with impossible instants (history/sanity_checks.h) tell nothing.
  std::int64_t facts = 0;
  // What is wrong: data-quality warnings, and characters that stand for bytes that were no text.
  std::int64_t faults = 0;

  friend bool operator==(const Fullness&, const Fullness&) = default;
  // More facts are fuller; of equal facts, fewer faults.
  friend std::strong_ordering operator<=>(const Fullness& a, const Fullness& b) {
    return a.facts != b.facts ? a.facts <=> b.facts : b.faults <=> a.faults;
  }
};

// Equal for a run and for what the store gives back of it. O(attempts).
[[nodiscard]] Fullness fullness_of(const JobRun& run);

}  // namespace wavewright
