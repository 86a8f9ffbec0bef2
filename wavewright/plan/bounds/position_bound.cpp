#include "wavewright/plan/bounds/position_bound.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "wavewright/plan/bounds/assignment.h"

namespace wavewright {

PositionBound::PositionBound(std::span<const FlowJob> jobs)
    : jobs_(jobs.begin(), jobs.end()), multipliers_(jobs.size() + 1, 0) {}

std::int64_t PositionBound::assigned(std::uint32_t left) {
  const auto count = static_cast<std::size_t>(std::popcount(left));
  const std::size_t first = jobs_.size() - count;
  order_.clear();
  for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
    if ((left >> job & 1) != 0) order_.push_back(job);
  }
  cost_.resize(count * count);
  for (std::size_t row = 0; row < count; ++row) {
    const FlowJob& job = jobs_[order_[row]];
    for (std::size_t column = 0; column < count; ++column) {
      const std::size_t place = first + column;
      const auto behind = static_cast<std::int64_t>(jobs_.size() - place);  // jobs from this position on
      cost_[row * count + column] =
          (unit * behind - multipliers_[place]) * job.map + (unit + multipliers_[place + 1]) * job.reduce;
    }
  }
  const Assignment found = assign(cost_, count);
  const std::vector<std::uint32_t> rows = order_;
  for (std::size_t column = 0; column < count; ++column) order_[column] = rows[found.row_of_column[column]];
  return found.cost;
}

std::int64_t PositionBound::of(std::int64_t assigned, std::uint32_t left, std::int64_t lag) const {
  const std::size_t first = jobs_.size() - static_cast<std::size_t>(std::popcount(left));
  return (assigned + multipliers_[first] * lag + unit - 1) / unit;
}

void PositionBound::clamp(std::vector<double>& multipliers, std::size_t first) {
  multipliers.back() = 0;
  for (std::size_t place = jobs_.size(); place-- > first;)
    multipliers[place] = std::clamp(multipliers[place], 0.0, 1 + multipliers[place + 1]);
  // Rounding down keeps each at most 1 above the next.
  for (std::size_t place = first; place < jobs_.size(); ++place)
    multipliers_[place] =
        static_cast<std::int64_t>(std::floor(multipliers[place] * static_cast<double>(unit)));
}

void PositionBound::improve(std::uint32_t left, std::int64_t lag, std::int64_t target, int rounds) {
  const std::size_t first = jobs_.size() - static_cast<std::size_t>(std::popcount(left));
  if (left == 0) return;
  std::vector<double> now(multipliers_.size());
  for (std::size_t place = 0; place < now.size(); ++place)
    now[place] = static_cast<double>(multipliers_[place]) / static_cast<double>(unit);
  std::vector<std::int64_t> best = multipliers_;
  std::int64_t highest = of(assigned(left), left, lag);
  double stride = 1;
  for (int round = 0, idle = 0; round < rounds && highest < target; ++round) {
    const std::int64_t value = of(assigned(left), left, lag);
    if (value > highest) {
      highest = value;
      best = multipliers_;
      idle = 0;
    } else if (++idle >= 8) {
      stride /= 2;
      idle = 0;
    }
    std::vector<double> slope(jobs_.size(), 0);
    double square = 0;
    for (std::size_t place = first; place < jobs_.size(); ++place) {
      const std::int64_t waits = place == first ? lag : jobs_[order_[place - first - 1]].reduce;
      slope[place] = static_cast<double>(waits - jobs_[order_[place - first]].map);
      square += slope[place] * slope[place];
    }
    if (square == 0) break;
    const double step = stride * static_cast<double>(target - value) / square;
    for (std::size_t place = first; place < jobs_.size(); ++place) now[place] += step * slope[place];
    clamp(now, first);
  }
  multipliers_ = best;
}

}  // namespace wavewright
