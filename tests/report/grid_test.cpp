#include "wavewright/report/charts/grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <rapidcheck.h>

#include "tests/report/sample.h"
#include "wavewright/report/charts/labels.h"

namespace wavewright::report {
namespace {

TaskRecord task(JobIndex job, std::uint32_t slot, std::int64_t start, std::int64_t end) {
  TaskRecord record;
  record.job = job;
  record.slot = slot;
  record.start = at_ms(start);
  record.end = at_ms(end);
  return record;
}

std::vector<std::int32_t> row(const Grid& grid, int index) {
  std::vector<std::int32_t> cells;
  for (int column = 0; column < grid.columns; ++column) cells.push_back(grid.at(index, column));
  return cells;
}

TEST(ReportGrid, ACellBelongsToTheJobWithMostTimeInIt) {
  const std::vector<TaskRecord> tasks = {task(0, 0, 0, 14), task(1, 0, 14, 30), task(2, 1, 27, 40)};
  const Grid grid = slot_grid(tasks, 2, ms(40), 4, 10);
  EXPECT_EQ(row(grid, 0), (std::vector<std::int32_t>{0, 1, 1, Grid::idle}));
  EXPECT_EQ(row(grid, 1), (std::vector<std::int32_t>{Grid::idle, Grid::idle, Grid::idle, 2}));
}

TEST(ReportGrid, AStackIsAsHighAsTheSlotsInUseAndTheFirstStartedIsAtTheBottom) {
  // 4 slots in 8 rows: job 1 starts first on one slot, job 0 later on two.
  const std::vector<TaskRecord> tasks = {task(1, 0, 0, 20), task(0, 1, 10, 20), task(0, 2, 10, 20)};
  const Grid grid = stack_grid(tasks, 4, ms(20), 2, 8);
  for (int up = 0; up < 8; ++up) {
    EXPECT_EQ(grid.at(7 - up, 0), up < 2 ? 1 : Grid::idle) << up;
    EXPECT_EQ(grid.at(7 - up, 1), up < 2 ? 1 : up < 6 ? 0 : Grid::idle) << up;
  }
}

TEST(ReportGrid, TasksOfOneRowMayOverlap) {
  // Two of job 1 together outweigh one of job 0; half a task's time is not idle.
  const std::vector<TaskRecord> tasks = {task(0, 0, 0, 20), task(1, 0, 10, 20), task(1, 0, 10, 20),
                                         task(2, 0, 20, 25)};
  EXPECT_EQ(row(slot_grid(tasks, 1, ms(40), 4, 10), 0), (std::vector<std::int32_t>{0, 1, 2, Grid::idle}));
}

TEST(ReportGrid, MemoryIsMeasuredInMebibytes) {
  std::vector<TaskRecord> tasks = {task(0, 0, 0, 10), task(1, 1, 0, 20)};
  tasks[0].memory = 3072;
  tasks[1].memory = 1024;
  EXPECT_EQ(use_over_time(tasks, ms(20), 2, Measure::memory), (std::vector<double>{4096, 1024}));
  const Grid grid = stack_grid(tasks, 4096, ms(20), 1, 8, Measure::memory);
  for (int up = 0; up < 8; ++up) EXPECT_EQ(grid.at(7 - up, 0), up < 3 ? 0 : up < 5 ? 1 : Grid::idle) << up;
}

TEST(ReportGrid, UseOverTimeKeepsEveryMillisecondOfWork) {
  EXPECT_EQ(use_over_time({task(0, 0, 5, 25), task(0, 1, 0, 10)}, ms(40), 4),
            (std::vector<double>{1.5, 1, 0.5, 0}));
  EXPECT_TRUE(rc::check("conserved", [] {
    const Workload batch = sample::workload(static_cast<std::size_t>(*rc::gen::inRange(1, 8)), 12,
                                            *rc::gen::arbitrary<std::uint64_t>());
    const ReportData data = sample::report(batch, {3, 2});
    const SimulationResult& result = data.schedules.front().result;
    const int columns = *rc::gen::inRange(1, 60);
    const std::vector<double> use = use_over_time(tasks_of(result, Kind::map), result.makespan, columns);
    const double total =
        std::accumulate(use.begin(), use.end(), 0.0) * static_cast<double>(result.makespan.count()) / columns;
    RC_ASSERT(std::abs(total - static_cast<double>(result.map_busy.count())) < 1.0);
    for (const double slots : use) RC_ASSERT(slots <= 3 + 1e-9);
  }));
}

// Few owners on a small grid, so that blocks of every shape come up.
Grid arbitrary_grid() {
  Grid grid;
  grid.rows = *rc::gen::inRange(1, 9);
  grid.columns = *rc::gen::inRange(1, 12);
  grid.row_height = 5;
  grid.owner = *rc::gen::container<std::vector<std::int32_t>>(
      static_cast<std::size_t>(grid.rows * grid.columns), rc::gen::inRange(-1, 3));
  return grid;
}

TEST(ReportGrid, RectanglesCoverEveryCellOnceAndNoIdleOne) {
  EXPECT_TRUE(rc::check("cover", [] {
    const Grid grid = arbitrary_grid();
    Grid drawn = grid;
    drawn.owner.assign(grid.owner.size(), Grid::idle);
    for (const Rectangle& r : rectangles(grid)) {
      for (int y = r.row; y < r.row + r.rows; ++y) {
        for (int x = r.column; x < r.column + r.columns; ++x) {
          RC_ASSERT(drawn.at(y, x) == Grid::idle);
          drawn.at(y, x) = r.job;
        }
      }
    }
    RC_ASSERT(drawn.owner == grid.owner);
  }));
}

// The obvious way: every rectangle of one owner that is large enough.
double largest_area(const Grid& grid, std::int32_t job, int rows, int columns) {
  double best = 0;
  for (int top = 0; top < grid.rows; ++top) {
    for (int left = 0; left < grid.columns; ++left) {
      for (int bottom = top; bottom < grid.rows; ++bottom) {
        for (int right = left; right < grid.columns; ++right) {
          bool own = bottom - top + 1 >= rows && right - left + 1 >= columns;
          for (int y = top; own && y <= bottom; ++y) {
            for (int x = left; own && x <= right; ++x) own = grid.at(y, x) == job;
          }
          if (own) best = std::max(best, double(bottom - top + 1) * double(right - left + 1));
        }
      }
    }
  }
  return best;
}

TEST(ReportLabels, AJobIsLabelledExactlyWhenSomeBlockOfItHasRoom) {
  EXPECT_TRUE(rc::check("labels", [] {
    const Grid grid = arbitrary_grid();
    const int rows = *rc::gen::inRange(1, 4), columns = *rc::gen::inRange(1, 5);
    const auto spots = place_labels(grid, grid.columns * 10.0, rows * grid.row_height,
                                    [&](std::int32_t) { return columns * 10.0; });
    for (std::int32_t job = 0; job < 3; ++job) {
      const auto count =
          std::count_if(spots.begin(), spots.end(), [&](const LabelSpot& s) { return s.job == job; });
      RC_ASSERT(count == (largest_area(grid, job, rows, columns) > 0 ? 1 : 0));
    }
    for (const LabelSpot& spot : spots) {  // the label lies on cells of its job alone
      const double left = spot.x * grid.columns - columns / 2.0, top = spot.y / grid.row_height - rows / 2.0;
      for (int y = static_cast<int>(top + 1e-6); y < top + rows - 1e-6; ++y) {
        for (int x = static_cast<int>(left + 1e-6); x < left + columns - 1e-6; ++x)
          RC_ASSERT(grid.at(y, x) == spot.job);
      }
    }
  }));
}

}  // namespace
}  // namespace wavewright::report
