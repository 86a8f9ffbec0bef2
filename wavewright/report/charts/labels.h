// Places labels on a chart of slots: a job's name appears if it has room.
#pragma once

#include <functional>
#include <vector>

#include "wavewright/report/charts/grid.h"

namespace wavewright::report {

struct LabelSpot {
  std::int32_t job = 0;
  double x = 0;  // centre, 0 … 1 of the width
  double y = 0;  // centre, pixels from the top
};

// For each job the centre of its largest rectangle that is at least `width_needed(job)` pixels wide and
// `height_needed` high, on a chart of `chart_pixels` pixels; none if there is none. Rectangles of different
// jobs do not overlap, so labels do not. In order of job. O(cells).
[[nodiscard]] std::vector<LabelSpot> place_labels(const Grid& grid, double chart_pixels, double height_needed,
                                                  const std::function<double(std::int32_t)>& width_needed);

}  // namespace wavewright::report
