#include "wavewright/plan/analysis/fewest_slots.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/analysis/bottlenecks.h"
#include "wavewright/plan/analysis/heuristic.h"

namespace wavewright {

namespace {

constexpr std::uint64_t placements_a_size = 20'000'000;
constexpr std::uint64_t least_a_size = 100, most_a_size = 3'000;
constexpr std::size_t splits_tried = 4;  // for each number of slots
constexpr Count numbers_again = 3;       // below the least found: tried again with a longer search
constexpr std::uint64_t longer = 4;      // times as many evaluations

std::uint64_t evaluations(const SlotsProblem& problem) {
  if (problem.evaluations > 0) return problem.evaluations;
  const std::uint64_t tasks = 1 + problem.batch->tasks();
  return std::clamp(placements_a_size / tasks, least_a_size, most_a_size);
}

std::string pool_text(SlotPool pool) {
  return fmt::format("{} map and {} reduce slots", pool.map_slots, pool.reduce_slots);
}

// Texts of the two durations that differ, even if the durations are close.
std::pair<std::string, std::string> told_apart(Duration deadline, Duration later) {
  std::vector<std::string> texts = format_apart({deadline, later});
  if (texts[0] == texts[1]) texts[1] += " and " + format_duration(later - deadline);
  return {texts[0], texts[1]};
}

class Search {
 public:
  Search(const SlotsProblem& problem, const std::function<void(SlotPool)>& progress, const Stop& stop)
      : problem_(problem),
        progress_(progress),
        stop_(stop),
        choice_(*problem.batch, problem.wish, problem.deadline),
        effort_(evaluations(problem)) {}

  FewestSlots run() {
    refuse_the_impossible();
    const Count refuted = most_refuted();
    climb(refuted);
    answer_.at_least = refuted + 1;
    for (Count again = 0; again < numbers_again && answer_.slots > answer_.at_least && !stop_.now();
         ++again) {
      if (!found(answer_.slots - 1, longer)) break;
    }
    if (!answer_.proved() && choice_.refuted(answer_.slots - 1)) answer_.at_least = answer_.slots;
    if (answer_.slots > choice_.least()) answer_.bound_with_one_less = choice_.bound(answer_.slots - 1);
    answer_.partial = stop_.now();
    return std::move(answer_);
  }

 private:
  [[nodiscard]] PlanningProblem at(SlotPool pool, std::uint64_t times) const {
    PlanningProblem problem{problem_.batch, {pool, problem_.slowstart}, Objective::makespan, problem_.seed};
    problem.evaluations = effort_ * times;
    problem.task_order = problem_.task_order;
    return problem;
  }
  // If one slot for every task is not enough, no number of slots is.
  void refuse_the_impossible() {
    const SlotPool pool = choice_.largest();
    const Duration bound = lower_bound(*problem_.batch, pool, Objective::makespan);
    if (bound <= problem_.deadline) return;
    const PlanningProblem largest = at(pool, 1);
    const Plan plan = heuristic_plan("johnson", largest, {}, std::nullopt, stop_);
    std::string why = in_words(bottlenecks_of(plan, largest), *problem_.batch);
    if (why.ends_with('.')) why.pop_back();
    const auto [deadline, least] = told_apart(problem_.deadline, bound);
    throw Infeasible(fmt::format("no number of slots ends the batch by {}: with {} it takes {} at least. {}",
                                 deadline, pool_text(pool), least, why),
                     "give a later deadline");
  }
  // The largest number that the bounds rule out; one below the least number if there is none.
  Count most_refuted() {
    Count refuted = choice_.least() - 1, open = choice_.least();
    while (open < choice_.most() && choice_.pools(open).empty()) {
      refuted = open;
      open = std::min(choice_.most(), open * 2);
    }
    while (open - refuted > 1) {
      const Count middle = refuted + (open - refuted) / 2;
      (choice_.pools(middle).empty() ? refuted : open) = middle;
    }
    return refuted;
  }
  // Goes up in growing steps until a plan is found, then bisects down to the largest number without one.
  void climb(Count refuted) {
    Count failed = refuted, step = 1, count = refuted + 1;
    while (!found(count, 1)) {
      if (count == choice_.most() || stop_.now()) none_found(count);
      failed = count;
      step *= 2;
      count = std::min(choice_.most(), count + step);
    }
    while (answer_.slots - failed > 1 && !stop_.now()) {
      const Count middle = failed + (answer_.slots - failed) / 2;
      if (!found(middle, 1)) failed = middle;
    }
  }
  // True if a plan with `count` slots meets the deadline; stores it.
  bool found(Count count, std::uint64_t times) {
    const std::vector<SlotPool> pools = choice_.pools(count);
    for (std::size_t i = 0; i < std::min(splits_tried, pools.size()); ++i) {
      if (i > 0 && stop_.now()) return false;
      progress_(pools[i]);
      ++answer_.pools_tried;
      Plan plan = heuristic_plan(problem_.method, at(pools[i], times), tried_, problem_.deadline, stop_);
      if (plan.makespan <= problem_.deadline) {
        remember(plan);
        answer_.pool = pools[i];
        answer_.slots = count;
        answer_.plan = std::move(plan);
        return true;
      }
      if (!nearest_ || plan.makespan < *nearest_) nearest_ = plan.makespan;
      remember(plan);
    }
    return false;
  }
  // Keeps the last few plans; the next search starts from their orders.
  void remember(const Plan& plan) {
    constexpr std::size_t kept = 2;
    if (tried_.size() >= kept) tried_.erase(tried_.begin());
    tried_.push_back(plan);
  }
  [[noreturn]] void none_found(Count count) const {
    const auto [deadline, nearest] = told_apart(problem_.deadline, nearest_.value_or(Duration{}));
    throw Infeasible(
        fmt::format("no plan found that ends by {} with up to {} slots{}; that none exists is not proven",
                    deadline, count, nearest_ ? ", the nearest takes " + nearest : ""),
        stop_.now() ? "give more time" : "give a later deadline, or more of the slots that are given");
  }

  const SlotsProblem& problem_;
  const std::function<void(SlotPool)>& progress_;
  const Stop& stop_;
  PoolChoice choice_;
  const std::uint64_t effort_;
  std::vector<Plan> tried_;
  std::optional<Duration> nearest_;
  FewestSlots answer_;
};

}  // namespace

FewestSlots fewest_slots(const SlotsProblem& problem, const std::function<void(SlotPool)>& progress,
                         const Stop& stop) {
  return Search(problem, progress, stop).run();
}

}  // namespace wavewright
