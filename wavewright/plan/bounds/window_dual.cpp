#include "wavewright/plan/bounds/window_dual.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wavewright {

namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-6;    // ms
constexpr double finest_part = 0.1;  // of a cell

void divide(double from, double to, double least_width, std::vector<double>& borders) {
  const double most = static_cast<double>(WindowDual::most_parts);
  const auto parts = static_cast<std::size_t>(std::clamp(std::ceil((to - from) / least_width), 1.0, most));
  borders.resize(parts + 1);
  for (std::size_t i = 0; i <= parts; ++i)
    borders[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(parts);
}

}  // namespace

WindowDual::WindowDual(const std::vector<WindowJob>& jobs, SlotPool pool, Cells cells)
    : jobs_(jobs),
      map_slots_(static_cast<double>(std::max<Count>(1, pool.map_slots))),
      reduce_slots_(static_cast<double>(std::max<Count>(1, pool.reduce_slots))),
      cells_(cells),
      map_line_(cells),
      reduce_line_(cells),
      parts_(jobs.size()),
      ends_(jobs.size()),
      latest_(jobs.size()) {
  for (const WindowJob& job : jobs) {
    maps_.emplace_back();
    reduces_.emplace_back();
    for (const AlikeTasks& alike : job.maps) maps_.back().emplace_back(alike.length, cells);
    for (const AlikeTasks& alike : job.reduces) reduces_.back().emplace_back(alike.length, cells);
  }
}

double WindowDual::multiplications() const {
  std::size_t rounds = 0;
  for (const WindowJob& job : jobs_) rounds += 1 + job.maps.size() + job.reduces.size();
  return static_cast<double>(2 * rounds * (2 * cells_.count + most_parts * most_parts));
}

void WindowDual::set_prices(std::span<const double> prices, std::span<const SetCut> cuts) {
  std::vector<double> of_slot(cells_.count);
  for (const bool maps : {true, false}) {
    const double slot_time = (maps ? map_slots_ : reduce_slots_) * cells_.width;
    for (std::size_t cell = 0; cell < cells_.count; ++cell)
      of_slot[cell] = prices[(maps ? 0 : cells_.count) + cell] / slot_time;
    (maps ? map_line_ : reduce_line_).set(of_slot);
  }
  const std::size_t borders = cells_.count + 1;
  cut_prices_.assign(jobs_.size() * 2 * borders, 0);
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if ((cuts[cut].jobs >> job & 1) != 0)
        cut_prices_[(2 * job + (cuts[cut].maps ? 0 : 1)) * borders + cuts[cut].cell] +=
            prices[2 * cells_.count + cut];
    }
  }
  for (std::size_t row = 0; row < 2 * jobs_.size(); ++row) {
    for (std::size_t cell = cells_.count; cell-- > 0;)
      cut_prices_[row * borders + cell] += cut_prices_[row * borders + cell + 1];
  }
}

// What the job pays for being done by then: of all cuts from then on.
double WindowDual::late_price(std::size_t job, bool maps, double end) const {
  const double cell = std::ceil(end / cells_.width);
  if (cell > static_cast<double>(cells_.count)) return 0;
  return cut_prices_[(2 * job + (maps ? 0 : 1)) * (cells_.count + 1) + static_cast<std::size_t>(cell)];
}

double WindowDual::bound(std::span<const double> prices, std::span<const SetCut> cuts,
                         std::span<const Windows> windows) {
  set_prices(prices, cuts);
  excess_.assign(2 * cells_.count + cuts.size(), 0);
  bound_ = 0;
  for (std::size_t cell = 0; cell < 2 * cells_.count; ++cell) bound_ -= prices[cell];
  for (std::size_t cut = 0; cut < cuts.size(); ++cut)
    bound_ -= prices[2 * cells_.count + cut] * (std::popcount(cuts[cut].jobs) - 1);
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    bound_ += choose(job, windows[job]);
    if (bound_ == impossible) return bound_;
  }
  for (std::size_t cell = 0; cell < 2 * cells_.count; ++cell) {
    const double slots = cell < cells_.count ? map_slots_ : reduce_slots_;
    excess_[cell] = excess_[cell] / (slots * cells_.width) - 1;
  }
  count_cuts(cuts);
  return bound_;
}

double WindowDual::choose(std::size_t job, const Windows& windows) {
  const WindowJob& own = jobs_[job];
  Parts& parts = parts_[job];
  divide(windows.maps_from, windows.maps_to, finest_part * cells_.width, parts.maps);
  divide(windows.from, windows.to, finest_part * cells_.width, parts.all);
  const std::size_t rows = parts.maps.size() - 1, columns = parts.all.size() - 1;
  cost_.assign(rows * columns, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const double maps = parts.maps[row], cuts = late_price(job, true, parts.maps[row + 1]);
    for (std::size_t column = 0; column < columns; ++column) {
      const double latest = parts.all[column + 1], least = maps + own.tail;
      cost_[row * columns + column] = latest < least - rounding ? impossible
                                                                : cuts + late_price(job, false, latest) +
                                                                      std::max(parts.all[column], least);
    }
  }
  add_maps(job);
  add_reduces(job);
  const auto cheapest = std::min_element(cost_.begin(), cost_.end());
  if (*cheapest == impossible) return impossible;
  const auto at = static_cast<std::size_t>(cheapest - cost_.begin());
  const std::size_t row = at / columns, column = at % columns;
  parts.above_maps.assign(rows, impossible);
  parts.above_all.assign(columns, impossible);
  for (std::size_t i = 0; i < cost_.size(); ++i) {
    const double above = cost_[i] - *cheapest;
    double& of_row = parts.above_maps[i / columns];
    double& of_column = parts.above_all[i % columns];
    of_row = std::min(of_row, above);
    of_column = std::min(of_column, above);
  }
  ends_[job] = {(parts.maps[row] + parts.maps[row + 1]) / 2, (parts.all[column] + parts.all[column + 1]) / 2};
  latest_[job] = {parts.maps[row + 1], parts.all[column + 1]};
  for (std::size_t i = 0; i < own.maps.size(); ++i) {
    const TaskPrices& tasks = maps_[job][i];
    const double last = std::max(own.submit, parts.maps[row + 1] - tasks.length());
    use(0, tasks, tasks.cheapest_start(own.submit, last), own.maps[i].count);
  }
  for (std::size_t i = 0; i < own.reduces.size(); ++i) {
    const TaskPrices& tasks = reduces_[job][i];
    const double first = parts.maps[row], last = std::max(first, parts.all[column + 1] - tasks.length());
    use(cells_.count, tasks, tasks.cheapest_start(first, last), own.reduces[i].count);
  }
  return *cheapest;
}

// Its maps run where they are cheapest from its submission to their end's part.
void WindowDual::add_maps(std::size_t job) {
  const std::vector<double>& borders = parts_[job].maps;
  const std::size_t rows = borders.size() - 1, columns = cost_.size() / rows;
  for (std::size_t i = 0; i < maps_[job].size(); ++i) {
    TaskPrices& tasks = maps_[job][i];
    tasks.set(map_line_);
    starts_.assign(1, jobs_[job].submit);
    for (std::size_t row = 0; row < rows; ++row)
      starts_.push_back(std::max(jobs_[job].submit, borders[row + 1] - tasks.length()));
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

// Its reduces from the beginning of the one part to the end of the other.
void WindowDual::add_reduces(std::size_t job) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const Parts& parts = parts_[job];
  const std::size_t rows = parts.maps.size() - 1, columns = parts.all.size() - 1;
  std::vector<std::size_t> column_at, row_at(rows);
  for (std::size_t i = 0; i < reduces_[job].size(); ++i) {
    TaskPrices& tasks = reduces_[job][i];
    tasks.set(reduce_line_);
    // First and last starts in one ascending list.
    starts_.clear();
    column_at.clear();
    for (std::size_t row = 0, column = 0; row < rows || column < columns;) {
      const double first = row < rows ? parts.maps[row] : impossible;
      const double last = column < columns ? parts.all[column + 1] - tasks.length() : impossible;
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

void WindowDual::use(std::size_t from, const TaskPrices& tasks, double start, double count) {
  const double end = std::min(start + tasks.length(), cells_.begin_of(cells_.count));
  for (auto cell = static_cast<std::size_t>(start / cells_.width);
       cell < cells_.count && cells_.begin_of(cell) < end; ++cell) {
    const double begins = std::max(start, cells_.begin_of(cell));
    excess_[from + cell] += count * (std::min(end, cells_.begin_of(cell + 1)) - begins);
  }
}

void WindowDual::count_cuts(std::span<const SetCut> cuts) {
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    const double by = cells_.begin_of(cuts[cut].cell);
    int done = 0;
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if ((cuts[cut].jobs >> job & 1) != 0)
        done += (cuts[cut].maps ? latest_[job].maps : latest_[job].all) <= by ? 1 : 0;
    }
    excess_[2 * cells_.count + cut] = done - (std::popcount(cuts[cut].jobs) - 1);
  }
}

bool WindowDual::narrow(std::vector<Windows>& windows, double target) const {
  const auto narrow = [&](const std::vector<double>& borders, const std::vector<double>& above, double& from,
                          double& to) {
    std::size_t first = 0, last = above.size();
    while (first < last && bound_ + above[first] >= target) ++first;
    while (first < last && bound_ + above[last - 1] >= target) --last;
    if (first == last) return false;
    from = std::max(from, borders[first]);
    to = std::min(to, borders[last]);
    return true;
  };
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const Parts& parts = parts_[job];
    Windows& own = windows[job];
    if (!narrow(parts.maps, parts.above_maps, own.maps_from, own.maps_to) ||
        !narrow(parts.all, parts.above_all, own.from, own.to))
      return false;
  }
  return true;
}

}  // namespace wavewright
