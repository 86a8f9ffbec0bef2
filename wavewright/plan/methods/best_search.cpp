#include "wavewright/plan/methods/best_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include "wavewright/plan/methods/order_annealing.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/schedule/list_schedule.h"

namespace wavewright {

namespace {

constexpr std::size_t walks = 2;  // parallel searches over rules, the same on any machine
using Moves = Annealing::Moves;
using MovesOfWalks = std::array<Moves, walks>;
constexpr MovesOfWalks all_moves{Moves::all, Moves::all};
constexpr MovesOfWalks due_time_moves{Moves::due_times, Moves::due_times};
constexpr MovesOfWalks mixed_moves{Moves::due_times, Moves::all};
constexpr std::size_t few = 20;  // jobs: with fewer, the position of a task matters much
// Of evaluations and time: of orders to start from, for the makespan; of the short search of both ways.
constexpr double orders_share = 0.1, trial_share = 0.15;
constexpr double nearly_equal = 0.003;  // of the total completion times of both ways

// Jobs in descending order of their longest reduce, which must follow their maps on one slot.
std::vector<JobIndex> longest_tail_order(const Workload& batch) {
  std::vector<Duration> tails;
  for (const Job& job : batch.jobs) {
    Duration longest{};
    for (std::size_t i = 0; i < job.reduces.size(); ++i) longest = std::max(longest, job.least_reduce(i));
    tails.push_back(longest);
  }
  std::vector<JobIndex> order = submission_order(batch);
  std::stable_sort(order.begin(), order.end(), [&](JobIndex a, JobIndex b) { return tails[a] > tails[b]; });
  return order;
}

class BestSearch {
 public:
  BestSearch(const PlanningProblem& problem, const Plan& plan, std::span<const std::int64_t> map_ends,
             const SearchLimits& limits)
      : problem_(problem),
        batch_(*problem.batch),
        pool_(problem.cluster.pool),
        schedule_(batch_, problem.cluster.slowstart),
        limits_(limits) {
    find_starts(plan, map_ends);
  }

  BestSearchResult run(const Stop& stop) {
    const bool makespan = problem_.objective == Objective::makespan;
    if (batch_.jobs.size() <= few) {
      search_rules(1, all_moves, stop);
    } else if (!ListSchedule::models(batch_, problem_.cluster)) {
      search_rules(1, makespan ? mixed_moves : due_time_moves, stop);
    } else if (makespan) {
      take(search_orders(orders_share, order_chains, stop.share(orders_share)));
      // Twice, so that each walk goes on from the better of both.
      const double half = (1 - orders_share) / 2;
      search_rules(half, all_moves, stop.share(0.5));
      search_rules(half, all_moves, stop);
      result_.stopped = result_.stopped && stop.now();
    } else {
      const auto [rules, orders] = search_both(trial_share, stop.share(trial_share));
      const double rest = 1 - trial_share;
      if (std::abs(rules / orders - 1) < nearly_equal) {
        (void)search_both(rest, stop);
      } else if (orders < rules) {
        take(search_orders(rest, order_chains, stop));
      } else {
        search_rules(rest, due_time_moves, stop);
      }
      result_.stopped = result_.stopped && stop.now();
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.value < b.value; });
    result_.value = schedule_.value(found_.front().rule);
    for (Found& found : found_) result_.rules.push_back(std::move(found.rule));
    return std::move(result_);
  }

 private:
  struct Found {
    PriorityRule rule;
    Duration value{};
    std::uint64_t evaluations = 0;
    bool stopped = false;
  };

  // The best plan so far; the best pair of the heuristics' orders; that pair with slack; and, if given, with
  // `map_ends` as due times.
  void find_starts(const Plan& plan, std::span<const std::int64_t> map_ends) {
    const std::vector<JobIndex> orders[] = {johnson_order(batch_, pool_), longest_tail_order(batch_),
                                            shortest_first_order(batch_, pool_), submission_order(batch_)};
    starts_ = {priority_rule_of(plan, batch_, pool_)};
    PriorityRule least = starts_.front();
    Duration value = value_of(least);
    for (const auto& maps : orders) {
      for (const auto& reduces : orders) {
        const PriorityRule rule = priority_rule_of_orders(batch_, pool_, maps, reduces);
        const Duration found = value_of(rule);
        if (found >= value) continue;
        value = found;
        least = rule;
      }
    }
    starts_.push_back(least);
    starts_.push_back(with_slack(least, schedule_));
    if (!map_ends.empty()) {
      starts_.push_back(starts_.back());
      starts_.back().maps.due.assign(map_ends.begin(), map_ends.end());
    }
  }
  [[nodiscard]] Duration value_of(const PriorityRule& rule) {
    return schedule_.value(rule).of(problem_.objective);
  }
  [[nodiscard]] SearchLimits limits_of(double share, std::size_t searches) const {
    SearchLimits own = limits_;
    own.evaluations = static_cast<std::uint64_t>(share * static_cast<double>(limits_.evaluations)) / searches;
    return own;
  }

  [[nodiscard]] Found search_orders(double share, std::size_t chains, const Stop& stop) const {
    const std::vector<TwoOrders> starts = usual_orders(batch_, pool_);
    const SearchLimits limits = limits_of(share, 1);
    const OrderSearchResult orders = anneal_orders(starts, problem_, problem_.seed, limits, chains, stop);
    return {priority_rule_of_orders(batch_, pool_, orders.best.maps, orders.best.reduces),
            ms(static_cast<std::int64_t>(orders.cost)), orders.evaluations, orders.stopped};
  }
  [[nodiscard]] Found search_rules_once(std::uint64_t seed, Moves moves, const SearchLimits& limits,
                                        const Stop& stop) const {
    PrioritySchedule own = schedule_;
    Annealing search(own, problem_.objective, seed, moves);
    search.run(starts_, limits, stop);
    return {search.best(), search.value().of(problem_.objective), search.evaluations(), search.stopped()};
  }

  void search_rules(double share, const MovesOfWalks& moves, const Stop& stop) {
    const SearchLimits limits = limits_of(share, walks);
    std::array<Found, walks> found;
    tbb::parallel_for(std::size_t{0}, walks, [&](std::size_t walk) {
      found[walk] = search_rules_once(problem_.seed + walk, moves[walk], limits, stop);
    });
    for (Found& one : found) take(std::move(one));
  }
  // Rules and orders at a time. Returns the two values, ms.
  std::pair<double, double> search_both(double share, const Stop& stop) {
    Found rules, orders;
    tbb::parallel_invoke(
        [&] { rules = search_rules_once(problem_.seed, Moves::due_times, limits_of(share, walks), stop); },
        [&] { orders = search_orders(share / walks, 1, stop); });
    const std::pair<double, double> values(to_ms(rules.value), to_ms(orders.value));
    take(std::move(rules));
    take(std::move(orders));
    return values;
  }
  // What is found is a start of later searches.
  void take(Found found) {
    result_.evaluations += found.evaluations;
    result_.stopped = result_.stopped || found.stopped;
    starts_.push_back(with_slack(found.rule, schedule_));
    starts_.push_back(found.rule);
    found_.push_back(std::move(found));
  }

  const PlanningProblem& problem_;
  const Workload& batch_;
  const SlotPool pool_;
  PrioritySchedule schedule_;
  const SearchLimits limits_;
  std::vector<PriorityRule> starts_;
  std::vector<Found> found_;
  BestSearchResult result_;
};

}  // namespace

BestSearchResult search_rules_and_orders(const PlanningProblem& problem, const Plan& plan,
                                         std::span<const std::int64_t> map_ends, const SearchLimits& limits,
                                         const Stop& stop) {
  return BestSearch(problem, plan, map_ends, limits).run(stop);
}

}  // namespace wavewright
