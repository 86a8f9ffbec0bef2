#include "wavewright/plan/bounds/time_window/window_dual.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wavewright {

namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr double finest_part = 0.1;  // of a cell

// Divides a window. With a unit, each part goes from its first to its last multiple.
void divide(double from, double to, Cells cells, std::vector<double>& first, std::vector<double>& last) {
  constexpr auto most = static_cast<double>(WindowDual::most_parts);
  const bool units = cells.unit > 0;
  const double all = units ? std::round((to - from) / cells.unit) + 1 : to - from;
  const auto parts = static_cast<std::size_t>(
      std::clamp(units ? all : std::ceil(all / (finest_part * cells.width)), 1.0, most));
  const auto border = [&](std::size_t i) {
    const double here = all * static_cast<double>(i) / static_cast<double>(parts);
    return from + (units ? std::floor(here + rounding) * cells.unit : here);
  };
  first.resize(parts);
  last.resize(parts);
  for (std::size_t i = 0; i < parts; ++i) {
    first[i] = border(i);
    last[i] = border(i + 1) - cells.unit;
  }
}

// The length of the shortest of the floor(slots / 2) + 1 longest tasks; 0 if there are fewer tasks. In a
// window shorter than twice this length they all run in its middle, on more than half of the slots.
double most_together(const std::vector<AlikeTasks>& tasks, double slots) {
  std::vector<AlikeTasks> longest = tasks;
  std::sort(longest.begin(), longest.end(),
            [](const AlikeTasks& a, const AlikeTasks& b) { return a.length > b.length; });
  double left = std::floor(slots / 2) + 1;
  for (const AlikeTasks& alike : longest) {
    left -= alike.count;
    if (left <= 0) return alike.length;
  }
  return 0;
}

// Adds to the use of each price the part of its cell between two instants, times `count`.
void use_between(Cells cells, double begin, double end, double count, std::size_t from,
                 std::vector<double>& uses) {
  end = std::min(end, cells.begin_of(cells.count));
  if (end <= begin) return;
  for (std::size_t cell = cells.cell_at(begin); cell < cells.count && cells.begin_of(cell) < end; ++cell) {
    const double first = std::max(begin, cells.begin_of(cell));
    const double last = std::min(end, cells.begin_of(cell + 1));
    uses[from + cell] += count * (last - first) / cells.width;
  }
}

}  // namespace

WindowDual::WindowDual(const std::vector<WindowJob>& jobs, SlotPool pool, Cells cells)
    : jobs_(jobs),
      map_slots_(static_cast<double>(std::max<Count>(1, pool.map_slots))),
      reduce_slots_(static_cast<double>(std::max<Count>(1, pool.reduce_slots))),
      cells_(cells),
      map_line_(cells),
      reduce_line_(cells),
      most_line_(cells),
      parts_(jobs.size()) {
  for (const WindowJob& job : jobs) {
    maps_.emplace_back();
    reduces_.emplace_back();
    for (const AlikeTasks& alike : job.maps) maps_.back().emplace_back(alike.length, cells);
    for (const AlikeTasks& alike : job.reduces) reduces_.back().emplace_back(alike.length, cells);
    most_.push_back(most_together(job.reduces, reduce_slots_));
  }
}

double WindowDual::multiplications() const {
  std::size_t rounds = 0;
  for (const WindowJob& job : jobs_) rounds += 1 + job.maps.size() + job.reduces.size();
  return static_cast<double>(2 * rounds * (2 * cells_.count + most_parts * most_parts));
}

void WindowDual::set_prices(std::span<const double> prices, std::span<const SetCut> cuts) {
  std::vector<double> of_slot(cells_.count);
  const auto set = [&](PriceLine& line, std::size_t from, double slots) {
    for (std::size_t cell = 0; cell < cells_.count; ++cell)
      of_slot[cell] = prices[from + cell] / (slots * cells_.width);
    line.set(of_slot);
  };
  set(map_line_, 0, map_slots_);
  set(reduce_line_, cells_.count, reduce_slots_);
  set(most_line_, 2 * cells_.count, 1);
  const std::size_t borders = cells_.count + 1;
  cut_prices_.assign(jobs_.size() * 2 * borders, 0);
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if ((cuts[cut].jobs >> job & 1) != 0)
        cut_prices_[(2 * job + (cuts[cut].maps ? 0 : 1)) * borders + cuts[cut].cell] +=
            prices[3 * cells_.count + cut];
    }
  }
  for (std::size_t row = 0; row < 2 * jobs_.size(); ++row) {
    for (std::size_t cell = cells_.count; cell-- > 0;)
      cut_prices_[row * borders + cell] += cut_prices_[row * borders + cell + 1];
  }
}

// The price of an end at `end`: the prices of all cuts from then on.
double WindowDual::late_price(std::size_t job, bool maps, double end) const {
  const double cell = std::ceil(end / cells_.width);
  if (cell > static_cast<double>(cells_.count)) return 0;
  return cut_prices_[(2 * job + (maps ? 0 : 1)) * (cells_.count + 1) + static_cast<std::size_t>(cell)];
}

double WindowDual::bound(std::span<const double> prices, std::span<const SetCut> cuts,
                         std::span<const Windows> windows) {
  set_prices(prices, cuts);
  bound_ = 0;
  const std::vector<double> limit = limits(cuts);
  for (std::size_t price = 0; price < limit.size(); ++price) bound_ -= prices[price] * limit[price];
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    bound_ += choose(job, windows[job]);
    if (bound_ == impossible) return bound_;
  }
  return bound_;
}

std::vector<double> WindowDual::limits(std::span<const SetCut> cuts) const {
  std::vector<double> limits(3 * cells_.count, 1);
  for (const SetCut& cut : cuts) limits.push_back(std::popcount(cut.jobs) - 1);
  return limits;
}

double WindowDual::choose(std::size_t job, const Windows& windows) {
  const WindowJob& own = jobs_[job];
  Parts& parts = parts_[job];
  divide(windows.maps_from, windows.maps_to, cells_, parts.maps_from, parts.maps_to);
  divide(windows.from, windows.to, cells_, parts.from, parts.to);
  const std::size_t rows = parts.maps_from.size(), columns = parts.from.size();
  cost_.assign(rows * columns, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const double maps = parts.maps_from[row], cuts = late_price(job, true, parts.maps_to[row]);
    for (std::size_t column = 0; column < columns; ++column) {
      const double latest = parts.to[column], least = maps + own.tail;
      cost_[row * columns + column] =
          latest < least - rounding
              ? impossible
              : cuts + late_price(job, false, latest) + own.weight * std::max(parts.from[column], least);
    }
  }
  add_maps(job);
  add_reduces(job);
  add_most(job);
  const auto cheapest = std::min_element(cost_.begin(), cost_.end());
  if (*cheapest == impossible) return impossible;
  const auto at = static_cast<std::size_t>(cheapest - cost_.begin());
  parts.row = at / columns;
  parts.column = at % columns;
  parts.above_maps.assign(rows, impossible);
  parts.above_all.assign(columns, impossible);
  for (std::size_t i = 0; i < cost_.size(); ++i) {
    const double above = cost_[i] - *cheapest;
    double& of_row = parts.above_maps[i / columns];
    double& of_column = parts.above_all[i % columns];
    of_row = std::min(of_row, above);
    of_column = std::min(of_column, above);
  }
  return *cheapest;
}

std::vector<Bundle::Linear> WindowDual::choices(std::span<const SetCut> cuts) const {
  std::vector<Bundle::Linear> all;
  all.reserve(jobs_.size());
  for (std::size_t job = 0; job < jobs_.size(); ++job) all.push_back(choice(job, cuts));
  return all;
}

Bundle::Linear WindowDual::choice(std::size_t job, std::span<const SetCut> cuts) const {
  const WindowJob& own = jobs_[job];
  const Parts& parts = parts_[job];
  const double first_maps = parts.maps_from[parts.row], last_maps = parts.maps_to[parts.row];
  const double first = parts.from[parts.column], last = parts.to[parts.column];
  std::vector<double> uses(3 * cells_.count + cuts.size());
  for (std::size_t i = 0; i < own.maps.size(); ++i) {
    const TaskPrices& tasks = maps_[job][i];
    const double start = tasks.cheapest_start(own.submit, std::max(own.submit, last_maps - tasks.length()));
    use_between(cells_, start, start + tasks.length(), own.maps[i].count / map_slots_, 0, uses);
  }
  for (std::size_t i = 0; i < own.reduces.size(); ++i) {
    const TaskPrices& tasks = reduces_[job][i];
    const double start = tasks.cheapest_start(first_maps, std::max(first_maps, last - tasks.length()));
    use_between(cells_, start, start + tasks.length(), own.reduces[i].count / reduce_slots_, cells_.count,
                uses);
  }
  if (most_[job] > 0)
    use_between(cells_, std::max(0.0, last - most_[job]), first_maps + most_[job], 1, 2 * cells_.count, uses);
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    const bool done = (cuts[cut].maps ? last_maps : last) <= cells_.begin_of(cuts[cut].cell);
    if ((cuts[cut].jobs >> job & 1) != 0 && done) uses[3 * cells_.count + cut] = 1;
  }
  Bundle::Linear choice;
  choice.value = own.weight * std::max(first, first_maps + own.tail);
  choice.maps = (first_maps + last_maps) / 2;
  choice.all = (first + last) / 2;
  for (std::size_t price = 0; price < uses.size(); ++price) {
    if (uses[price] != 0) choice.uses.push_back({static_cast<std::uint32_t>(price), uses[price]});
  }
  return choice;
}

// Adds the cost of the maps: each runs where it is cheapest, from submission to the end of the row's part.
void WindowDual::add_maps(std::size_t job) {
  const std::vector<double>& last = parts_[job].maps_to;
  const std::size_t rows = last.size(), columns = cost_.size() / rows;
  for (std::size_t i = 0; i < maps_[job].size(); ++i) {
    TaskPrices& tasks = maps_[job][i];
    tasks.set(map_line_);
    starts_.assign(1, jobs_[job].submit);
    for (std::size_t row = 0; row < rows; ++row)
      starts_.push_back(std::max(jobs_[job].submit, last[row] - tasks.length()));
    least_.resize(rows);
    tasks.least_between(starts_, least_);
    double least = impossible;
    for (std::size_t row = 0; row < rows; ++row) {
      least = std::min(least, least_[row]);
      for (std::size_t column = 0; column < columns; ++column)
        cost_[row * columns + column] += least * jobs_[job].maps[i].count;
    }
  }
}

// Adds the cost of the reduces: each runs from the begin of the row's part to the end of the column's part.
void WindowDual::add_reduces(std::size_t job) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const Parts& parts = parts_[job];
  const std::size_t rows = parts.maps_from.size(), columns = parts.from.size();
  std::vector<std::size_t> column_at, row_at(rows);
  for (std::size_t i = 0; i < reduces_[job].size(); ++i) {
    TaskPrices& tasks = reduces_[job][i];
    tasks.set(reduce_line_);
    // First starts (by row) and last starts (by column) in one ascending list.
    starts_.clear();
    column_at.clear();
    for (std::size_t row = 0, column = 0; row < rows || column < columns;) {
      const double first = row < rows ? parts.maps_from[row] : impossible;
      const double last = column < columns ? parts.to[column] - tasks.length() : impossible;
      const bool begins = first <= last + 2 * rounding;
      const double start = std::max(starts_.empty() ? 0 : starts_.back(), begins ? first : last);
      if (begins) row_at[row++] = starts_.size();
      column_at.push_back(begins ? none : column++);
      starts_.push_back(start);
    }
    least_.resize(starts_.size());
    tasks.least_between(starts_, least_);
    for (std::size_t row = 0; row < rows; ++row) {
      double least = tasks.at(starts_[row_at[row]]);
      for (std::size_t at = row_at[row] + 1; at < starts_.size(); ++at) {
        least = std::min(least, least_[at - 1]);
        if (column_at[at] != none)
          cost_[row * columns + column_at[at]] += least * jobs_[job].reduces[i].count;
      }
    }
  }
}

// Adds the cost of more than half of the slots, held from the latest start that the job's end allows to the
// earliest end that its map end allows.
void WindowDual::add_most(std::size_t job) {
  if (most_[job] <= 0) return;
  const Parts& parts = parts_[job];
  const std::size_t rows = parts.maps_from.size(), columns = parts.from.size();
  for (std::size_t row = 0; row < rows; ++row) {
    const double until = most_line_.until(parts.maps_from[row] + most_[job]);
    for (std::size_t column = 0; column < columns; ++column) {
      const double since = most_line_.until(std::max(0.0, parts.to[column] - most_[job]));
      cost_[row * columns + column] += std::max(0.0, until - since);
    }
  }
}

bool WindowDual::narrow(std::vector<Windows>& windows, double target) const {
  const auto narrow = [&](const std::vector<double>& begins, const std::vector<double>& ends,
                          const std::vector<double>& above, double& from, double& to) {
    std::size_t first = 0, last = above.size();
    while (first < last && bound_ + above[first] >= target) ++first;
    while (first < last && bound_ + above[last - 1] >= target) --last;
    if (first == last) return false;
    from = std::max(from, begins[first]);
    to = std::min(to, ends[last - 1]);
    return true;
  };
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const Parts& parts = parts_[job];
    Windows& own = windows[job];
    if (!narrow(parts.maps_from, parts.maps_to, parts.above_maps, own.maps_from, own.maps_to) ||
        !narrow(parts.from, parts.to, parts.above_all, own.from, own.to))
      return false;
  }
  return true;
}

}  // namespace wavewright
