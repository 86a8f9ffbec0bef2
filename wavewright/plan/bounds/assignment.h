// The assignment problem: one column for each row, at the least sum of costs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wavewright {

struct Assignment {
  std::int64_t cost = 0;
  std::vector<std::uint32_t> row_of_column;
};

// `costs` is square, row by row; sums must fit in 62 bits. The Hungarian method with shortest augmenting
// paths [Jonker and Volgenant 1987]. O(n³).
[[nodiscard]] Assignment assign(std::span<const std::int64_t> costs, std::size_t size);

}  // namespace wavewright
