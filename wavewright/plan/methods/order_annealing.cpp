#include "wavewright/plan/methods/order_annealing.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

constexpr double warmest_of_mean = 0.04;  // first temperature, of the mean completion time
constexpr double coldest_of_first = 1e-3;
constexpr std::uint64_t nearby = 10;  // positions
constexpr std::uint64_t tries_between_looks = 16;

using Order = std::vector<JobIndex>;

void move_or_swap(Order& order, std::size_t from, std::size_t to, bool swaps) {
  const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  if (swaps) {
    std::iter_swap(at(from), at(to));
  } else if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
}

std::size_t position_of(const Order& order, JobIndex job) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), job) - order.begin());
}

void swap_or_move_job(TwoOrders& orders, Random& random) {
  const std::size_t jobs = orders.maps.size();
  const std::uint64_t which = random.below(3);
  const std::size_t from = random.below(jobs);
  std::size_t to = random.below(jobs);
  if (random.below(2) == 0) {
    const std::size_t least = from > nearby ? from - nearby : 0;
    to = least + random.below(std::min<std::size_t>(jobs - 1, from + nearby) - least + 1);
  }
  const bool swaps = random.below(2) == 0;
  if (which == 1) return move_or_swap(orders.reduces, from, to, swaps);
  const JobIndex job = orders.maps[from], other = orders.maps[to];
  move_or_swap(orders.maps, from, to, swaps);
  if (which == 0) return;
  move_or_swap(orders.reduces, position_of(orders.reduces, job), position_of(orders.reduces, other), swaps);
}

}  // namespace

LateAcceptanceResult anneal_orders(std::span<const TwoOrders> starts, AnySchedule& schedule,
                                   std::uint64_t seed, const SearchLimits& limits, const Stop& stop) {
  LateAcceptanceResult found;
  const auto cost = [&](const TwoOrders& orders) {
    ++found.evaluations;
    return static_cast<double>(to_ms(schedule.value(orders.maps, orders.reduces).total_completion));
  };
  for (const TwoOrders& start : starts) {
    const double value = cost(start);
    if (found.evaluations > 1 && value >= found.cost) continue;
    found.best = start;
    found.cost = value;
  }
  if (found.best.maps.size() < 2) return found;
  Random random(seed, "plan/order_annealing");
  TwoOrders now = found.best, tried;
  double cost_now = found.cost, time_gone = 0;
  const double first = warmest_of_mean * found.cost / static_cast<double>(now.maps.size());
  const auto target = static_cast<double>(to_ms(limits.target));
  const auto began = Stop::Clock::now();
  for (std::uint64_t step = 0; found.evaluations < limits.evaluations && found.cost > target; ++step) {
    if (step % tries_between_looks == 0) {
      if (stop.now()) {
        found.stopped = true;
        return found;
      }
      time_gone = stop.gone(began);
    }
    tried = now;
    swap_or_move_job(tried, random);
    const double cost_tried = cost(tried);
    const double gone = static_cast<double>(found.evaluations) / static_cast<double>(limits.evaluations);
    const double warmth = first * std::pow(coldest_of_first, std::max(time_gone, gone));
    if (cost_tried > cost_now && std::exp((cost_now - cost_tried) / warmth) <= random.unit()) continue;
    std::swap(now, tried);
    cost_now = cost_tried;
    if (cost_now >= found.cost) continue;
    found.best = now;
    found.cost = cost_now;
  }
  return found;
}

}  // namespace wavewright
