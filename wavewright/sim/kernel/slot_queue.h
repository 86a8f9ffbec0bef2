// The event queue of a pool of slots: finds the busy slot that is free first.
//
// A tournament tree with four children per node; its leaves are the slots. Replacing one slot's key is one
// walk to the root, with no allocation and no branch that depends on the data. The siblings' minimum does not
// wait for the key below, so four children make the chain of dependent steps half as long as two would. Keys
// pack (instant, slot), so equal instants come by slot. `Word` has 64 bits, or 128 if they do not fit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace wavewright::sim {

template <class Word>
class SlotQueue {
 public:
  static constexpr Word idle = ~Word{0};

  explicit SlotQueue(std::uint32_t slots)
      : slot_bits_(slot_bits(slots)), slot_mask_((Word{1} << slot_bits_) - 1) {
    while (leaves_ < slots) leaves_ *= 4;
    std::size_t nodes = 0;
    for (std::size_t size = leaves_; size >= 4; size /= 4) nodes += size;
    tree_.assign(nodes, idle);
  }

  [[nodiscard]] static unsigned slot_bits(std::uint32_t slots) {
    return static_cast<unsigned>(std::bit_width(slots == 0 ? 1U : slots));
  }

  // The instant at which the first slot is free; beyond every horizon if no slot is busy.
  [[nodiscard]] std::uint64_t first_instant() const {
    return static_cast<std::uint64_t>(first_ >> slot_bits_);
  }
  [[nodiscard]] std::uint32_t first_slot() const { return static_cast<std::uint32_t>(first_ & slot_mask_); }
  [[nodiscard]] bool empty() const { return first_ == idle; }

  // The slot is busy until `instant`. O(log slots).
  void set(std::uint32_t slot, std::uint64_t instant) { put(slot, (Word{instant} << slot_bits_) | slot); }
  // The slot is idle, or its task has no known end yet (a reduce that waits for its maps).
  void clear(std::uint32_t slot) { put(slot, idle); }

  // Makes all instants earlier by `by`; none may fall below 0. O(slots).
  void move(std::uint64_t by) {
    for (Word& key : tree_) key -= key == idle ? Word{0} : Word{by} << slot_bits_;
    if (first_ != idle) first_ -= Word{by} << slot_bits_;
  }

 private:
  // Inlined because every loop over tasks calls it.
  [[gnu::always_inline]] void put(std::uint32_t slot, Word key) {
    Word* level = tree_.data();
    std::size_t at = slot;
    for (std::size_t size = leaves_; size >= 4; size /= 4) {
      level[at] = key;
      key = std::min(key, std::min(std::min(level[at ^ 1], level[at ^ 2]), level[at ^ 3]));
      at /= 4;
      level += size;
    }
    first_ = key;
  }

  std::size_t leaves_ = 4;
  unsigned slot_bits_;
  Word slot_mask_;
  Word first_ = idle;
  std::vector<Word> tree_;  // leaves first, then the levels above; a node is its children's minimum
};

// The same for a simulation of any length: keys hold instants relative to a base that moves along, so a word
// need only hold the distance between the instants in the queue and the new one.
class RollingSlotQueue {
 public:
  // `spread`: the greatest distance between instants, ms.
  RollingSlotQueue(std::uint32_t slots, std::uint64_t spread) : queue_(slots), window_(window(spread)) {}

  // Bits of a slot and of an instant in a word.
  [[nodiscard]] static unsigned slot_bits(std::uint32_t slots) {
    return SlotQueue<std::uint64_t>::slot_bits(slots);
  }
  [[nodiscard]] static unsigned instant_bits(std::uint64_t spread) {
    return static_cast<unsigned>(std::bit_width(window(spread)));
  }

  [[nodiscard]] std::uint64_t first_instant() const { return base_ + queue_.first_instant(); }
  [[nodiscard]] std::uint32_t first_slot() const { return queue_.first_slot(); }
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  void set(std::uint32_t slot, std::uint64_t instant) {
    if (instant - base_ >= window_) move(instant);  // also if it is before the base
    queue_.set(slot, instant - base_);
  }
  void clear(std::uint32_t slot) { queue_.clear(slot); }

 private:
  // Half of the window lies before the earliest instant when the base moves, for earlier ones set later.
  [[nodiscard]] static std::uint64_t window(std::uint64_t spread) { return 2 * spread + 2; }
  void move(std::uint64_t instant) {
    const std::uint64_t earliest = empty() ? instant : std::min(instant, first_instant());
    const std::uint64_t base = earliest - std::min(earliest, window_ / 2 - 1);
    queue_.move(base - base_);
    base_ = base;
  }

  SlotQueue<std::uint64_t> queue_;
  std::uint64_t window_;
  std::uint64_t base_ = 0;
};

}  // namespace wavewright::sim
