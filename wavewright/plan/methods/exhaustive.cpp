#include "wavewright/plan/methods/exhaustive.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/branch_and_bound.h"
#include "wavewright/plan/methods/flow_shop.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/methods/prefix_bound.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

namespace {

constexpr std::size_t always_to_the_end = 9;                  // jobs
constexpr std::uint64_t exhausting_placements = 200'000'000;  // tasks, for more jobs: some seconds
constexpr std::uint64_t most_usual_prefixes = 300'000;
constexpr std::uint64_t most_flow_shop_states = 8'000'000;  // of 32 bytes
constexpr std::uint64_t placements_of_start = 2'000'000;    // tasks

// The best of Johnson's order, shortest first and submission, improved by moves of single jobs.
std::vector<JobIndex> first_order(const PlanningProblem& problem, const Stop& stop) {
  ListSchedule schedule(*problem.batch, problem.cluster.pool);
  std::uint64_t left = placements_of_start / std::max<std::uint64_t>(1, schedule.tasks());
  std::vector<JobIndex> best;
  Duration least = Duration::max();
  const auto better = [&](const std::vector<JobIndex>& order) {
    const Duration value = schedule.value(order).of(problem.objective);
    if (value >= least) return false;
    least = value;
    best = order;
    return true;
  };
  for (const auto& order :
       {johnson_order(*problem.batch, problem.cluster.pool),
        shortest_first_order(*problem.batch, problem.cluster.pool), submission_order(*problem.batch)})
    better(order);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t from = 0; from < best.size(); ++from) {
      for (std::size_t to = 0; to < best.size(); ++to) {
        if (left-- == 0 || stop.now()) return best;
        std::vector<JobIndex> order = best;
        const JobIndex job = order[from];
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), job);
        moved = better(order) || moved;
      }
    }
  }
  return best;
}

// True if no schedule is better than the best single order: one slot of each kind, and jobs of one map and
// one reduce. Two jobs in different orders on the two slots can change places on the first one, and no job
// ends later [Conway, Maxwell and Miller 1967].
bool orders_are_enough(const PlanningProblem& problem) {
  return std::all_of(problem.batch->jobs.begin(), problem.batch->jobs.end(), [&](const Job& job) {
    return problem.cluster.pool == SlotPool{1, 1} && job.maps.size() == 1 && job.reduces.size() == 1;
  });
}

class Exhaustive final : public Planner {
 public:
  [[nodiscard]] std::string name() const override { return "exhaustive"; }
  [[nodiscard]] std::string description() const override {
    return "the best single order of up to 32 jobs, proved where time allows [ORDER Alg. 3]";
  }
  [[nodiscard]] std::string refuses(const PlanningProblem& problem) const override {
    if (problem.batch->jobs.size() > most_ordered_jobs)
      return fmt::format("it tries the orders of up to {} jobs, these are {}", most_ordered_jobs,
                         problem.batch->jobs.size());
    if (has_precedence(*problem.batch)) return "it takes jobs that do not wait for others ('after')";
    if (!ListSchedule::models(*problem.batch, problem.cluster) &&
        problem.batch->jobs.size() > always_to_the_end)
      return fmt::format(
          "with slow-start below 1 or tasks of length 0 it tries the orders of up to {} jobs, these are {}",
          always_to_the_end, problem.batch->jobs.size());
    return {};
  }
  [[nodiscard]] Plan plan(const PlanningProblem& given, const Stop& stop) const override {
    const auto began = Stop::Clock::now();
    PlanningProblem problem = given;
    if (!problem.lower_bound)
      problem.lower_bound = lower_bound(*problem.batch, problem.cluster.pool, problem.objective);
    const bool listed = ListSchedule::models(*problem.batch, problem.cluster);
    const auto shop = listed && problem.objective == Objective::total_completion
                          ? as_flow_shop(*problem.batch, problem.cluster.pool)
                          : std::nullopt;
    Plan plan = shop     ? of_sets(*shop, problem, stop)
                : listed ? of_tree(problem, stop)
                         : of_simulations(problem, stop);
    plan.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
    return plan;
  }

 private:
  [[nodiscard]] Plan of_sets(const std::vector<FlowJob>& shop, PlanningProblem problem,
                             const Stop& stop) const {
    const FlowShopOrder found = least_total_flow_shop(shop, most_flow_shop_states, problem.seed, stop);
    if (orders_are_enough(problem)) {
      problem.lower_bound = std::max(*problem.lower_bound, ms(found.bound));
      problem.order_free_bound = problem.lower_bound;  // jobs of one map and one reduce
    }
    return plan_of(found, found.states, problem);
  }
  [[nodiscard]] Plan of_tree(const PlanningProblem& problem, const Stop& stop) const {
    const bool together = std::all_of(problem.batch->jobs.begin(), problem.batch->jobs.end(),
                                      [](const Job& job) { return job.submit == Time{}; });
    std::uint64_t prefixes = problem.evaluations;
    if (together && problem.batch->jobs.size() <= always_to_the_end)
      prefixes = std::numeric_limits<std::uint64_t>::max();
    if (prefixes == 0) {
      const std::uint64_t tasks = ListSchedule(*problem.batch, problem.cluster.pool).tasks();
      prefixes = std::min(most_usual_prefixes, 1 + exhausting_placements / std::max<std::uint64_t>(1, tasks));
    }
    const BranchAndBoundResult found =
        best_single_order(problem, first_order(problem, stop), *problem.lower_bound, prefixes, stop);
    return plan_of(found, found.evaluations, problem);
  }
  // Simulates every order.
  [[nodiscard]] Plan of_simulations(const PlanningProblem& problem, const Stop& stop) const {
    AnySchedule schedule(*problem.batch, problem.cluster);
    std::vector<JobIndex> order(problem.batch->jobs.size());
    std::iota(order.begin(), order.end(), JobIndex{0});
    BranchAndBoundResult found{order};
    Duration least = Duration::max();
    bool more = true;
    for (; more && least > *problem.lower_bound; more = std::next_permutation(order.begin(), order.end())) {
      if (found.evaluations > 0 && (found.stopped = stop.now())) break;
      const Duration value = schedule.value(order).of(problem.objective);
      ++found.evaluations;
      if (value >= least) continue;
      least = value;
      found.order = order;
    }
    found.complete = !found.stopped;
    return plan_of(found, found.evaluations, problem);
  }
  // The plan of the order that either search found.
  template <class Found>
  [[nodiscard]] Plan plan_of(const Found& found, std::uint64_t tries, const PlanningProblem& problem) const {
    Plan plan = plan_of_order(problem, name(), found.order);
    value_plan(plan, problem);
    plan.evaluated = static_cast<Count>(tries);
    plan.best_single_order = found.complete;
    plan.partial = found.stopped;
    return plan;
  }
};

}  // namespace

std::unique_ptr<Planner> make_exhaustive() {
  return std::make_unique<Exhaustive>();
}

}  // namespace wavewright
