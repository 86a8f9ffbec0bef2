#include "wavewright/plan/methods/order_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wavewright {

namespace {

constexpr std::uint64_t first_round = 20'000;  // evaluations; each later round has twice as many
constexpr double warmest = 9e-4;               // of the target: a rise that a round's beginning may accept
constexpr std::uint64_t stop_every = 16;       // evaluations
constexpr std::size_t near = 8;                // positions
constexpr double nearly_late = 0.9;            // of the target: from there on a job's end counts

void move_job(std::vector<JobIndex>& order, std::size_t from, std::size_t to) {
  const auto at = [&](std::size_t position) { return order.begin() + static_cast<std::ptrdiff_t>(position); };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
}

}  // namespace

OrderSearch::OrderSearch(ListSchedule& schedule, Objective objective, std::uint64_t seed)
    : schedule_(schedule), objective_(objective), random_(seed, "plan/order_search") {}

// Most changes leave the last end as it is: ends near it count too, each the 16th power of how late it is.
double OrderSearch::cost(Value value) const {
  if (objective_ == Objective::total_completion)
    return static_cast<double>(to_ms(value.total_completion)) / target_;
  const double from = nearly_late * target_;
  double sum = 0;
  for (const std::int64_t end : schedule_.ends()) {
    const double late = std::max(0.0, static_cast<double>(end) - from) / target_;
    const double squared = late * late, fourth = squared * squared, eighth = fourth * fourth;
    sum += eighth * eighth;
  }
  return std::sqrt(std::sqrt(std::sqrt(std::sqrt(sum))));
}

double OrderSearch::evaluate(const TwoOrders& orders) {
  ++evaluations_;
  const Value value = schedule_.value(orders.maps, orders.reduces);
  const auto key = [&](const Value& of) {
    return objective_ == Objective::makespan ? std::pair(of.makespan, of.total_completion)
                                             : std::pair(of.total_completion, of.makespan);
  };
  if (evaluations_ == 1 || key(value) < key(best_value_)) {
    best_ = orders;
    best_value_ = value;
  }
  return cost(value);
}

const TwoOrders& OrderSearch::run(const TwoOrders& start, const SearchLimits& limits, const Stop& stop) {
  target_ = static_cast<double>(to_ms(limits.target > Duration{}
                                          ? limits.target
                                          : schedule_.value(start.maps, start.reduces).of(objective_)));
  target_ = std::max(1.0, target_);
  evaluate(start);
  if (start.maps.size() < 2) return best_;
  for (std::uint64_t length = first_round; going_on(limits); length *= 2) {
    const std::uint64_t until = std::min(limits.evaluations, evaluations_ + length);
    round({until, limits.target}, stop);
  }
  return best_;
}

bool OrderSearch::going_on(const SearchLimits& limits) const {
  return !stopped_ && evaluations_ < limits.evaluations && best_value_.of(objective_) > limits.target;
}

void OrderSearch::round(const SearchLimits& limits, const Stop& stop) {
  const std::uint64_t from = evaluations_;
  TwoOrders now = best_, tried;
  double cost_now = evaluate(now);
  for (std::uint64_t step = 0; going_on(limits); ++step) {
    if (step % stop_every == 0 && stop.now()) {
      stopped_ = true;
      return;
    }
    tried = now;
    change(tried);
    const double cost_tried = evaluate(tried);
    const double left = static_cast<double>(limits.evaluations - evaluations_) /
                        static_cast<double>(limits.evaluations - from);
    const double warmth = std::max(1e-12, warmest * left * left);
    if (cost_tried <= cost_now || std::exp((cost_now - cost_tried) / warmth) > random_.unit()) {
      std::swap(now, tried);
      cost_now = cost_tried;
    }
  }
}

void OrderSearch::change(TwoOrders& orders) {
  const std::uint64_t which = random_.below(5);
  std::vector<JobIndex>& order = which < 3 ? orders.maps : orders.reduces;
  const std::size_t from = random_.below(order.size());
  std::size_t to = random_.below(order.size());
  if (random_.below(2) == 0) {
    const std::size_t by = 1 + random_.below(near);
    to = random_.below(2) == 0 ? from - std::min(from, by) : std::min(order.size() - 1, from + by);
  }
  if (random_.below(4) == 0) return std::swap(order[from], order[to]);
  const JobIndex job = order[from];
  move_job(order, from, to);
  if (which != 0) return;
  std::vector<JobIndex>& twin = orders.reduces;
  move_job(twin, static_cast<std::size_t>(std::find(twin.begin(), twin.end(), job) - twin.begin()), to);
}

}  // namespace wavewright
