#include "wavewright/report/charts/grid.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace wavewright::report {

namespace {

// Calls `each(column, time within it in ms)` for the columns that a task touches.
template <class Each>
void over_columns(const TaskRecord& task, Duration horizon, int columns, const Each& each) {
  const double width = static_cast<double>(horizon.count()) / columns;
  const auto start = static_cast<double>(to_ms(task.start));
  const auto end = static_cast<double>(to_ms(task.end));
  const int first = std::min(columns - 1, static_cast<int>(start / width));
  for (int column = first; column < columns && column * width < end; ++column) {
    const double overlap = std::min(end, (column + 1) * width) - std::max(start, column * width);
    if (overlap > 0) each(column, overlap);
  }
}

class Cell {
 public:
  void add(std::int32_t job, double time) {
    const auto found = std::find_if(shares_.begin(), shares_.end(), [&](auto& s) { return s.first == job; });
    if (found != shares_.end()) {
      found->second += time;
    } else {
      shares_.emplace_back(job, time);
    }
    busy_ += time;
  }
  std::int32_t take(double width) {
    std::int32_t owner = Grid::idle;
    if (busy_ * 2 >= width) {
      owner = std::max_element(shares_.begin(), shares_.end(), [](auto& a, auto& b) {
                return a.second < b.second;
              })->first;
    }
    shares_.clear();
    busy_ = 0;
    return owner;
  }

 private:
  std::vector<std::pair<std::int32_t, double>> shares_;
  double busy_ = 0;
};

Grid empty_grid(int rows, int columns, double row_height) {
  Grid grid{rows, columns, row_height, {}};
  grid.owner.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), Grid::idle);
  return grid;
}

// Groups tasks by job; the job that starts first comes first.
std::vector<TaskRecord> by_first_start(std::vector<TaskRecord> tasks) {
  std::stable_sort(tasks.begin(), tasks.end(), [](const TaskRecord& a, const TaskRecord& b) {
    return std::tie(a.job, a.start) < std::tie(b.job, b.start);
  });
  std::vector<std::pair<std::size_t, std::size_t>> groups;  // runs of one job
  for (std::size_t begin = 0, end = 0; begin < tasks.size(); begin = end) {
    while (end < tasks.size() && tasks[end].job == tasks[begin].job) ++end;
    groups.emplace_back(begin, end);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [&](auto& a, auto& b) { return tasks[a.first].start < tasks[b.first].start; });
  std::vector<TaskRecord> ordered;
  ordered.reserve(tasks.size());
  for (const auto& [begin, end] : groups) {
    ordered.insert(ordered.end(), tasks.begin() + static_cast<std::ptrdiff_t>(begin),
                   tasks.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return ordered;
}

// Cuts rectangles along one direction, then joins equal ones of neighbouring lines.
std::vector<Rectangle> cut(const Grid& grid, bool along_time) {
  const int lines = along_time ? grid.rows : grid.columns;
  const int length = along_time ? grid.columns : grid.rows;
  std::vector<Rectangle> result;
  std::vector<std::size_t> before;  // rectangles that reach the previous line, by position
  for (int line = 0; line < lines; ++line) {
    std::vector<std::size_t> here;
    std::size_t candidate = 0;
    for (int begin = 0, end = 0; begin < length; begin = end) {
      const auto owner_at = [&](int i) { return along_time ? grid.at(line, i) : grid.at(i, line); };
      const std::int32_t owner = owner_at(begin);
      while (end < length && owner_at(end) == owner) ++end;
      if (owner == Grid::idle) continue;
      const auto start_of = [&](const Rectangle& r) { return along_time ? r.column : r.row; };
      const auto size_of = [&](Rectangle& r) -> int& { return along_time ? r.columns : r.rows; };
      const auto depth_of = [&](Rectangle& r) -> int& { return along_time ? r.rows : r.columns; };
      while (candidate < before.size() && start_of(result[before[candidate]]) < begin) ++candidate;
      if (candidate < before.size()) {
        Rectangle& previous = result[before[candidate]];
        if (start_of(previous) == begin && previous.job == owner && size_of(previous) == end - begin) {
          ++depth_of(previous);
          here.push_back(before[candidate]);
          continue;
        }
      }
      here.push_back(result.size());
      result.push_back(along_time ? Rectangle{owner, line, begin, 1, end - begin}
                                  : Rectangle{owner, begin, line, end - begin, 1});
    }
    before = std::move(here);
  }
  return result;
}

}  // namespace

double held_by(const TaskRecord& task, Measure measure) {
  return measure == Measure::slots ? 1 : task.memory;
}

void sort_by_slot(std::vector<TaskRecord>& tasks) {
  std::stable_sort(tasks.begin(), tasks.end(), [](const TaskRecord& a, const TaskRecord& b) {
    return std::tie(a.slot, a.start) < std::tie(b.slot, b.start);
  });
}

std::vector<TaskRecord> tasks_of(const SimulationResult& result, Kind kind) {
  std::vector<TaskRecord> tasks;
  for (const TaskRecord& task : result.trace) {
    if (task.kind == kind) tasks.push_back(task);
  }
  sort_by_slot(tasks);
  return tasks;
}

Grid slot_grid(const std::vector<TaskRecord>& tasks, Count slots, Duration horizon, int columns,
               double row_height) {
  Grid grid = empty_grid(static_cast<int>(slots), columns, row_height);
  const double width = static_cast<double>(horizon.count()) / columns;
  std::vector<Cell> cells(static_cast<std::size_t>(columns));
  for (auto task = tasks.begin(); task != tasks.end();) {
    const std::uint32_t slot = task->slot;
    for (; task != tasks.end() && task->slot == slot; ++task) {
      over_columns(*task, horizon, columns, [&](int at, double time) {
        cells[static_cast<std::size_t>(at)].add(static_cast<std::int32_t>(task->job), time);
      });
    }
    for (int at = 0; at < columns; ++at)
      grid.at(static_cast<int>(slot), at) = cells[static_cast<std::size_t>(at)].take(width);
  }
  return grid;
}

Grid stack_grid(const std::vector<TaskRecord>& tasks, Count whole, Duration horizon, int columns, int height,
                Measure measure) {
  Grid grid = empty_grid(height, columns, 1);
  const double width = static_cast<double>(horizon.count()) / columns;
  const double pixels_per_ms = height / (static_cast<double>(whole) * width);
  std::vector<double> below(static_cast<std::size_t>(columns), 0.0);  // slot time of the jobs stacked so far
  std::vector<double> own(below.size(), 0.0);
  const std::vector<TaskRecord> ordered = by_first_start(tasks);
  for (std::size_t begin = 0, end = 0; begin < ordered.size(); begin = end) {
    int first = columns, last = -1;
    for (; end < ordered.size() && ordered[end].job == ordered[begin].job; ++end) {
      const double held = held_by(ordered[end], measure);
      over_columns(ordered[end], horizon, columns, [&](int at, double time) {
        own[static_cast<std::size_t>(at)] += held * time;
        first = std::min(first, at);
        last = std::max(last, at);
      });
    }
    for (int column = first; column <= last; ++column) {
      const auto i = static_cast<std::size_t>(column);
      const int from = static_cast<int>(std::lround(below[i] * pixels_per_ms));
      below[i] += own[i];
      own[i] = 0;
      const int to = std::min(height, static_cast<int>(std::lround(below[i] * pixels_per_ms)));
      for (int up = from; up < to; ++up) {
        grid.at(height - 1 - up, column) = static_cast<std::int32_t>(ordered[begin].job);
      }
    }
  }
  return grid;
}

std::vector<double> use_over_time(const std::vector<TaskRecord>& tasks, Duration horizon, int columns,
                                  Measure measure) {
  std::vector<double> use(static_cast<std::size_t>(columns), 0.0);  // in fractions of a column
  // Use that fills whole columns: + where it begins, − where it ends.
  std::vector<double> whole(static_cast<std::size_t>(columns) + 1, 0.0);
  const double width = static_cast<double>(horizon.count()) / columns;
  for (const TaskRecord& task : tasks) {
    const double held = held_by(task, measure);
    const double start = static_cast<double>(to_ms(task.start)) / width;
    const double end = std::min<double>(columns, static_cast<double>(to_ms(task.end)) / width);
    const auto first = static_cast<std::size_t>(start);
    const auto last = static_cast<std::size_t>(end);
    if (first >= use.size() || end <= start) continue;
    if (first == last) {
      use[first] += held * (end - start);
      continue;
    }
    use[first] += held * (static_cast<double>(first + 1) - start);
    if (last < use.size()) use[last] += held * (end - static_cast<double>(last));
    whole[first + 1] += held;
    whole[last] -= held;
  }
  double running = 0;  // sums of whole numbers, which doubles represent exactly
  for (std::size_t i = 0; i < use.size(); ++i) {
    running += whole[i];
    use[i] += running;
  }
  return use;
}

std::vector<Rectangle> rectangles(const Grid& grid) {
  std::vector<Rectangle> rows = cut(grid, true);
  std::vector<Rectangle> columns = cut(grid, false);
  if (columns.size() < rows.size()) rows = std::move(columns);
  return rows;
}

}  // namespace wavewright::report
