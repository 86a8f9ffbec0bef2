#include "wavewright/plan/methods/order_annealing.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <tbb/parallel_for.h>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/methods/late_ends.h"

namespace wavewright {

namespace {

constexpr std::uint64_t tries_between_looks = 16;
// Kinds of moves, in 20: 10 are in both orders; 4 go close by, at most 0.4 of the jobs further.
constexpr std::uint64_t of_moves = 20, in_both = 10, close_by = 4;
constexpr double reach = 0.4;

struct Cooling {
  double first;  // temperature, of the unit of costs
  double last_of_first;
};
struct Pace {
  Cooling makespan;       // unit: the target
  Cooling total;          // unit: the mean completion time of the first orders
  std::uint64_t of_late;  // of 20 moves for the makespan, so many take a job that ends late or delays one
  std::size_t parts;      // after each, the chains go on from the orders of the best one
};
// With `after` a move changes more, so good orders lie further apart.
constexpr Pace pace_alone{{3e-4, 1e-3}, {0.12, 5e-3}, 5, 32};
constexpr Pace pace_of_workflows{{2e-3, 1e-2}, {0.16, 1e-2}, 10, 128};

Pace pace_of(const Precedence& precedence) {
  return precedence.empty() ? pace_alone : pace_of_workflows;
}

// One chain of the search.
class OrderChain {
 public:
  OrderChain(MovedOrders& schedule, Objective objective, std::uint64_t seed, std::uint64_t number,
             const SearchLimits& limits, const Precedence& precedence)
      : schedule_(schedule),
        precedence_(precedence),
        pace_(pace_of(precedence)),
        objective_(objective),
        limits_(limits),
        limit_value_(static_cast<double>(to_ms(limits.target))),
        target_(std::max(1.0, limit_value_)),
        random_(seed, "plan/order_annealing", number) {}

  // Begins with the best of `starts`.
  void begin(std::span<const TwoOrders> starts) {
    began_ = Stop::Clock::now();
    for (const TwoOrders& start : starts) {
      const auto value = static_cast<double>(to_ms(schedule_.start(start).of(objective_)));
      if (++found_.evaluations > 1 && value >= found_.cost) continue;
      found_.best = start;
      found_.cost = value;
    }
    warmest_ = cooling().first;
    if (objective_ == Objective::total_completion)
      warmest_ *= found_.cost / static_cast<double>(found_.best.maps.size());
    go_to(found_.best);
  }
  void go_to(const TwoOrders& orders) {
    cost_now_ = cost(schedule_.start(orders));
    ++found_.evaluations;
    find_late();
  }
  // Goes on until that share of the evaluations or of the time is over.
  void advance(double share, const Stop& stop) {
    double gone = 0;
    while (!ended() && gone < share) {
      if (stop.now()) {
        found_.stopped = true;
        return;
      }
      const double of_tries =
          static_cast<double>(found_.evaluations) / static_cast<double>(limits_.evaluations);
      gone = std::max(stop.gone(began_), of_tries);
      warmth_ = warmest_ * std::pow(cooling().last_of_first, gone);
      for (std::uint64_t i = 0; i < tries_between_looks && !ended(); ++i) step();
    }
  }

  [[nodiscard]] bool ended() const {
    return found_.stopped || found_.evaluations >= limits_.evaluations || found_.cost <= limit_value_ ||
           found_.best.maps.size() < 2;
  }
  [[nodiscard]] double cost_now() const { return cost_now_; }
  [[nodiscard]] TwoOrders orders_now() const {
    return {{schedule_.kept_maps().begin(), schedule_.kept_maps().end()},
            {schedule_.kept_reduces().begin(), schedule_.kept_reduces().end()}};
  }
  [[nodiscard]] const OrderSearchResult& found() const { return found_; }

 private:
  [[nodiscard]] const Cooling& cooling() const {
    return objective_ == Objective::makespan ? pace_.makespan : pace_.total;
  }
  // Costs and temperatures: ms for the total completion time, shares of the target for the makespan.
  [[nodiscard]] double cost(PlanValue value) const {
    if (objective_ == Objective::total_completion) return static_cast<double>(to_ms(value.total_completion));
    return cost_of_late_ends(schedule_.ends(), target_);
  }
  // The value of orders that cost no more than `most`; others may give none.
  [[nodiscard]] std::optional<PlanValue> value_within(const MovedOrders::Move& move, double most) {
    const bool makespan = objective_ == Objective::makespan;
    const double limit = std::min(1e17, makespan ? (nearly_late + most) * target_ : most);
    const std::int64_t at_most = static_cast<std::int64_t>(limit) + 1;
    return schedule_.value_within(move, makespan ? at_most : no_time, makespan ? no_time : at_most);
  }

  void step() {
    ++found_.evaluations;
    const double most = cost_now_ - warmth_ * std::log(1 - random_.unit());
    const std::optional<PlanValue> value = value_within(next_move(), most);
    if (!value) return;
    const double cost_tried = cost(*value);
    if (cost_tried > most) return;
    cost_now_ = cost_tried;
    schedule_.keep();
    find_late();
    const auto reached = static_cast<double>(to_ms(value->of(objective_)));
    if (reached >= found_.cost) return;
    found_.best = orders_now();
    found_.cost = reached;
  }

  MovedOrders::Move next_move() {
    const std::span<const JobIndex> maps = schedule_.kept_maps();
    const bool both = random_.below(of_moves) < in_both, reduces = !both && random_.below(2) == 0;
    std::size_t from = random_.below(maps.size());
    if (!late_.empty() && random_.below(of_moves) < pace_.of_late) {
      const JobIndex job = late_[random_.below(late_.size())];
      from = reduces ? schedule_.place_in_reduces(job) : schedule_.place_in_maps(job);
    }
    const std::size_t to =
        random_.below(of_moves) < close_by ? near_to(from, maps.size()) : random_.below(maps.size());
    const OrderMove move{from, to, random_.below(2) == 0};
    if (reduces) return {{}, move};
    if (!both) return {move, {}};
    return {move, {schedule_.place_in_reduces(maps[from]), schedule_.place_in_reduces(maps[to]), move.swaps}};
  }
  // Mostly a few positions from `from`.
  std::size_t near_to(std::size_t from, std::size_t jobs) {
    const double unit = random_.unit();
    const auto by = 1 + static_cast<std::size_t>(unit * unit * unit * reach * static_cast<double>(jobs));
    return random_.below(2) == 0 ? from - std::min(from, by) : std::min(jobs - 1, from + by);
  }

  // The jobs that end late; and of each the predecessor that ends last, its predecessor, and so on.
  void find_late() {
    late_.clear();
    if (objective_ != Objective::makespan) return;
    const std::span<const std::int64_t> ends = schedule_.ends();
    const auto ends_first = [&](JobIndex a, JobIndex b) { return ends[a] < ends[b]; };
    for (JobIndex job = 0; job < ends.size(); ++job) {
      if (static_cast<double>(ends[job]) <= nearly_late * target_) continue;
      late_.push_back(job);
      for (JobIndex at = job;;) {
        const std::span<const JobIndex> before = precedence_.predecessors(at);
        if (before.empty()) break;
        late_.push_back(at = *std::max_element(before.begin(), before.end(), ends_first));
      }
    }
  }

  MovedOrders& schedule_;
  const Precedence& precedence_;
  const Pace pace_;
  const Objective objective_;
  const SearchLimits limits_;
  const double limit_value_;  // ms: the search ends there
  const double target_;       // ms: unit of costs of the makespan
  Random random_;
  Stop::Clock::time_point began_;
  OrderSearchResult found_;
  double warmest_ = 0, warmth_ = 0, cost_now_ = 0;
  std::vector<JobIndex> late_;  // of the kept schedule; see find_late()
};

}  // namespace

OrderSearchResult anneal_orders(std::span<const TwoOrders> starts, const PlanningProblem& problem,
                                std::uint64_t seed, const SearchLimits& limits, std::size_t chains,
                                const Stop& stop) {
  const Precedence precedence(*problem.batch);
  const std::size_t parts = pace_of(precedence).parts;
  std::vector<std::unique_ptr<MovedOrders>> schedules;
  std::vector<OrderChain> all;
  SearchLimits own = limits;
  own.evaluations = std::max<std::uint64_t>(1, limits.evaluations / chains);
  for (std::size_t chain = 0; chain < chains; ++chain) {
    schedules.push_back(moved_orders(*problem.batch, problem.cluster));
    all.emplace_back(*schedules.back(), problem.objective, seed, chain, own, precedence);
  }
  for (std::size_t part = 0; part <= parts; ++part) {
    tbb::parallel_for(std::size_t{0}, chains, [&](std::size_t chain) {
      if (part == 0) return all[chain].begin(starts);
      all[chain].advance(static_cast<double>(part) / static_cast<double>(parts), stop);
    });
    const OrderChain& best = *std::min_element(
        all.begin(), all.end(),
        [](const OrderChain& a, const OrderChain& b) { return a.cost_now() < b.cost_now(); });
    for (OrderChain& chain : all) {
      if (chain.cost_now() > best.cost_now() && !chain.ended()) chain.go_to(best.orders_now());
    }
  }
  const auto cheaper = [](const OrderChain& a, const OrderChain& b) {
    return a.found().cost < b.found().cost;
  };
  OrderSearchResult found = std::min_element(all.begin(), all.end(), cheaper)->found();
  found.evaluations = 0;
  for (const OrderChain& chain : all) {
    found.evaluations += chain.found().evaluations;
    found.stopped = found.stopped || chain.found().stopped;
  }
  return found;
}

}  // namespace wavewright
