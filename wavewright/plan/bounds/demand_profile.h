// Demand of tasks as a function of an instant d: Σ min(length, (latest − d)⁺) at d = from + u·step for u = 0,
// 1, …, where a task starts no later than latest − length. The demand of one task falls from its length to 0.
// It is convex only at `latest`, so a line between neighbouring points lies above it only in that step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace wavewright {

class DemandProfile {
 public:
  DemandProfile(double from, double step, std::size_t points) { clear(from, step, points); }

  // Resets to an empty profile.
  void clear(double from, double step, std::size_t points) {
    from_ = from;
    step_ = step;
    points_.assign(points + 1, {});
  }
  // O(1).
  void add(double length, double latest) {
    const std::size_t falls = point(latest - length), gone = point(latest);
    points_[0].whole += length;
    points_[falls].whole -= length;
    points_[falls].sum += latest;
    points_[gone].sum -= latest;
    points_[falls].count += 1;
    points_[gone].count -= 1;
    if (gone == 0 || gone + 1 == points_.size()) return;
    // The line between the points beside `latest` must begin lower by this much to stay below the demand.
    points_[gone - 1].lower += std::clamp(latest - at(gone - 1), 0.0, length);
  }
  // Adds tasks that start in their order; the last one starts no later than its length before 0. O(1) each.
  void add_in_order(std::span<const std::int64_t> lengths) {
    double behind = 0;
    for (std::size_t i = lengths.size(); i-- > 0;) {
      const auto length = static_cast<double>(lengths[i]);
      behind = std::max(behind, length);
      add(length, behind);
    }
  }
  // Calls each(u, demand / slots) for each point, u = 0 first. O(points).
  template <typename Each>
  void each(double slots, Each each) const {
    Point now;
    for (std::size_t u = 0; u + 1 < points_.size(); ++u) each(u, demand(u, now) / slots);
  }
  // Calls each(u, demand / slots, begin / slots) for every `parts`th point, u = 0 first. O(points). `begin`:
  // highest start of a line to the demand at the next such point that is nowhere above the demand; at least
  // its end.
  template <typename Each>
  void each_line(std::size_t parts, double slots, Each each) const {
    Point now;
    double exact = demand(0, now);
    std::vector<double> below(parts);
    for (std::size_t from = 0, u = 0; from + parts + 1 < points_.size(); from += parts, ++u) {
      const double begin = exact;
      for (std::size_t i = 0; i < parts; ++i) {
        below[i] = exact - points_[from + i].lower;
        exact = demand(from + i + 1, now);
      }
      double least = std::numeric_limits<double>::max();
      for (std::size_t i = 0; i < parts; ++i)
        least = std::min(least, (below[i] - exact) / static_cast<double>(parts - i));
      each(u, begin / slots, (exact + positive(least) * static_cast<double>(parts)) / slots);
    }
    each((points_.size() - 2) / parts, exact / slots, exact / slots);
  }

 private:
  // Changes from point to point.
  struct Point {
    double whole = 0, sum = 0, count = 0;  // whole lengths; latest and number of tasks that are falling
    double lower = 0;                      // correction of a line that begins here
  };

  static double positive(double x) { return std::max(0.0, x); }
  [[nodiscard]] double at(std::size_t u) const { return from_ + static_cast<double>(u) * step_; }
  // The demand at point u; `now` is the sum of the points before it.
  double demand(std::size_t u, Point& now) const {
    now.whole += points_[u].whole, now.sum += points_[u].sum, now.count += points_[u].count;
    return positive(now.whole + now.sum - now.count * at(u));
  }
  // The first point at or after d.
  [[nodiscard]] std::size_t point(double d) const {
    const double steps = std::ceil((d - from_) / step_);
    return static_cast<std::size_t>(std::clamp(steps, 0.0, static_cast<double>(points_.size() - 1)));
  }

  double from_ = 0, step_ = 1;
  std::vector<Point> points_;
};

}  // namespace wavewright
