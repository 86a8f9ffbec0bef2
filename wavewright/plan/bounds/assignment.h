// The assignment problem: one column for each row, with the least total cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wavewright {

struct Assignment {
  std::int64_t cost = 0;
  std::vector<std::uint32_t> row_of_column;
};

// `costs`: a square matrix by rows; sums must fit in 62 bits. The Hungarian method with shortest augmenting
// paths [Jonker and Volgenant 1987]. O(n³).
[[nodiscard]] Assignment assign(std::span<const std::int64_t> costs, std::size_t size);

}  // namespace wavewright
