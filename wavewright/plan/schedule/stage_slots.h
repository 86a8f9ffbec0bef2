// The slots of a stage while an evaluator assigns tasks: the instants when they become free. Slots are
// interchangeable, so only the earliest matter. Both classes give the same schedule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "wavewright/sim/kernel/slot_queue.h"

namespace wavewright {

// Groups of slots that become free at one instant. Fast if many tasks have equal lengths: one step a wave.
class WaveSlots {
 public:
  explicit WaveSlots(std::uint32_t slots = 0) { reset(slots); }
  void reset(std::uint32_t slots) {
    free_.assign(1, {0, slots});
    head_ = 0;
  }
  // The instants of others. Allocates only where it never held as many.
  void take(const WaveSlots& others) {
    free_.assign(others.free_.begin() + static_cast<std::ptrdiff_t>(others.head_), others.free_.end());
    head_ = 0;
  }
  [[nodiscard]] std::int64_t first() const { return free_[head_].at; }
  // Assigns up to `most` tasks that end at `end` to the slots that are free first; returns their number. O(1)
  // if ends come in order, otherwise O(instants).
  std::uint32_t give(std::uint32_t most, std::int64_t end) {
    Wave& wave = free_[head_];
    const std::uint32_t count = std::min(most, wave.count);
    wave.count -= count;
    if (wave.count == 0) ++head_;
    std::size_t at = free_.size();
    while (at > head_ && free_[at - 1].at > end) --at;
    if (at > head_ && free_[at - 1].at == end) {
      free_[at - 1].count += count;
    } else if (at == head_ && head_ > 0) {
      free_[--head_] = {end, count};
    } else {
      free_.insert(free_.begin() + static_cast<std::ptrdiff_t>(at), {end, count});
    }
    if (head_ > most_gone && 2 * head_ > free_.size()) {
      free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
    return count;
  }

 private:
  struct Wave {
    std::int64_t at = 0;
    std::uint32_t count = 0;
  };
  static constexpr std::size_t most_gone = 16;

  std::vector<Wave> free_;  // by instant, from head_ on
  std::size_t head_ = 0;
};

// Single slots: one step a task.
class SlotTree {
 public:
  explicit SlotTree(std::uint32_t slots) : slots_(slots), fresh_(slots), queue_(slots) {
    for (std::uint32_t slot = 0; slot < slots; ++slot) fresh_.set(slot, 0);
    reset();
  }
  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  void reset() { queue_ = fresh_; }
  void take(const SlotTree& others) { queue_ = others.queue_; }  // of as many slots; allocates nothing
  [[nodiscard]] std::int64_t first() const { return static_cast<std::int64_t>(queue_.first_instant()); }
  std::uint32_t give(std::uint32_t, std::int64_t end) {  // assigns one task; O(log slots)
    queue_.set(queue_.first_slot(), static_cast<std::uint64_t>(end));
    return 1;
  }

 private:
  std::uint32_t slots_;
  sim::SlotQueue<std::uint64_t> fresh_, queue_;
};

}  // namespace wavewright
