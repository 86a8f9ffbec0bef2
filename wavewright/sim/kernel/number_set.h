// A set of small numbers, such as idle slots, lowest first: a bitmap with a summary above each level.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace wavewright::sim {

class NumberSet {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // All numbers below `slots`, or none.
  explicit NumberSet(std::uint32_t slots, bool all = true) {
    std::size_t size = slots;
    do {
      const std::size_t words = (size + 63) / 64;
      std::vector<std::uint64_t> level(words == 0 ? 1 : words, 0);
      for (std::size_t i = 0; all && i < size; ++i) level[i / 64] |= std::uint64_t{1} << (i % 64);
      levels_.push_back(std::move(level));
      size = words;
    } while (size > 1);
    count_ = all ? slots : 0;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t count() const { return count_; }

  // The set must not be empty. O(log64 slots).
  [[nodiscard]] std::uint32_t lowest() const {
    std::size_t word = 0;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      word = word * 64 + static_cast<std::size_t>(std::countr_zero(levels_[level][word]));
    }
    return static_cast<std::uint32_t>(word);
  }

  // The lowest number not below `from`; `none` if there is none. O(log64 slots).
  [[nodiscard]] std::uint32_t next(std::uint32_t from) const {
    std::size_t at = from;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      if (at / 64 >= levels_[level].size()) return none;
      const std::uint64_t bits = levels_[level][at / 64] & (~std::uint64_t{0} << (at % 64));
      if (bits != 0) {
        std::size_t found = at / 64 * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        while (level-- > 0) {
          found = found * 64 + static_cast<std::size_t>(std::countr_zero(levels_[level][found]));
        }
        return static_cast<std::uint32_t>(found);
      }
      at = at / 64 + 1;
    }
    return none;
  }

  [[nodiscard]] bool contains(std::uint32_t slot) const {
    return (levels_[0][slot / 64] >> (slot % 64) & 1) != 0;
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
  std::vector<std::vector<std::uint64_t>>
      levels_;  // [0]: one bit per slot; above: one bit per word of the level below
  std::uint32_t count_ = 0;
};

}  // namespace wavewright::sim
