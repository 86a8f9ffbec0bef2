// Available times of memory that containers of several sizes share: the vector of [UNL §5.2.1] with a MiB for
// a slot. Memory that becomes available together is one step.
//
// A container takes the memory that is available first. So a vector stays above another, entry by entry, if
// the first k entries of each are replaced by something later, and what replaces those of the upper one is
// not below what replaces those of the lower one.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "wavewright/core/quantity.h"

namespace wavewright {

class MemoryTimes {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  struct Step {
    std::int64_t at = 0;  // ms
    Count memory = 0;     // MiB

    friend bool operator==(const Step&, const Step&) = default;
  };

  // In any order; steps of no memory are left out.
  explicit MemoryTimes(std::vector<Step> steps = {});

  // Somebody takes `memory` MiB, what is available first, and keeps it. Returns since when it is all there,
  // not before `from`; `never` if there is less, and nothing changes. O(steps).
  std::int64_t take(Count memory, std::int64_t from);
  void put(std::int64_t at, Count memory);  // it is available again. O(steps)
  // Places equal containers one after another, each as soon as its memory is there, not before `from`.
  // Returns the end of the last one: `from` without containers, `never` if there is less memory, and nothing
  // changes. O(steps · (rounds + 1)).
  std::int64_t place(Count containers, Count memory, std::int64_t length, std::int64_t from);

  // True if the i-th MiB is nowhere available before the other's i-th. Both have as much. O(steps of both).
  [[nodiscard]] bool dominates(const MemoryTimes& other) const;

  [[nodiscard]] Count memory() const { return memory_; }
  // The latest of all entries that were taken; 0 without any.
  [[nodiscard]] std::int64_t latest_taken() const { return latest_taken_; }
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }  // by time

 private:
  // Since when so much is there; its end in steps_.
  [[nodiscard]] std::int64_t there_from(Count memory) const;
  void drop_first(Count memory);

  Count memory_ = 0;
  std::int64_t latest_taken_ = 0;
  std::vector<Step> steps_;
};

}  // namespace wavewright
