#include "wavewright/cloud/instances/instance_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "wavewright/cloud/instances/lease_price.h"
#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr double rounding = 1e-9;

auto order_of(const InstanceOption& option) {
  return std::tuple(option.expected_usd, option.time_ms, option.machines);
}

void check(const InstanceQuestion& question) {
  if (question.deadline <= Duration{}) throw UsageError("a deadline of 0", "give a time above 0");
  if (!(question.probability > 0 && question.probability <= 1))
    throw UsageError("a probability that is not above 0 and at most 1", "give one like 0.95");
  if (question.maps + question.reduces < 1) throw UsageError("a job without tasks", "name another job");
  if (question.task.memory.count < 1 || !(question.task.for_system >= 0 && question.task.for_system < 1))
    throw UsageError("a task without memory", "give a size above 0");
  if (question.starts < 1 || question.most_bids < 1 || question.most_numbers < 2)
    throw UsageError("nothing to try", "try at least one start and bid, and two numbers of machines");
}

// The cheapest sufficient option of one type.
class TypeSearch {
 public:
  TypeSearch(const InstanceType& type, SlotPool each, const InstanceQuestion& question)
      : type_(type), question_(question) {
    for (const PriceHistory& history : question.histories)
      if (history.market().instance_type == type.name)
        markets_.push_back({&history, bids_tried(history, type.per_hour, question.most_bids)});
    most_ = 1;
    if (question.maps > 0) most_ = std::max(most_, divide_up(question.maps, each.map_slots));
    if (question.reduces > 0) most_ = std::max(most_, divide_up(question.reduces, each.reduce_slots));
    most_ = std::min(most_, question.most_machines);
  }

  void run() {
    const InstanceOption& largest = on_demand(most_);
    if (question_.monotone && !meets(largest)) return;
    const Count first = question_.monotone ? fewest() : 1;
    try_number(first);
    if (question_.monotone) try_number(most_);
    const double least = question_.monotone ? least_cost(largest) : 0;
    const Count last = last_worthwhile(least);
    if (last - first < question_.most_numbers) {
      for (Count n = first + 1; n <= last_worthwhile(least) && !question_.stop.now(); ++n) try_number(n);
    } else {
      exact_ = false;
      try_some(first, last);
    }
    exact_ = exact_ && !question_.stop.now();
  }

  [[nodiscard]] const std::optional<InstanceOption>& best() const { return best_; }
  [[nodiscard]] bool exact() const { return exact_; }
  // Of the numbers tried, the earliest time that can be promised.
  [[nodiscard]] const InstanceOption& earliest() const {
    const auto sooner = [](const auto& a, const auto& b) { return a.second.time_ms < b.second.time_ms; };
    return std::min_element(tried_.begin(), tried_.end(), sooner)->second;
  }
  [[nodiscard]] std::optional<Money> least_bid() const {
    if (!best_) return std::nullopt;
    for (const auto& [history, bids] : markets_)
      for (const Money bid : bids)
        if (history->market().zone == best_->zone &&
            meets(evaluate_option(type_, best_->machines, bid, history, question_)))
          return bid;
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool meets(const InstanceOption& option) const {
    return option.probability >= question_.probability - rounding;
  }

  const InstanceOption& on_demand(Count machines) {
    const auto known = tried_.find(machines);
    if (known != tried_.end()) return known->second;
    return tried_.emplace(machines, evaluate_option(type_, machines, {}, nullptr, question_)).first->second;
  }

  // On demand, by halving; spot machines never end a job earlier.
  Count fewest() {
    Count low = 1, high = most_;
    while (low < high) {
      const Count middle = low + (high - low) / 2;
      (meets(on_demand(middle)) ? high : low) = meets(on_demand(middle)) ? middle : middle + 1;
    }
    return low;
  }

  void consider(const InstanceOption& option) {
    if (meets(option) && (!best_ || order_of(option) < order_of(*best_))) best_ = option;
  }

  void try_number(Count machines) {
    const InstanceOption& plain = on_demand(machines);
    if (!meets(plain)) return;
    consider(plain);
    for (const auto& [history, bids] : markets_)
      for (const Money bid : bids) consider(evaluate_option(type_, machines, bid, history, question_));
  }

  // What a machine costs at least, in USD, however many there are: the least price for the shortest time.
  [[nodiscard]] double least_cost(const InstanceOption& largest) const {
    Money price = type_.per_hour;
    for (const auto& [history, bids] : markets_)
      for (const PricePoint& point : history->points()) price = std::min(price, point.per_hour);
    double shortest = 1e300;
    for (const double time : question_.times_ms(largest.slots)) shortest = std::min(shortest, time);
    constexpr double pieces = 1e-5;  // a bill in several pieces may be a micro-dollar less a piece
    const Duration kept = ms(static_cast<std::int64_t>(shortest / type_.speed));
    return to_usd(on_demand_bill(price, kept, question_.billing)) - pieces;
  }

  // More machines than these cost more than the best.
  [[nodiscard]] Count last_worthwhile(double least_cost) const {
    if (!best_ || least_cost <= 0 || best_->expected_usd / least_cost > 1e15) return most_;
    return std::min(most_, static_cast<Count>(best_->expected_usd / least_cost) + 1);
  }

  void try_some(Count first, Count last) {
    const Count half = question_.most_numbers / 2;
    const double ratio = static_cast<double>(last) / static_cast<double>(first);
    Count before = first;
    for (Count i = 1; i <= half && !question_.stop.now(); ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(half);
      const auto n = static_cast<Count>(std::llround(static_cast<double>(first) * std::pow(ratio, share)));
      if (n > before) try_number(n);
      before = std::max(before, n);
    }
    if (!best_) return;
    const Count middle = best_->machines;
    for (Count n = std::max(first, middle - half / 2); n <= std::min(last, middle + half / 2); ++n) {
      if (question_.stop.now()) return;
      try_number(n);
    }
  }

  struct SpotMarket {
    const PriceHistory* history;
    std::vector<Money> bids;
  };
  const InstanceType& type_;
  const InstanceQuestion& question_;
  std::vector<SpotMarket> markets_;
  Count most_ = 1;
  std::map<Count, InstanceOption> tried_;  // on demand
  std::optional<InstanceOption> best_;
  bool exact_ = true;
};

// Types of the same number of tasks at once ask for the same times.
JobTimes remembered(const JobTimes& times) {
  return [times, known = std::map<std::pair<Count, Count>, std::vector<double>>()](SlotPool slots) mutable {
    const auto key = std::pair(slots.map_slots, slots.reduce_slots);
    const auto found = known.find(key);
    return found != known.end() ? found->second : known.emplace(key, times(slots)).first->second;
  };
}

[[noreturn]] void refuse(const InstanceOption& earliest, const InstanceQuestion& question) {
  throw Infeasible(
      fmt::format(
          "no machines of the catalogue meet {} in {:g} % of runs; the earliest that can be promised is {}, "
          "on {} {}",
          format_duration(question.deadline), 100 * question.probability,
          format_duration(ms(std::llround(earliest.time_ms))), earliest.machines, earliest.type),
      "give a later deadline, or a lower probability");
}

}  // namespace

InstanceChoice choose_instances(const Catalogue& catalogue, const InstanceQuestion& asked) {
  check(asked);
  InstanceQuestion question = asked;
  question.times_ms = remembered(asked.times_ms);
  InstanceChoice choice;
  std::optional<InstanceOption> earliest;
  for (const InstanceType& type : catalogue.types) {
    const SlotPool each = machine_slots(type, question.task);
    if ((question.maps > 0 && each.map_slots < 1) || (question.reduces > 0 && each.reduce_slots < 1))
      continue;
    TypeSearch search(type, each, question);
    search.run();
    choice.exact = choice.exact && search.exact();
    if (!earliest || search.earliest().time_ms < earliest->time_ms) earliest = search.earliest();
    if (!search.best()) continue;
    const bool first = std::none_of(
        choice.by_type.begin(), choice.by_type.end(),
        [&](const InstanceOption& other) { return order_of(other) <= order_of(*search.best()); });
    if (first) choice.least_bid = search.least_bid();
    choice.by_type.push_back(*search.best());
  }
  if (!earliest) {
    throw UsageError(
        fmt::format("no type of the catalogue has room for a task of {}", format_bytes(question.task.memory)),
        "give a smaller --task-memory");
  }
  if (choice.by_type.empty()) refuse(*earliest, question);
  std::stable_sort(
      choice.by_type.begin(), choice.by_type.end(),
      [](const InstanceOption& a, const InstanceOption& b) { return order_of(a) < order_of(b); });
  choice.best = choice.by_type.front();
  return choice;
}

}  // namespace wavewright
