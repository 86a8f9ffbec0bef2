// A set of small numbers, such as idle slots, lowest first: a bitmap with a summary above each level.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
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

  // One bit for each number.
  [[nodiscard]] std::span<const std::uint64_t> bits() const { return levels_[0]; }

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

  // The lowest number from `from` on, before `end`, that is also in `other`, with one bit for each number;
  // `none` if there is none. O(numbers between / 64), and less the more are in both.
  [[nodiscard]] std::uint32_t next_in_both(std::span<const std::uint64_t> other, std::uint32_t from,
                                           std::uint32_t end) const {
    const std::vector<std::uint64_t>& mine = levels_[0];
    std::uint64_t mask = ~std::uint64_t{0} << (from % 64);
    for (std::size_t word = from / 64; word * 64 < end; ++word, mask = ~std::uint64_t{0}) {
      const std::uint64_t bits = mine[word] & other[word] & mask;
      if (bits == 0) continue;
      const auto found =
          static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
      return found < end ? found : none;
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

  // The number is in the set or not. Without a branch on either, for often neither can be foretold.
  void set(std::uint32_t number, bool in) {
    std::uint64_t& word = levels_[0][number / 64];
    const unsigned bit = number % 64;
    const std::uint64_t before = word;
    const std::uint64_t after = (before & ~(std::uint64_t{1} << bit)) | std::uint64_t{in} << bit;
    if ((before == 0) != (after == 0)) return in ? insert(number) : erase(number);
    word = after;
    count_ += static_cast<std::uint32_t>(in) - static_cast<std::uint32_t>(before >> bit & 1);
  }

 private:
  std::vector<std::vector<std::uint64_t>>
      levels_;  // [0]: one bit per slot; above: one bit per word of the level below
  std::uint32_t count_ = 0;
};

}  // namespace wavewright::sim
