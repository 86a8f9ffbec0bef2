#include "wavewright/plan/methods/demand_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "wavewright/core/random.h"
#include "wavewright/plan/bounds/demand_profile.h"

namespace wavewright {

namespace {

constexpr std::int32_t rows = 240;              // instants at which demand is compared and maps may end
constexpr double horizon = 1.12;                // times the bound: the last row
constexpr std::int32_t of_row = 1 << 20;        // units of time in a row; integers, so sums are exact
constexpr std::int32_t nothing = of_row / 512;  // less demand than this is rounding
constexpr double warmest = 1e-2;                // of the bound: start temperature
constexpr double furthest_move = 0.2;           // of all rows: the largest move of an end
constexpr std::uint64_t stop_every_changes = 256;
constexpr double a_change = 4.0 * rows;  // multiplications that take as long as a change
constexpr double most_changes = 10'000;  // for each job

class Fit {
 public:
  Fit(std::span<const DemandJob> jobs, SlotPool pool, const DemandBound& bound)
      : step_(horizon * static_cast<double>(bound.makespan) / rows) {
    double first = static_cast<double>(jobs.front().submit);
    for (const DemandJob& job : jobs) first = std::min(first, static_cast<double>(job.submit));
    first_ = units(first);
    for (const DemandJob& job : jobs) add_job(job, pool, static_cast<double>(bound.map_ends[ends_.size()]));
    best_ = ends_;
    least_ = cost_ = value(sum_);
  }

  // Moves the job's end to `end` if the cost rises by no more than `by` units. If `other` is another job, it
  // takes the job's old end.
  void change(std::size_t job, std::int32_t end, std::size_t other, double by) {
    const bool swaps = other != job;
    const std::int32_t before = ends_[job];
    if (end == before || !may_end(job, end) || (swaps && !may_end(other, before))) return;
    tried_ = sum_;
    shift(job, before, end);
    if (swaps) shift(other, end, before);
    const std::int32_t cost = value(tried_);
    if (static_cast<double>(cost) - static_cast<double>(cost_) > by) return;
    sum_ = tried_;
    cost_ = cost;
    ends_[job] = end;
    if (swaps) ends_[other] = before;
    if (cost_ >= least_) return;
    least_ = cost_;
    best_ = ends_;
  }

  [[nodiscard]] std::int32_t end(std::size_t job) const { return ends_[job]; }
  [[nodiscard]] std::vector<std::int64_t> best() const {  // ms
    std::vector<std::int64_t> ends;
    ends.reserve(best_.size());
    for (const std::int32_t end : best_) ends.push_back(std::llround(end * step_));
    return ends;
  }

 private:
  static constexpr std::size_t offsets = 2 * rows + 1;

  // By row, in units of slot time / slots: map work that must be done before it, reduce work left at it.
  struct Demand {
    std::array<std::int32_t, rows + 1> maps{}, reduces{};
  };

  [[nodiscard]] std::int32_t units(double ms) const {
    return static_cast<std::int32_t>(std::lround(ms / step_ * of_row));
  }
  [[nodiscard]] bool may_end(std::size_t job, std::int32_t end) const {
    return earliest_[job] <= end && end <= latest_[job];
  }
  void add_job(const DemandJob& job, SlotPool pool, double map_end) {
    constexpr double furthest_row = rows;
    DemandProfile maps(-furthest_row * step_, step_, offsets), reduces = maps;
    maps.add_in_order(job.maps);
    for (const std::int64_t length : job.reduces)
      reduces.add(static_cast<double>(length), static_cast<double>(length));
    const std::size_t from = maps_.size();
    maps_.resize(from + offsets);
    reduces_.resize(from + offsets);
    // Index: row − map end + rows. The profile of maps runs backwards in time, so it is reversed.
    maps.each(static_cast<double>(std::max<Count>(pool.map_slots, 1)),
              [&](std::size_t u, double demand) { maps_[from + offsets - 1 - u] = units(demand); });
    reduces.each(static_cast<double>(std::max<Count>(pool.reduce_slots, 1)),
                 [&](std::size_t u, double demand) { reduces_[from + u] = units(demand); });
    const auto row = [&](double at) { return std::clamp(at / step_, 0.0, furthest_row); };
    earliest_.push_back(static_cast<std::int32_t>(std::ceil(row(static_cast<double>(job.earliest)))));
    const auto latest = static_cast<std::int32_t>(row(furthest_row * step_ - static_cast<double>(job.tail)));
    latest_.push_back(std::max(earliest_.back(), latest));
    ends_.push_back(
        std::clamp(static_cast<std::int32_t>(std::lround(row(map_end))), earliest_.back(), latest_.back()));
    const std::int32_t *const own_maps = demand(maps_, ends_.size() - 1, ends_.back()),
                              *const own_reduces = demand(reduces_, ends_.size() - 1, ends_.back());
    for (std::size_t at = 0; at <= rows; ++at) {
      sum_.maps[at] += own_maps[at];
      sum_.reduces[at] += own_reduces[at];
    }
  }
  // The job's demand by row if its maps end at row `end`.
  [[nodiscard]] static const std::int32_t* demand(const std::vector<std::int32_t>& of, std::size_t job,
                                                  std::int32_t end) {
    return &of[job * offsets + static_cast<std::size_t>(rows - end)];
  }
  void shift(std::size_t job, std::int32_t from, std::int32_t to) {
    const std::int32_t *const old_maps = demand(maps_, job, from), *const new_maps = demand(maps_, job, to);
    const std::int32_t *const old_reduces = demand(reduces_, job, from), *const new_reduces =
                                                                             demand(reduces_, job, to);
    for (std::size_t row = 0; row <= rows; ++row) {
      tried_.maps[row] += new_maps[row] - old_maps[row];
      tried_.reduces[row] += new_reduces[row] - old_reduces[row];
    }
  }
  // The cost: the end of all work plus the largest lateness of maps at any row.
  [[nodiscard]] std::int32_t value(const Demand& of) const {
    std::int32_t late = 0, done = 0, at = 0;
    for (std::size_t row = 0; row <= rows; ++row, at += of_row) {
      late = std::max(late, of.maps[row] + first_ - std::max(at, first_));
      done = std::max(done, of.reduces[row] > nothing ? at + of.reduces[row] : 0);
    }
    return done + late;
  }

  double step_;                                  // ms
  std::int32_t first_ = 0;                       // earliest submission
  std::vector<std::int32_t> maps_, reduces_;     // demand by job and row − map end
  std::vector<std::int32_t> earliest_, latest_;  // by job: range of its map end, rows
  std::vector<std::int32_t> ends_, best_;        // by job: map end, rows
  Demand sum_, tried_;
  std::int32_t cost_ = 0, least_ = 0;
};

}  // namespace

std::vector<std::int64_t> demand_fit(std::span<const DemandJob> jobs, SlotPool pool, const DemandBound& bound,
                                     std::uint64_t seed, double multiplications, const Stop& stop) {
  const auto began = Stop::Clock::now();
  Fit fit(jobs, pool, bound);
  Random random(seed, "plan/demand_fit");
  const double changes =
      std::min(multiplications / a_change, most_changes * static_cast<double>(jobs.size()));
  double time_gone = 0;
  for (std::uint64_t i = 0; static_cast<double>(i) < changes; ++i) {
    if (i % stop_every_changes == 0) {
      if (stop.now()) break;
      time_gone = stop.gone(began);
    }
    const double left = 1 - std::max(time_gone, static_cast<double>(i) / changes);
    const double warmth = warmest * rows / horizon * of_row * left * left;
    const double by = -warmth * std::log(std::max(1e-300, random.unit()));
    const std::size_t job = random.below(jobs.size());
    if (random.below(3) == 0) {
      const std::size_t other = random.below(jobs.size());
      fit.change(job, fit.end(other), other, by);
    } else {
      const double unit = 2 * random.unit() - 1;  // cubed: mostly small moves
      const auto rows_later =
          static_cast<std::int32_t>(std::lround(unit * unit * unit * furthest_move * rows));
      fit.change(job, fit.end(job) + rows_later, job, by);
    }
  }
  return fit.best();
}

}  // namespace wavewright
