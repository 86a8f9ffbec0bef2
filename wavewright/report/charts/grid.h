// A trace reduced to cells at screen resolution: which job holds which slots when.
//
// Columns are equal parts of the time axis. Rows are slots, if they are few, or heights of a stack: each job
// is a band as high as its share of slots, the job that starts first at the bottom.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sim/result.h"

namespace wavewright::report {

struct Grid {
  static constexpr std::int32_t idle = -1;

  int rows = 0;
  int columns = 0;
  double row_height = 1;            // pixels
  std::vector<std::int32_t> owner;  // rows × columns, by row from the top: index of a job, or idle

  [[nodiscard]] std::int32_t at(int row, int column) const {
    return owner[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(column)];
  }
  std::int32_t& at(int row, int column) {
    return owner[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(column)];
  }
};

// The amount that a task holds: one slot, or its container's memory in MiB.
enum class Measure : std::uint8_t { slots, memory };
[[nodiscard]] double held_by(const TaskRecord& task, Measure measure);

// Sorts by slot, then start. O(n log n).
void sort_by_slot(std::vector<TaskRecord>& tasks);

// The tasks of one kind, by slot, then start. O(n log n).
[[nodiscard]] std::vector<TaskRecord> tasks_of(const SimulationResult& result, Kind kind);

// One row per slot. A cell belongs to the job with most time in it, or to none if it is idle for more than
// half. Tasks of one row may overlap if the row stands for several slots. `tasks` are sorted by slot. O(tasks
// + columns that they span + cells).
[[nodiscard]] Grid slot_grid(const std::vector<TaskRecord>& tasks, Count slots, Duration horizon, int columns,
                             double row_height);

// A stack of `height` rows of one pixel for `whole` slots or MiB. A job with less than half a pixel may
// vanish; the total stays right. O(tasks · log tasks + tasks · columns spanned + cells).
[[nodiscard]] Grid stack_grid(const std::vector<TaskRecord>& tasks, Count whole, Duration horizon,
                              int columns, int height, Measure measure = Measure::slots);

// Mean number of slots or MiB in use in each of `columns` equal parts of [0, horizon). O(tasks + columns).
[[nodiscard]] std::vector<double> use_over_time(const std::vector<TaskRecord>& tasks, Duration horizon,
                                                int columns, Measure measure = Measure::slots);

// Joins cells of equal owner to rectangles: the better of two cuts, along time or along rows.
struct Rectangle {
  std::int32_t job = 0;
  int row = 0, column = 0, rows = 0, columns = 0;
};
[[nodiscard]] std::vector<Rectangle> rectangles(const Grid& grid);

}  // namespace wavewright::report
