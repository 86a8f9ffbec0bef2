#include "wavewright/report/charts/labels.h"

#include <map>

namespace wavewright::report {

namespace {

// Finds maximal rectangles of one owner whose lowest row is `row`, with a stack of rising heights.
// `heights[c]`: number of cells upward from (row, c) with the same owner.
template <class Each>
void rectangles_ending_at(const Grid& grid, int row, const std::vector<int>& heights, const Each& each) {
  struct Open {
    int column;
    int height;
  };
  std::vector<Open> open;
  std::int32_t owner = Grid::idle;
  const auto close_above = [&](int height, int column) {
    int start = column;
    while (!open.empty() && open.back().height > height) {
      start = open.back().column;
      if (owner != Grid::idle) {
        each(Rectangle{owner, row - open.back().height + 1, start, open.back().height, column - start});
      }
      open.pop_back();
    }
    return start;
  };
  for (int column = 0; column < grid.columns; ++column) {
    if (grid.at(row, column) != owner) {
      close_above(0, column);
      owner = grid.at(row, column);
    }
    const int height = heights[static_cast<std::size_t>(column)];
    const int start = close_above(height, column);
    if (open.empty() || open.back().height < height) open.push_back({start, height});
  }
  close_above(0, grid.columns);
}

}  // namespace

std::vector<LabelSpot> place_labels(const Grid& grid, double chart_pixels, double height_needed,
                                    const std::function<double(std::int32_t)>& width_needed) {
  struct Best {
    Rectangle rectangle;
    double area = 0;
  };
  std::map<std::int32_t, Best> best;
  const double column_width = chart_pixels / grid.columns;
  std::vector<int> heights(static_cast<std::size_t>(grid.columns), 0);
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      int& height = heights[static_cast<std::size_t>(column)];
      height = row > 0 && grid.at(row - 1, column) == grid.at(row, column) ? height + 1 : 1;
    }
    rectangles_ending_at(grid, row, heights, [&](const Rectangle& r) {
      const double width = r.columns * column_width, height = r.rows * grid.row_height;
      if (height < height_needed || width < width_needed(r.job)) return;
      Best& so_far = best[r.job];
      if (width * height > so_far.area) so_far = {r, width * height};
    });
  }
  std::vector<LabelSpot> spots;
  for (const auto& [job, found] : best) {
    const Rectangle& r = found.rectangle;
    spots.push_back(
        {job, (r.column + r.columns / 2.0) / grid.columns, (r.row + r.rows / 2.0) * grid.row_height});
  }
  return spots;
}

}  // namespace wavewright::report
