#include "wavewright/plan/bounds/assignment.h"

#include <limits>

namespace wavewright {

Assignment assign(std::span<const std::int64_t> costs, std::size_t size) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  // Rows and columns count from 1; column 0 holds the row that has no column yet.
  std::vector<std::int64_t> row_price(size + 1, 0), column_price(size + 1, 0), least(size + 1);
  std::vector<std::size_t> row_at(size + 1, 0), before(size + 1, 0);
  std::vector<char> reached(size + 1);
  for (std::size_t row = 1; row <= size; ++row) {
    row_at[0] = row;
    least.assign(size + 1, never);
    reached.assign(size + 1, 0);
    std::size_t column = 0;
    do {
      reached[column] = 1;
      const std::size_t from = row_at[column];
      std::int64_t step = never;
      std::size_t nearest = 0;
      for (std::size_t to = 1; to <= size; ++to) {
        if (reached[to] != 0) continue;
        const std::int64_t price = costs[(from - 1) * size + to - 1] - row_price[from] - column_price[to];
        if (price < least[to]) {
          least[to] = price;
          before[to] = column;
        }
        if (least[to] < step) {
          step = least[to];
          nearest = to;
        }
      }
      for (std::size_t to = 0; to <= size; ++to) {
        if (reached[to] != 0) {
          row_price[row_at[to]] += step;
          column_price[to] -= step;
        } else if (to > 0) {
          least[to] -= step;
        }
      }
      column = nearest;
    } while (row_at[column] != 0);
    for (; column != 0; column = before[column]) row_at[column] = row_at[before[column]];
  }
  Assignment found;
  found.row_of_column.resize(size);
  for (std::size_t column = 1; column <= size; ++column) {
    found.row_of_column[column - 1] = static_cast<std::uint32_t>(row_at[column] - 1);
    found.cost += costs[(row_at[column] - 1) * size + column - 1];
  }
  return found;
}

}  // namespace wavewright
