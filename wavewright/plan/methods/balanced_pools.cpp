#include "wavewright/plan/methods/balanced_pools.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include <tbb/parallel_for.h>

#include "wavewright/job/precedence.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/genetic.h"
#include "wavewright/plan/methods/johnson.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

namespace {

enum class Sizes { interval, all };
enum class Orders { johnson, genetic };

// A subset of the jobs, to run on a pool in Johnson's order or in the order of a genetic search from there.
class Part {
 public:
  Part(const PlanningProblem& problem, std::span<const JobIndex> members, Orders orders,
       std::uint64_t generations)
      : problem_(problem), orders_(orders), generations_(generations) {
    for (const JobIndex index : members) {
      const Job& job = problem.batch->jobs[index];
      batch_.jobs.push_back(job);
      maps_ += static_cast<Count>(job.maps.size());
      reduces_ += static_cast<Count>(job.reduces.size());
    }
    tasks_ = std::make_unique<TaskTable>(batch_);
  }

  [[nodiscard]] PlanValue value(SlotPool pool) const {
    return evaluate(*tasks_, order_on(pool), {pool, problem_.cluster.slowstart});
  }
  [[nodiscard]] Duration bound(SlotPool pool, Objective objective) const {
    return lower_bound(batch_, pool, objective, Effort::quick);
  }
  // The slots of the pool that its tasks can use at once.
  [[nodiscard]] SlotPool used(SlotPool pool) const {
    return {std::min(pool.map_slots, maps_), std::min(pool.reduce_slots, reduces_)};
  }
  [[nodiscard]] std::vector<std::string> order(SlotPool pool) const { return ids_of(batch_, order_on(pool)); }

 private:
  // Deterministic: the same order for each call with the same pool.
  [[nodiscard]] std::vector<JobIndex> order_on(SlotPool pool) const {
    std::vector<JobIndex> johnson = johnson_order(batch_, pool);
    if (orders_ == Orders::johnson) return johnson;
    AnySchedule evaluator(batch_, {pool, problem_.cluster.slowstart});
    Random random(problem_.seed, "plan/balanced_pools", static_cast<std::uint64_t>(pool.map_slots));
    const GeneticSizes sizes{.population = 8, .generations = generations_};
    return genetic_search(evaluator, problem_.objective, sizes, johnson, random, Stop()).order;
  }

  const PlanningProblem& problem_;
  const Orders orders_;
  const std::uint64_t generations_;
  Workload batch_;
  Count maps_ = 0, reduces_ = 0;  // tasks
  std::unique_ptr<TaskTable> tasks_;
};

struct Split {
  bool found = false;
  bool stopped = false;
  Duration value{};
  Count size = 0;
  Count evaluated = 0;
};

class PoolSearch {
 public:
  PoolSearch(const PlanningProblem& problem, const Stop& stop, Sizes sizes, Orders orders)
      : problem_(problem),
        stop_(stop),
        sizes_(sizes),
        orders_(orders),
        generations_(generations_for(problem)),
        order_(by_size(*problem.batch)) {}

  [[nodiscard]] Part part(std::span<const JobIndex> members) const {
    return {problem_, members, orders_, generations_};
  }

  // The largest size of the first pool: one slot less than the kind with more slots has.
  [[nodiscard]] Count largest() const {
    return std::max(problem_.cluster.pool.map_slots, problem_.cluster.pool.reduce_slots) - 1;
  }

  [[nodiscard]] SlotPool first_pool(Count size) const {
    return {share(problem_.cluster.pool.map_slots, size), share(problem_.cluster.pool.reduce_slots, size)};
  }
  [[nodiscard]] SlotPool second_pool(Count size) const {
    const SlotPool first = first_pool(size);
    return {problem_.cluster.pool.map_slots - first.map_slots,
            problem_.cluster.pool.reduce_slots - first.reduce_slots};
  }

  [[nodiscard]] std::span<const JobIndex> small(std::size_t split) const {
    return std::span(order_).first(split);
  }
  [[nodiscard]] std::span<const JobIndex> big(std::size_t split) const {
    return std::span(order_).subspan(split);
  }
  [[nodiscard]] std::size_t splits() const { return order_.empty() ? 0 : order_.size() - 1; }

  // The most sizes to try for one split, so that all keep to the number of evaluations; 0 = no limit.
  [[nodiscard]] Count quota_of_split() const {
    if (problem_.evaluations == 0) return 0;
    return static_cast<Count>(1 + problem_.evaluations / std::max<std::size_t>(1, splits()));
  }

  // The best size for small jobs [0, split) and big jobs [split, n), if it beats `beat`.
  [[nodiscard]] Split best_of(std::size_t split, Duration beat) const {
    const Part small_part = part(small(split)), big_part = part(big(split));
    Split best;
    best.value = beat;
    const Count quota = quota_of_split();
    const auto visit = [&](Count size) {
      if (quota > 0 && best.evaluated >= quota) return true;
      const PlanValue a = small_part.value(first_pool(size));
      const PlanValue b = big_part.value(second_pool(size));
      ++best.evaluated;
      const Duration value = problem_.objective == Objective::makespan
                                 ? std::max(a.makespan, b.makespan)
                                 : a.total_completion + b.total_completion;
      if (value < best.value) {
        best.found = true;
        best.value = value;
        best.size = size;
      }
      return a.makespan < b.makespan;
    };
    if (sizes_ == Sizes::interval) {
      visit_interval(visit, best);
    } else {
      visit_all(visit, small_part, big_part, best);
    }
    return best;
  }

 private:
  static std::vector<JobIndex> by_size(const Workload& batch) {
    std::vector<Duration> work;
    work.reserve(batch.jobs.size());
    for (const Job& job : batch.jobs)
      work.push_back(std::accumulate(job.maps.begin(), job.maps.end(), Duration{}));
    std::vector<JobIndex> order = submission_order(batch);
    std::stable_sort(order.begin(), order.end(), [&](JobIndex a, JobIndex b) {
      const std::size_t maps_a = batch.jobs[a].maps.size(), maps_b = batch.jobs[b].maps.size();
      return maps_a != maps_b ? maps_a < maps_b : work[a] < work[b];
    });
    return order;
  }

  // The number of generations, of eight orders each, that all splits and sizes together leave time for.
  static std::uint64_t generations_for(const PlanningProblem& problem) {
    constexpr std::uint64_t usual_placements = 200'000'000, population = 8, most = 50;
    const std::uint64_t tasks = 1 + problem.batch->tasks();
    const auto sizes = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(
        std::max(problem.cluster.pool.map_slots, problem.cluster.pool.reduce_slots))));
    const std::uint64_t searches = std::max<std::uint64_t>(1, problem.batch->jobs.size() * sizes);
    return std::clamp<std::uint64_t>(usual_placements / (tasks * searches * population), 1, most);
  }

  // `size` counts slots of the kind with more slots; the other kind gets its proportion. Both pools get at
  // least one slot of a kind that has two.
  [[nodiscard]] Count share(Count slots, Count size) const {
    const Count width = largest() + 1;
    if (slots == width) return size;
    if (slots < 2) return 0;
    const double exact = static_cast<double>(size) * static_cast<double>(slots) / static_cast<double>(width);
    return std::clamp<Count>(std::llround(exact), 1, slots - 1);
  }

  template <class Visit>
  void visit_interval(Visit visit, Split& best) const {
    std::set<Count> visited;
    Count begin = 1, end = largest() + 1;
    while (end - begin > 1 && !(best.stopped = stop_.now())) {
      const Count middle = (begin + end) / 2;
      visited.insert(middle);
      (visit(middle) ? end : begin) = middle;
    }
    if (!best.stopped && !visited.contains(begin)) visit(begin);
  }

  // True if both sizes give equal values: the pools differ only in slots beyond one for each task.
  [[nodiscard]] bool alike(Count a, Count b, const Part& small_part, const Part& big_part) const {
    return small_part.used(first_pool(a)) == small_part.used(first_pool(b)) &&
           big_part.used(second_pool(a)) == big_part.used(second_pool(b));
  }
  // The next size that is not alike. Bisection: one pool grows with the size, the other shrinks.
  [[nodiscard]] Count next_size(Count size, const Part& small_part, const Part& big_part) const {
    Count step = 1;
    while (size + step <= largest() && alike(size, size + step, small_part, big_part)) step *= 2;
    Count like = size + step / 2, unlike = std::min(size + step, largest() + 1);
    while (unlike - like > 1) {
      const Count middle = like + (unlike - like) / 2;
      (alike(size, middle, small_part, big_part) ? like : unlike) = middle;
    }
    return unlike;
  }

  template <class Visit>
  void visit_all(Visit visit, const Part& small_part, const Part& big_part, Split& best) const {
    for (Count size = 1; size <= largest() && !(best.stopped = stop_.now());
         size = next_size(size, small_part, big_part)) {
      const Duration a = small_part.bound(first_pool(size), problem_.objective);
      const Duration b = big_part.bound(second_pool(size), problem_.objective);
      const Duration bound = problem_.objective == Objective::makespan ? std::max(a, b) : a + b;
      if (bound < best.value) visit(size);
    }
  }

  const PlanningProblem& problem_;
  const Stop& stop_;
  Sizes sizes_;
  Orders orders_;
  std::uint64_t generations_;
  std::vector<JobIndex> order_;  // by_size()
};

bool needs(const Workload& batch, std::vector<Duration> Job::* tasks) {
  return std::any_of(batch.jobs.begin(), batch.jobs.end(),
                     [&](const Job& job) { return !(job.*tasks).empty(); });
}

// Two pools need at least two slots of each kind that the batch uses.
bool divisible(const PlanningProblem& problem) {
  return problem.batch->jobs.size() > 1 &&
         (problem.cluster.pool.map_slots > 1 || !needs(*problem.batch, &Job::maps)) &&
         (problem.cluster.pool.reduce_slots > 1 || !needs(*problem.batch, &Job::reduces));
}

class BalancedPools final : public Planner {
 public:
  BalancedPools(std::string name, std::string description, Sizes sizes, Orders orders)
      : name_(std::move(name)), description_(std::move(description)), sizes_(sizes), orders_(orders) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] bool makes_pools() const override { return true; }

  // The pools are searched independently, so jobs must not wait for each other.
  [[nodiscard]] std::string refuses(const PlanningProblem& problem) const override {
    return has_precedence(*problem.batch) ? "it takes jobs that do not wait for others ('after')" : "";
  }
  [[nodiscard]] Plan plan(const PlanningProblem& problem, const Stop& stop) const override {
    const auto began = Stop::Clock::now();
    Plan plan = plan_of_order(problem, name_, johnson_order(*problem.batch, problem.cluster.pool));
    value_plan(plan, problem);
    if (divisible(problem)) divide(plan, problem, stop);
    plan.seconds = std::chrono::duration<double>(Stop::Clock::now() - began).count();
    return plan;
  }

 private:
  void divide(Plan& plan, const PlanningProblem& problem, const Stop& stop) const {
    const PoolSearch search(problem, stop, sizes_, orders_);
    std::vector<Split> splits(search.splits());
    tbb::parallel_for(std::size_t{0}, splits.size(), [&](std::size_t i) {
      if (stop.now()) {
        splits[i].stopped = true;
      } else {
        splits[i] = search.best_of(i + 1, plan.value());
      }
    });
    const Split* best = nullptr;
    std::size_t at = 0;
    for (std::size_t i = 0; i < splits.size(); ++i) {
      plan.evaluated += splits[i].evaluated;
      plan.partial = plan.partial || splits[i].stopped;
      if (splits[i].found && (best == nullptr || splits[i].value < best->value)) {
        best = &splits[i];
        at = i + 1;
      }
    }
    if (best == nullptr) return;
    const SlotPool first = search.first_pool(best->size), second = search.second_pool(best->size);
    plan.pools = {{first, search.part(search.small(at)).order(first)},
                  {second, search.part(search.big(at)).order(second)}};
    plan.order = plan.pools[0].jobs;
    plan.order.insert(plan.order.end(), plan.pools[1].jobs.begin(), plan.pools[1].jobs.end());
    value_plan(plan, problem);
  }

  std::string name_, description_;
  Sizes sizes_;
  Orders orders_;
};

}  // namespace

std::unique_ptr<Planner> make_balanced_pools() {
  return std::make_unique<BalancedPools>("balanced-pools", "two pools, sizes by interval search [HP Alg. 2]",
                                         Sizes::interval, Orders::johnson);
}

std::unique_ptr<Planner> make_balanced_pools_sweep() {
  return std::make_unique<BalancedPools>("balanced-pools-sweep", "two pools, every split and size",
                                         Sizes::all, Orders::johnson);
}

std::unique_ptr<Planner> make_balanced_pools_genetic() {
  return std::make_unique<BalancedPools>("balanced-pools-genetic",
                                         "two pools, their orders by genetic search [CLOUD Alg. 6]",
                                         Sizes::interval, Orders::genetic);
}

}  // namespace wavewright
