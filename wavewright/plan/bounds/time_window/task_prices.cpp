#include "wavewright/plan/bounds/time_window/task_prices.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

void PriceLine::set(std::span<const double> prices) {
  double sum = 0;
  for (std::size_t cell = 0; cell < cells_.count; ++cell) {
    price_[cell] = prices[cell];
    until_[cell] = sum;
    sum += prices[cell] * cells_.width;
  }
  until_[cells_.count] = sum;
}

double PriceLine::until(double t) const {
  const std::size_t cell = std::min(cells_.count, cells_.cell_at(t));
  return until_[cell] + price_[cell] * (t - cells_.begin_of(cell));
}

TaskPrices::TaskPrices(double length, Cells cells) : length_(length) {
  const double beyond = length - std::floor(length / cells.width) * cells.width;
  for (std::size_t cell = 0; cell <= cells.count; ++cell) {
    bends_.push_back(cells.begin_of(cell));
    if (beyond > 0 && cell < cells.count) bends_.push_back(cells.begin_of(cell + 1) - beyond);
  }
  prices_.resize(bends_.size());
}

void TaskPrices::set(const PriceLine& line) {
  line_ = &line;
  for (std::size_t i = 0; i < bends_.size(); ++i) prices_[i] = at(bends_[i]);
}

std::size_t TaskPrices::behind(double start) const {
  return static_cast<std::size_t>(std::upper_bound(bends_.begin(), bends_.end(), start) - bends_.begin());
}

double TaskPrices::cheapest_start(double from, double to) const {
  double start = from, least = at(from);
  const auto look = [&](double there, double price) {
    if (price < least) least = price, start = there;
  };
  for (std::size_t i = behind(from); i < bends_.size() && bends_[i] < to; ++i) look(bends_[i], prices_[i]);
  if (to > from) look(to, at(to));
  return start;
}

void TaskPrices::least_between(std::span<const double> starts, std::span<double> least) const {
  if (starts.empty()) return;
  double before = at(starts[0]);
  std::size_t bend = behind(starts[0]);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const double price = at(starts[i + 1]);
    double own = std::min(before, price);
    for (; bend < bends_.size() && bends_[bend] <= starts[i + 1]; ++bend) own = std::min(own, prices_[bend]);
    least[i] = own;
    before = price;
  }
}

}  // namespace wavewright
