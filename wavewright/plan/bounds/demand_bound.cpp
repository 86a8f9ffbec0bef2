#include "wavewright/plan/bounds/demand_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wavewright {

namespace {

constexpr std::size_t rows = 96;  // instants at which demand is compared, of maps and of reduces
constexpr double horizon = 1.15;  // of the bound that is known: a larger one is not looked for
constexpr double aim = 5e-4;      // of the makespan: how far above the proven one is tried
constexpr double finest = 1e-5;   // steps between makespans
constexpr double surely = 1e-7;   // of a row's width: beyond rounding
constexpr double smoothest = 1e-2, sharpest = 1e-5;  // of a row's width
constexpr std::size_t patience = 1000;               // ascents without a larger bound

double positive(double x) {
  return std::max(0.0, x);
}

// One price for each instant and stage, together 1.
struct Prices {
  std::vector<double> maps, reduces;

  explicit Prices(double each) : maps(rows + 1, each), reduces(rows + 1, each) {}
  void scale() {
    double sum = 0;
    for (std::size_t row = 0; row <= rows; ++row) sum += maps[row] + reduces[row];
    for (std::size_t row = 0; row <= rows; ++row) maps[row] /= sum, reduces[row] /= sum;
  }
};

// Σ min(length, (latest − d)⁺) at d = from + u·step, u = 0, 1, …: O(1) a task.
class Profile {
 public:
  Profile(double from, double step, std::size_t points)
      : from_(from), step_(step), whole_(points + 1), sum_(points + 1), count_(points + 1) {}
  void add(double length, double latest) {
    const std::size_t falls = point(latest - length), gone = point(latest);
    change(whole_, 0, falls, length);
    change(sum_, falls, gone, latest);
    change(count_, falls, gone, 1);
  }
  void write(double* values, double slots) const {
    double whole = 0, sum = 0, count = 0;
    for (std::size_t u = 0; u + 1 < whole_.size(); ++u) {
      whole += whole_[u], sum += sum_[u], count += count_[u];
      values[u] = positive(whole + sum - count * (from_ + static_cast<double>(u) * step_)) / slots;
    }
  }

 private:
  // The first point at or behind d.
  [[nodiscard]] std::size_t point(double d) const {
    const double at = std::ceil((d - from_) / step_);
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(whole_.size() - 1)));
  }
  static void change(std::vector<double>& values, std::size_t begin, std::size_t end, double by) {
    values[begin] += by;
    values[end] -= by;
  }
  double from_, step_;
  std::vector<double> whole_, sum_, count_;  // differences from point to point
};

class Relaxation {
 public:
  Relaxation(std::span<const DemandJob> jobs, SlotPool pool, std::int64_t known)
      : jobs_(jobs),
        map_slots_(static_cast<double>(std::max<Count>(pool.map_slots, 1))),
        reduce_slots_(static_cast<double>(std::max<Count>(pool.reduce_slots, 1))),
        step_(horizon * static_cast<double>(known) / rows),
        maps_(jobs.size() * points),
        reduces_(jobs.size() * points),
        soonest_(jobs.size() * (rows + 1)),
        ends_(jobs.size()),
        cost_(jobs.size() * (rows + 1)) {
    first_ = std::numeric_limits<double>::max();
    for (const DemandJob& job : jobs) first_ = std::min(first_, static_cast<double>(job.submit));
  }

  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] double makespan() const { return makespan_; }
  [[nodiscard]] double furthest() const { return step_ * rows; }

  // Looks at schedules of that makespan from now on.
  void set(double makespan) {
    makespan_ = makespan;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const DemandJob& job = jobs_[j];
      const double deadline = makespan - static_cast<double>(job.tail);
      // Interval k is deadline − (k + 1)·step … deadline − k·step; the last contains the earliest end.
      const double room = positive(deadline - static_cast<double>(job.earliest));
      ends_[j] = std::min(rows, static_cast<std::size_t>(room / step_));
      const double last = deadline - static_cast<double>(ends_[j] + 1) * step_;
      Profile reduces(-deadline, step_, points);
      Profile soonest(-std::max(last, static_cast<double>(job.earliest)), step_, rows + 1);
      for (const std::int64_t length : job.reduces) {
        reduces.add(static_cast<double>(length), static_cast<double>(length));
        soonest.add(static_cast<double>(length), static_cast<double>(length));
      }
      reduces.write(&reduces_[j * points], reduce_slots_);
      soonest.write(&soonest_[j * (rows + 1)], reduce_slots_);
      Profile maps(deadline - static_cast<double>(points - 1) * step_, step_, points);
      double behind = 0;
      for (std::size_t i = job.maps.size(); i-- > 0;) {
        const auto length = static_cast<double>(job.maps[i]);
        behind = std::max(behind, length);
        maps.add(length, behind);
      }
      maps.write(&maps_[j * points], map_slots_);
      std::reverse(&maps_[j * points], &maps_[j * points] + points);
    }
  }

  // What every job's ends cost at these prices.
  void price(const Prices& prices) {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const std::size_t intervals = ends_[j] + 1;
      double* const cost = &cost_[j * (rows + 1)];
      std::fill(cost, cost + intervals, 0.0);
      for (std::size_t row = 0; row <= rows; ++row) {
        const double map = prices.maps[row], reduce = prices.reduces[row];
        const double* const maps = &maps_[j * points + row];
        const double* const reduces = &reduces_[j * points + row + 1];
        for (std::size_t k = 0; k + 1 < intervals; ++k) cost[k] += map * maps[k] + reduce * reduces[k];
        cost[intervals - 1] += map * maps[intervals - 1] + reduce * soonest_[j * (rows + 1) + row];
      }
    }
  }

  // By how much all together ask for more than there is, as priced: above 0 there is no such schedule.
  [[nodiscard]] double excess(const Prices& prices) const {
    double sum = -supply(prices);
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      sum += *std::min_element(costs(j), costs(j) + ends_[j] + 1);
    return sum;
  }

  // The same with a soft minimum, and what each instant lacks then: its gradient.
  double soft_excess(const Prices& prices, double softness, Prices& lacks) {
    constexpr double negligible = 14;  // e^-14
    for (std::size_t row = 0; row <= rows; ++row) {
      lacks.maps[row] = -map_supply(row);
      lacks.reduces[row] = -reduce_supply(row);
    }
    double sum = -supply(prices);
    std::vector<double> share(rows + 1);
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const double* const cost = costs(j);
      const std::size_t intervals = ends_[j] + 1;
      const double least = *std::min_element(cost, cost + intervals);
      double whole = 0;
      for (std::size_t k = 0; k < intervals; ++k) {
        const double above = (cost[k] - least) / softness;
        whole += share[k] = above < negligible ? std::exp(-above) : 0;
      }
      sum += least - softness * std::log(whole);
      for (std::size_t k = 0; k < intervals; ++k) {
        if (share[k] == 0) continue;
        const double part = share[k] / whole;
        const double* const maps = &maps_[j * points + k];
        const double* const reduces =
            k + 1 == intervals ? &soonest_[j * (rows + 1)] : &reduces_[j * points + k + 1];
        for (std::size_t row = 0; row <= rows; ++row) {
          lacks.maps[row] += part * maps[row];
          lacks.reduces[row] += part * reduces[row];
        }
      }
    }
    return sum;
  }

 private:
  static constexpr std::size_t points = 2 * rows + 3;

  [[nodiscard]] const double* costs(std::size_t job) const { return &cost_[job * (rows + 1)]; }
  [[nodiscard]] double map_supply(std::size_t row) const {
    return positive(static_cast<double>(row) * step_ - first_);
  }
  [[nodiscard]] double reduce_supply(std::size_t row) const {
    return positive(makespan_ - static_cast<double>(row) * step_);
  }
  [[nodiscard]] double supply(const Prices& prices) const {
    double sum = 0;
    for (std::size_t row = 0; row <= rows; ++row)
      sum += prices.maps[row] * map_supply(row) + prices.reduces[row] * reduce_supply(row);
    return sum;
  }

  std::span<const DemandJob> jobs_;
  double map_slots_, reduce_slots_;
  double step_;
  double first_ = 0;  // submission of all
  double makespan_ = 0;
  // Demand by job and interval + row, of maps where the interval ends and of reduces where it begins: at u,
  // what its maps ask for by deadline − u·step before their end, and its reduces u·step − deadline after it.
  std::vector<double> maps_, reduces_;
  std::vector<double> soonest_;    // of reduces by job and row, of the last interval: it may be shorter
  std::vector<std::size_t> ends_;  // by job: its last interval
  std::vector<double> cost_;       // by job and interval
};

class Ascent {
 public:
  Ascent(std::span<const DemandJob> jobs, SlotPool pool, std::int64_t known, double multiplications)
      : relaxation_(jobs, pool, known),
        known_(static_cast<double>(known)),
        proven_(known_),
        prices_(1),
        tried_(0),
        lacks_(0),
        tried_lacks_(0) {
    prices_.scale();
    left_ = multiplications / (static_cast<double>(jobs.size()) * 3 * rows * rows);
  }

  double run(const Stop& stop) {
    const double width = relaxation_.step();
    double softness = smoothest * width, rate = 0.05 / width;
    aim_above();
    double now = look(prices_, softness, lacks_), before = now;
    const auto sharpen = [&] {
      softness /= 2;
      now = look(prices_, softness, lacks_);
    };
    for (std::size_t step = 0, last = 0; step < last + patience && left_ > 0 && !stop.now(); ++step) {
      climb(rate);
      double there = look(tried_, softness, tried_lacks_);
      if (shown(tried_)) {
        last = step;
        softness = std::min(smoothest * width, 4 * softness);  // further up the way is long again
        rate *= 4;
        raise();
        aim_above();
        there = look(tried_, softness, tried_lacks_);
        now = -std::numeric_limits<double>::max();
      }
      if (there > now) {
        std::swap(prices_, tried_);
        std::swap(lacks_, tried_lacks_);
        now = there;
        rate *= 1.3;
      } else {
        rate /= 2;
        if (rate * width < 1e-9) rate = 1e-3 / width, sharpen();
      }
      if (step % 20 != 19) continue;
      if (now - before < 1e-3 * std::abs(now) + 1e-5 * width && softness > sharpest * width) sharpen();
      before = now;
    }
    return proven_;
  }

 private:
  void aim_above() { relaxation_.set(std::min(proven_ + aim * known_, relaxation_.furthest())); }
  double look(const Prices& prices, double softness, Prices& lacks) {
    --left_;
    relaxation_.price(prices);
    return relaxation_.soft_excess(prices, softness, lacks);
  }
  [[nodiscard]] bool shown(const Prices& prices) const {
    return relaxation_.excess(prices) > surely * relaxation_.step();
  }
  void climb(double rate) {
    constexpr double least = 1e-12;
    double most = 0;
    for (std::size_t row = 0; row <= rows; ++row)
      most = std::max({most, lacks_.maps[row], lacks_.reduces[row]});
    for (std::size_t row = 0; row <= rows; ++row) {
      tried_.maps[row] = std::max(least, prices_.maps[row] * std::exp(rate * (lacks_.maps[row] - most)));
      tried_.reduces[row] =
          std::max(least, prices_.reduces[row] * std::exp(rate * (lacks_.reduces[row] - most)));
    }
    tried_.scale();
  }
  // The makespan is shown to be too small at the prices tried: how much larger may it be?
  void raise() {
    proven_ = relaxation_.makespan();
    for (double by = aim * known_; by > finest * known_;) {
      const double further = std::min(proven_ + by, relaxation_.furthest());
      if (further == proven_) return;
      --left_;
      relaxation_.set(further);
      relaxation_.price(tried_);
      if (shown(tried_)) {
        proven_ = further;
        by *= 2;
      } else {
        by /= 4;
      }
    }
  }

  Relaxation relaxation_;
  double known_, proven_;
  double left_;  // times that all may be priced
  Prices prices_, tried_, lacks_, tried_lacks_;
};

}  // namespace

std::int64_t demand_bound(std::span<const DemandJob> jobs, SlotPool pool, std::int64_t known,
                          double multiplications, const Stop& stop) {
  if (jobs.size() < 2 || known <= 0) return known;
  return std::max(
      known, static_cast<std::int64_t>(std::floor(Ascent(jobs, pool, known, multiplications).run(stop))));
}

}  // namespace wavewright
