// The idle slots of a pool, lowest first: a bitmap with a summary above each level.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace wavewright::sim {

class IdleSet {
 public:
  // All of `slots` slots idle.
  explicit IdleSet(std::uint32_t slots) {
    std::size_t size = slots;
    do {
      const std::size_t words = (size + 63) / 64;
      std::vector<std::uint64_t> level(words == 0 ? 1 : words, 0);
      for (std::size_t i = 0; i < size; ++i) level[i / 64] |= std::uint64_t{1} << (i % 64);
      levels_.push_back(std::move(level));
      size = words;
    } while (size > 1);
    count_ = slots;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t count() const { return count_; }

  // Not empty. O(log64 slots).
  [[nodiscard]] std::uint32_t lowest() const {
    std::size_t word = 0;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      word = word * 64 + static_cast<std::size_t>(std::countr_zero(levels_[level][word]));
    }
    return static_cast<std::uint32_t>(word);
  }

  void insert(std::uint32_t slot) {
    ++count_;
    std::size_t at = slot;
    for (auto& level : levels_) {
      std::uint64_t& word = level[at / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (at % 64);
      if (!was_empty) return;
      at /= 64;
    }
  }

  void erase(std::uint32_t slot) {
    --count_;
    std::size_t at = slot;
    for (auto& level : levels_) {
      std::uint64_t& word = level[at / 64];
      word &= ~(std::uint64_t{1} << (at % 64));
      if (word != 0) return;
      at /= 64;
    }
  }

 private:
  std::vector<std::vector<std::uint64_t>> levels_;  // [0] one bit a slot, above it one bit a word below
  std::uint32_t count_ = 0;
};

}  // namespace wavewright::sim
