// Available times of memory that containers of several sizes share: the vector of [UNL §5.2.1] with a MiB for
// a slot. Memory that becomes available together is one step.
//
// A container takes the memory that is available first. So a vector stays above another, entry by entry, if
// the first k entries of each are replaced by something later, and what replaces those of the upper one is
// not below what replaces those of the lower one.
//
// As only the first steps are ever taken, they are in a heap.
#pragma once

#include <cstdint>
#include <limits>
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

  // In any order; steps of no memory are left out. O(steps).
  explicit MemoryTimes(std::vector<Step> steps = {});

  // Somebody takes `memory` MiB, what is available first, and keeps it. Returns since when it is all there,
  // not before `from`; `never` if there is less, and nothing changes. O(steps that are taken · log steps).
  std::int64_t take(Count memory, std::int64_t from);
  void put(std::int64_t at, Count memory);  // it is available again. O(log steps)
  // Places equal containers one after another, each as soon as its memory is there, not before `from`.
  // Returns the end of the last one: `from` without containers, `never` if there is less memory, and nothing
  // changes. `length` is not negative. O((rounds + steps that are taken) · log steps): a round is of those
  // that start together, and adds one step.
  std::int64_t place(Count containers, Count memory, std::int64_t length, std::int64_t from);

  // Each MiB is available the same time or later: at the first time, or a multiple of `unit`, which is
  // positive, behind it. Then there are few steps; of a longer unit, if there were more than 4,096. O(steps).
  void round_up(std::int64_t unit);

  // True if the i-th MiB is nowhere available before the other's i-th. Both have as much. O(steps of both ·
  // log of these).
  [[nodiscard]] bool dominates(const MemoryTimes& other) const;

  [[nodiscard]] Count memory() const { return memory_; }
  [[nodiscard]] std::size_t size() const { return steps_.size(); }  // steps; several may be of one time
  [[nodiscard]] std::int64_t span() const;  // from the first time to the last. O(steps)
  // The latest of all entries that were taken; 0 without any.
  [[nodiscard]] std::int64_t latest_taken() const { return latest_taken_; }
  [[nodiscard]] std::vector<Step> steps() const;  // by time, each time once. O(steps · log steps)

 private:
  void add(Step step);
  // Takes up to `most` MiB of the first step, which is there. Returns how much.
  Count take_of_first(Count most);

  Count memory_ = 0;
  std::int64_t latest_taken_ = 0;
  std::vector<Step> steps_;  // a heap, the earliest in front; several may be of one time
};

}  // namespace wavewright
